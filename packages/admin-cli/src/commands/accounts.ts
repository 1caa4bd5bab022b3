import type { Command } from 'commander'
import { z } from 'zod'
import type { Terminal } from '../terminal.ts'
import { action, showList, showOne } from './command.ts'

/** `accounts create|list` */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('accounts, which are the same as workspaces')

  const create = accounts
    .command('create')
    .description('create an account')
    .requiredOption('--slug <slug>', "the account's name in addresses")
    .requiredOption('--name <name>', "the account's name for people")
    .option('--id <ws-id>', 'ws- and letters or digits (default: a new one)')
  const input = z.object({ slug: z.string(), name: z.string(), id: z.string().exactOptional() })
  action(create, terminal, input, async ({ admin, json, options: { id, ...rest } }) => {
    const account = await admin.createAccount({ ...rest, ...(id === undefined ? {} : { accountId: id }) })
    showOne(terminal, json, account)
  })

  const list = accounts.command('list').description('list accounts, oldest first')
  action(list, terminal, z.object({}), async ({ admin, json }) => {
    showList(terminal, json, await admin.accounts(), ['accountId', 'slug', 'name', 'createdAt'])
  })
}
