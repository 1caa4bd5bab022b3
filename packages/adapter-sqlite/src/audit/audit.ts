import { type AuditFilter, type AuditStore, boundedPage, type KeptAuditEntry } from '@colloquy/core/store'
import type { Selectable } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Schema } from '../database/tables.ts'
import { type AuditConditions, type AuditStatements, fromEntry } from './audit-statements.ts'

export const toEntry = (row: Selectable<Schema['audit_entry']>): KeptAuditEntry => ({
  sequence: row.row,
  entry: {
    id: row.id,
    at: row.at,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    accountId: row.account_id,
    agentId: row.agent_id,
    resource: { type: row.resource_type, id: row.resource_id },
    details: fromJson(row.details),
    correlationId: row.correlation_id,
  },
})

const conditionsOf = (filter: AuditFilter, limit: number): AuditConditions => ({
  accountId: filter.accountId ?? null,
  agentId: filter.agentId ?? null,
  action: filter.action ?? null,
  resourceId: filter.resourceId ?? null,
  since: filter.since ?? Number.MIN_SAFE_INTEGER,
  until: filter.until ?? Number.MAX_SAFE_INTEGER,
  at: filter.after?.at ?? Number.MAX_SAFE_INTEGER,
  sequence: filter.after?.sequence ?? Number.MAX_SAFE_INTEGER,
  limit,
})

/** The audit log in SQLite. */
export function createAuditStore({ read, write }: Session, run: AuditStatements): AuditStore {
  /** The list whose index leaves the fewest entries to look at. */
  const listFor = ({ accountId, agentId, action, resourceId }: AuditFilter) => {
    if (resourceId !== undefined) return run.byResource
    if (agentId !== undefined) return run.byAgent
    if (accountId !== undefined) return run.byAccount
    return action === undefined ? run.byTime : run.byAction
  }
  return {
    async append(entry) {
      const row = fromEntry(entry)
      return write('append to the audit log', () => {
        run.insertEntry.run(row)
      })
    },
    list: async (filter, limit, bytes) => {
      const conditions = conditionsOf(filter, limit + 1)
      return read('read the audit log', () => {
        return boundedPage(listFor(filter).each(conditions), toEntry, limit, bytes)
      })
    },
    remove: (before, limit) =>
      write('remove entries of the audit log', () => {
        const old = run.old.all({ before, limit: limit + 1 })
        run.permitRemoval.run({ before })
        for (const { row } of old.slice(0, limit)) run.removeEntry.run({ row })
        run.forbidRemoval.run({})
        return { removed: Math.min(old.length, limit), more: old.length > limit }
      }),
  }
}
