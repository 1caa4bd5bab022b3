import type { Command } from 'commander'
import { z } from 'zod'
import { confirm, type Terminal } from '../terminal.ts'
import { action, momentOf, needStore, showDone } from './command.ts'

/** `conversations purge|remove` */
export function addConversationCommands(program: Command, terminal: Terminal): void {
  const conversations = program
    .command('conversations')
    .description('finished conversations; with --database alone')

  const purge = conversations
    .command('purge')
    .description('remove conversations that finished before a moment, with all that is kept of them')
    .requiredOption('--older-than <moment>', 'ISO 8601, or an age such as 90d')
    .option('--account <id-or-slug>', 'of one account')
    .option('--yes', 'do not ask')
  const old = z.object({
    olderThan: z.string(),
    account: z.string().exactOptional(),
    yes: z.boolean().default(false),
  })
  action(purge, terminal, old, async ({ admin, json, options }) => {
    const before = momentOf(options.olderThan)
    const store = needStore(admin)
    const whose = options.account === undefined ? 'of every account' : `of ${options.account}`
    const act = `Removing conversations ${whose} that finished before ${new Date(before).toISOString()}`
    await confirm(terminal, options.yes, act, 'remove')
    const removed = await store.purgeConversations(before, options.account)
    showDone(terminal, json, { removed }, `Removed ${removed} conversations.`)
  })

  const remove = conversations
    .command('remove')
    .description('remove one finished conversation')
    .argument('<account>', 'id or slug')
    .argument('<agent>', 'PROJECT-…')
    .argument('<id>', "the conversation's id")
    .option('--yes', 'do not ask')
  const yes = z.object({ yes: z.boolean().default(false) })
  action(
    remove,
    terminal,
    yes,
    async ({ admin, args: [account = '', agent = '', id = ''], json, options }) => {
      const store = needStore(admin)
      await confirm(terminal, options.yes, `Removing the conversation ${id}`, id)
      await store.removeConversation(account, agent, id)
      showDone(terminal, json, { id, removed: true }, `Removed ${id}.`)
    },
  )
}
