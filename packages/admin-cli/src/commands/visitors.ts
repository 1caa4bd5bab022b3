import type { Command } from 'commander'
import { z } from 'zod'
import { confirm, json as jsonText, type Terminal } from '../terminal.ts'
import { action, needStore, showDone } from './command.ts'

const one = z.string().min(1).exactOptional()
const visitor = { visitorId: one, phoneNumber: one }

type Given = z.output<z.ZodObject<typeof visitor>>

/** `visitor export|remove` */
export function addVisitorCommands(program: Command, terminal: Terminal): void {
  const visitors = program
    .command('visitor')
    .description('all that is kept of one visitor of an account; with --database alone')

  const named = (command: Command): Command =>
    command
      .argument('<account>', 'id or slug')
      .option('--visitor-id <id>', 'the id by which your server names the visitor')
      .option('--phone-number <number>', 'the number of calls and texts, E.164 for most')

  const exporting = named(
    visitors.command('export').description('print all that is kept of a visitor, as lines of JSON'),
  )
  action(exporting, terminal, z.object(visitor), async ({ admin, args: [account = ''], options }) => {
    for await (const line of needStore(admin).exportVisitor(account, options)) terminal.out(jsonText(line))
  })

  const removing = named(
    visitors.command('remove').description('remove all that is kept of a visitor, but what is in progress'),
  ).option('--yes', 'do not ask')
  const removal = z.object({ ...visitor, yes: z.boolean().default(false) })
  action(removing, terminal, removal, async ({ admin, args: [account = ''], json, options }) => {
    const { yes, ...given }: { readonly yes: boolean } & Given = options
    const store = needStore(admin)
    const { conversations, inProgress } = await store.visitor(account, given)
    const act = `Removing a visitor with ${conversations} conversations, ${inProgress} of them in progress,`
    await confirm(terminal, yes, act, 'remove')
    const removed = await store.removeVisitor(account, given)
    const left = removed.inProgress === 0 ? '' : ` ${removed.inProgress} are in progress: try again later.`
    showDone(terminal, json, { ...removed }, `Removed ${removed.conversations} conversations.${left}`)
  })
}
