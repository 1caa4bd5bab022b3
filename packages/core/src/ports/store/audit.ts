import type { AuditAction, AuditEntry } from '../../domain/audit/audit.ts'
import type { BoundedPage } from '../../domain/bounded-page.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { RemovalStep } from './removals.ts'

/** An entry with its place: of two entries the one that was written later has the greater sequence. */
export interface KeptAuditEntry {
  readonly sequence: number
  readonly entry: AuditEntry
}

/** Which entries. All given conditions hold. */
export interface AuditFilter {
  readonly accountId?: AccountId
  readonly agentId?: AgentId
  readonly action?: AuditAction
  readonly resourceId?: string
  /** At this moment or later. */
  readonly since?: number
  /** Before this moment. */
  readonly until?: number
  /** Only those that come behind this place in the order of the list. */
  readonly after?: AuditPlace
}

/** A place in the order of the list. */
export interface AuditPlace {
  readonly at: number
  readonly sequence: number
}

/**
 * The audit log. Most entries come in with the writes that they tell of (`Outbox.audit`).
 *
 * Append-only: nothing changes an entry, and nothing but `remove` takes one away. Values are copied in and out.
 */
export interface AuditStore {
  /** Keeps an entry that belongs to no write of its own. */
  append(entry: AuditEntry): Promise<void>
  /** Newest first by `at`, then last written first; at most `limit`, and at most `bytes` of JSON, one at least. */
  list(filter: AuditFilter, limit: number, bytes?: number): Promise<BoundedPage<KeptAuditEntry>>
  /** Removes up to `limit` entries from before a moment, oldest first. `more`: there may be others. */
  remove(before: number, limit: number): Promise<RemovalStep>
}
