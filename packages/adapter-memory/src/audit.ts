import type { AuditEntry } from '@colloquy/core'
import { type AuditFilter, type AuditStore, boundedPage, type KeptAuditEntry } from '@colloquy/core/store'

/** The way in for the entries of other parts' writes. */
export interface AuditTrail {
  /** Keeps an entry. */
  keep(entry: AuditEntry): void
}

const newestFirst = (one: KeptAuditEntry, other: KeptAuditEntry): number =>
  other.entry.at - one.entry.at || other.sequence - one.sequence

const matches = ({ entry, sequence }: KeptAuditEntry, filter: AuditFilter): boolean => {
  const { accountId, agentId, action, resourceId, since, until, after } = filter
  return (
    (accountId === undefined || entry.accountId === accountId) &&
    (agentId === undefined || entry.agentId === agentId) &&
    (action === undefined || entry.action === action) &&
    (resourceId === undefined || entry.resource.id === resourceId) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until) &&
    (after === undefined || entry.at < after.at || (entry.at === after.at && sequence < after.sequence))
  )
}

/** The audit log, and the way in for the entries of other parts' writes. Every method runs without a pause. */
export function createAuditStore(): { readonly store: AuditStore; readonly trail: AuditTrail } {
  let log: KeptAuditEntry[] = []
  let written = 0

  const trail: AuditTrail = {
    keep(entry) {
      log.push({ sequence: ++written, entry })
    },
  }
  const store: AuditStore = {
    append: async entry => trail.keep(entry),
    async list(filter, limit, bytes) {
      const wanted = log.filter(kept => matches(kept, filter))
      return boundedPage(wanted.sort(newestFirst), kept => kept, limit, bytes)
    },
    async remove(before, limit) {
      const old = log.filter(({ entry }) => entry.at < before).sort((one, other) => -newestFirst(one, other))
      const gone = new Set(old.slice(0, limit))
      log = log.filter(kept => !gone.has(kept))
      return { removed: gone.size, more: old.length > gone.size }
    },
  }
  return { store, trail }
}
