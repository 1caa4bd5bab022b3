import { boundedPage } from '../../domain/bounded-page.ts'
import type { AuditFilter, AuditStore, KeptAuditEntry } from '../../ports/store/audit.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { AUDIT_ENTRY } from '../kinds.ts'

/** Returns the list that leaves the fewest entries to look at. */
function listFor({ accountId, action, agentId, resourceId }: AuditFilter) {
  if (resourceId !== undefined) return { index: 'resource', prefix: [resourceId] }
  if (agentId !== undefined) return { index: 'agent', prefix: [agentId] }
  if (accountId !== undefined) return { index: 'account', prefix: [accountId] }
  return action === undefined ? { index: 'time', prefix: [] } : { index: 'action', prefix: [action] }
}

const matches = ({ entry }: KeptAuditEntry, { accountId, action, agentId }: AuditFilter) =>
  (accountId ?? entry.accountId) === entry.accountId &&
  (agentId ?? entry.agentId) === entry.agentId &&
  (action ?? entry.action) === entry.action

/** Returns the audit log. */
export const auditOver = ({ decided, scan, scanFor, write }: Guarded): AuditStore => ({
  async append(entry) {
    await write({ when: [], outbox: { audit: entry } })
  },
  async list(filter, limit, bytes) {
    const { after, since: from, until } = filter
    const { index, prefix } = listFor(filter)
    const range = {
      ...{ prefix, descending: true, limit: limit + 1, from },
      after: after && [after.at, after.sequence, ''],
      through: until === undefined ? until : until - 1,
    }
    const found = await scanFor(AUDIT_ENTRY, index, range, kept => matches(kept, filter))
    return boundedPage(found, kept => kept, limit, bytes)
  },
  remove: (before, limit) =>
    decided(async () => {
      const old = await scan(AUDIT_ENTRY, 'time', { prefix: [], through: before - 1, limit: limit + 1 })
      const gone = old.slice(0, limit)
      const result = { removed: gone.length, more: old.length > gone.length }
      if (gone.length === 0) return { result }
      return {
        when: gone.map(kept => unchanged(AUDIT_ENTRY, kept)),
        remove: gone.map(({ entry: { id } }) => ({ kind: AUDIT_ENTRY, id })),
        result,
      }
    }),
})
