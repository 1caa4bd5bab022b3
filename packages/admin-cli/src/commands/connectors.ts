import { ENVIRONMENTS } from '@colloquy/core'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import { UsageError } from '../failure.ts'
import { confirm, type Terminal } from '../terminal.ts'
import { action, endOf, showDone, showList, showOne, wholeNumber } from './command.ts'

const COLUMNS = [
  'id',
  'prefix',
  'accountId',
  'agentId',
  'environment',
  'hosts',
  'name',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
]

const settings = z.object({
  environment: z.enum(ENVIRONMENTS).exactOptional(),
  host: z.array(z.string()).exactOptional(),
  variant: z.string().exactOptional(),
  name: z.string().exactOptional(),
  handoffMode: z.enum(['server', 'client']).exactOptional(),
  queue: z.string().exactOptional(),
  handoffTimeout: wholeNumber(1, 86_400).exactOptional(),
  expiresAt: z.string().exactOptional(),
})

/**
 * Returns the options as the platform names them; what is not given is left out. `none` is no variant in particular,
 * and no end.
 */
function changeOf(options: z.output<typeof settings>) {
  const { host, variant, handoffMode, queue, handoffTimeout, expiresAt, ...rest } = options
  const handoff = {
    ...(handoffMode === undefined ? {} : { mode: handoffMode }),
    ...(queue === undefined ? {} : { queueName: queue }),
    ...(handoffTimeout === undefined ? {} : { timeoutSeconds: handoffTimeout }),
  }
  return {
    ...rest,
    ...(host === undefined ? {} : { hosts: host }),
    ...(variant === undefined ? {} : { variantId: variant === 'none' ? null : variant }),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === 'none' ? null : endOf(expiresAt) }),
    ...(Object.keys(handoff).length === 0 ? {} : { handoff }),
  }
}

const addSettings = (command: Command): Command =>
  command
    .addOption(new Option('--environment <environment>', 'whose deployment answers').choices(ENVIRONMENTS))
    .option('--host <hosts...>', 'domains, origins or app namespaces that may use it')
    .option('--variant <id>', 'a variant of the agent; none: its default')
    .option('--name <name>', 'a name for people')
    .addOption(new Option('--handoff-mode <mode>', 'who finds a live agent').choices(['server', 'client']))
    .option('--queue <name>', 'the queue of handoffs')
    .option('--handoff-timeout <seconds>', 'how long a visitor waits for a live agent')
    .option('--expires-at <moment>', 'from when on it is refused: ISO 8601; none: it does not end')

function addWrites(connectors: Command, terminal: Terminal): void {
  const create = addSettings(
    connectors
      .command('create')
      .description('create a connector; its token is shown this once')
      .requiredOption('--account <id-or-slug>', 'whose connector it is')
      .requiredOption('--agent <id>', 'the agent that answers'),
  )
  const input = settings.extend({ account: z.string(), agent: z.string() })
  action(create, terminal, input, async ({ admin, json, options: { account, agent, ...rest } }) => {
    const { environment, hosts, ...change } = changeOf(rest)
    if (environment === undefined)
      throw new UsageError("required option '--environment <environment>' not specified")
    if (hosts === undefined) throw new UsageError("required option '--host <hosts...>' not specified")
    const owner = { accountId: account, agentId: agent }
    showOne(terminal, json, await admin.createConnector({ ...change, environment, hosts, ...owner }), 'token')
  })

  const update = addSettings(
    connectors
      .command('update')
      .description('change a connector; what is left out stays')
      .argument('<id>', 'CONNECTOR-…'),
  )
  action(update, terminal, settings, async ({ admin, args: [id = ''], json, options }) => {
    const change = changeOf(options)
    if (Object.keys(change).length === 0)
      throw new UsageError('Say what to change; --help lists the options.')
    showOne(terminal, json, await admin.updateConnector(id, change))
  })

  const revoke = connectors
    .command('revoke')
    .description('revoke a connector: its token stops working and its sessions close')
    .argument('<id>', 'CONNECTOR-…')
    .option('--yes', 'do not ask')
  const yes = z.object({ yes: z.boolean().default(false) })
  action(revoke, terminal, yes, async ({ admin, args: [id = ''], json, options }) => {
    await confirm(terminal, options.yes, `Revoking the connector ${id}`, id)
    await admin.revokeConnector(id)
    showDone(terminal, json, { id, revoked: true }, `Revoked ${id}.`)
  })
}

/** `connectors create|list|show|update|revoke` */
export function addConnectorCommands(program: Command, terminal: Terminal): void {
  const connectors = program.command('connectors').description('connectors of web sites and apps')

  const list = connectors
    .command('list')
    .description('list connectors without their tokens, revoked ones included, oldest first')
    .option('--account <id-or-slug>', 'of one account')
  action(
    list,
    terminal,
    z.object({ account: z.string().exactOptional() }),
    async ({ admin, json, options }) => {
      showList(terminal, json, await admin.connectors(options.account), COLUMNS)
    },
  )

  const show = connectors.command('show').description('show a connector').argument('<id>', 'CONNECTOR-…')
  action(show, terminal, z.object({}), async ({ admin, args: [id = ''], json }) => {
    showOne(terminal, json, await admin.connector(id))
  })
  addWrites(connectors, terminal)
}
