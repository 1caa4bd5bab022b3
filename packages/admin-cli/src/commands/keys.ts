import { type Command, Option } from 'commander'
import { z } from 'zod'
import { confirm, type Terminal } from '../terminal.ts'
import { action, endOf, needStore, showDone, showList, showOne } from './command.ts'

const KINDS = ['workspace', 'project', 'external_events', 'desk', 'operator'] as const

const COLUMNS = [
  'id',
  'kind',
  'prefix',
  'accountId',
  'agentId',
  'name',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
]

const newKey = z
  .object({
    kind: z.enum(KINDS),
    account: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    region: z.string().exactOptional(),
    name: z.string().exactOptional(),
    permission: z.array(z.string()).exactOptional(),
    expiresAt: z.string().exactOptional(),
  })
  .transform(({ account, agent, permission, expiresAt, ...rest }) => ({
    ...rest,
    ...(account === undefined ? {} : { accountId: account }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(permission === undefined ? {} : { permissions: permission }),
    ...(expiresAt === undefined ? {} : { expiresAt: endOf(expiresAt) }),
  }))

/** `keys create|list|revoke` */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = program.command('keys').description('API keys')

  const create = keys
    .command('create')
    .description('issue an API key; its secret is shown this once')
    .addOption(
      new Option('--kind <kind>', 'operator keys: with --database alone')
        .choices(KINDS)
        .makeOptionMandatory(),
    )
    .option('--account <id-or-slug>', 'whose key it is; operator keys have none')
    .option('--agent <id>', 'limit it to one agent')
    .option('--region <region>', 'limit it to one region')
    .option('--name <name>', 'a name for people')
    .option('--permission <names...>', 'limit it to these permissions')
    .option('--expires-at <moment>', 'from when on it is refused: ISO 8601')
  action(create, terminal, newKey, async ({ admin, json, options }) => {
    if (options.kind === 'operator') needStore(admin)
    showOne(terminal, json, await admin.createApiKey(options), 'key')
  })

  const list = keys
    .command('list')
    .description('list API keys without their secrets, revoked ones included, oldest first')
    .option('--account <id-or-slug>', 'of one account')
  action(
    list,
    terminal,
    z.object({ account: z.string().exactOptional() }),
    async ({ admin, json, options }) => {
      showList(terminal, json, await admin.apiKeys(options.account), COLUMNS)
    },
  )

  const revoke = keys
    .command('revoke')
    .description('revoke an API key: it stops working at once')
    .argument('<id>', 'KEY-…')
    .option('--yes', 'do not ask')
  const yes = z.object({ yes: z.boolean().default(false) })
  action(revoke, terminal, yes, async ({ admin, args: [id = ''], json, options }) => {
    await confirm(terminal, options.yes, `Revoking the key ${id}`, id)
    await admin.revokeApiKey(id)
    showDone(terminal, json, { id, revoked: true }, `Revoked ${id}.`)
  })
}
