import { AUDIT_ACTIONS, type AuditAction } from '@colloquy/core'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Shown } from '../administration.ts'
import { confirm, json as jsonText, plain, type Terminal, table } from '../terminal.ts'
import { action, momentOf, needStore, showDone, wholeNumber } from './command.ts'

const isAction = (value: string): value is AuditAction => Object.hasOwn(AUDIT_ACTIONS, value)

const conditions = z
  .object({
    account: z.string().exactOptional(),
    agent: z.string().exactOptional(),
    action: z
      .string()
      .refine(isAction, `expected one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`)
      .exactOptional(),
    resource: z.string().exactOptional(),
    since: z.string().exactOptional(),
    until: z.string().exactOptional(),
    limit: wholeNumber(1, 1_000).exactOptional(),
    cursor: z.string().exactOptional(),
  })
  .transform(({ account, agent, resource, since, until, ...rest }) => ({
    ...rest,
    ...(account === undefined ? {} : { accountId: account }),
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(resource === undefined ? {} : { resourceId: resource }),
    ...(since === undefined ? {} : { since: momentOf(since) }),
    ...(until === undefined ? {} : { until: momentOf(until) }),
  }))

const party = z.looseObject({ id: z.string().nullable(), type: z.string(), name: z.string().default('') })

/** Returns an entry as a row: actor and resource in a word each. */
function rowOf(entry: Shown): Shown {
  const actor = party.parse(entry.actor)
  const { id, type } = party.parse(entry.resource)
  return { ...entry, actor: actor.id ?? (actor.name === '' ? actor.type : actor.name), resource: id ?? type }
}

/** `audit list|purge` */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('the audit log: who did what to which resource')

  const list = audit
    .command('list')
    .description('list entries, newest first')
    .option('--account <id-or-slug>', 'of one account')
    .option('--agent <id>', 'about one agent')
    .option('--action <action>', 'of one action, such as api_key.created')
    .option('--resource <id>', 'about one resource')
    .option('--since <moment>', 'at or after it: ISO 8601, or an age such as 7d')
    .option('--until <moment>', 'before it')
    .option('--limit <count>', '1 to 1000 (default: 100)')
    .option('--cursor <cursor>', 'the page behind an earlier one')
  action(list, terminal, conditions, async ({ admin, json, options }) => {
    const page = await admin.auditLog(options)
    if (json) {
      terminal.out(jsonText(page, 2))
      return
    }
    terminal.out(
      table(page.entries.map(rowOf), ['at', 'actor', 'action', 'resource', 'accountId', 'details']),
    )
    if (page.next_cursor !== null) terminal.out(`\nOlder ones: --cursor ${plain(page.next_cursor)}`)
  })

  const purge = audit
    .command('purge')
    .description('remove old entries; with --database alone')
    .requiredOption('--older-than <moment>', 'ISO 8601, or an age such as 400d')
    .option('--yes', 'do not ask')
  const old = z.object({ olderThan: z.string(), yes: z.boolean().default(false) })
  action(purge, terminal, old, async ({ admin, json, options }) => {
    const before = momentOf(options.olderThan)
    const store = needStore(admin)
    const moment = new Date(before).toISOString()
    await confirm(terminal, options.yes, `Removing entries of the audit log from before ${moment}`, 'remove')
    const removed = await store.purgeAuditLog(before)
    showDone(terminal, json, { removed }, `Removed ${removed} entries.`)
  })
}
