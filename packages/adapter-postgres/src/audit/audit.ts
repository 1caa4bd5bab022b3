import { type AuditFilter, type AuditStore, boundedPage, type KeptAuditEntry } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import { outboxOf } from '../outbox/outbox-keeper.ts'
import { type AuditConditions, type AuditRow, auditStatements } from './audit-statements.ts'

export const toEntry = (row: AuditRow): KeptAuditEntry => ({
  sequence: row.sequence,
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

/** The audit log in PostgreSQL. */
export function createAuditStore({ define, transaction }: Session): AuditStore {
  const run = auditStatements(define)
  /** The list whose index leaves the fewest entries to look at. */
  const listFor = ({ accountId, agentId, action, resourceId }: AuditFilter) => {
    if (resourceId !== undefined) return run.byResource
    if (agentId !== undefined) return run.byAgent
    if (accountId !== undefined) return run.byAccount
    return action === undefined ? run.byTime : run.byAction
  }
  return {
    async append(entry) {
      await run.append.all(outboxOf({ audit: entry }))
    },
    async list(filter, limit, bytes) {
      const rows = await listFor(filter).all(conditionsOf(filter, limit + 1))
      return boundedPage(rows, toEntry, limit, bytes)
    },
    remove: (before, limit) =>
      transaction('remove entries of the audit log', async on => {
        await run.permitRemoval.all({ before }, on)
        const found = (await run.remove.get({ before, limit }, on))?.found ?? 0
        return { removed: Math.min(found, limit), more: found > limit }
      }),
  }
}
