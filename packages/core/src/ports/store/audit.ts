import type { AuditAction, AuditEntry } from '../../domain/audit/audit.ts'
import type { BoundedPage } from '../../domain/bounded-page.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { RemovalStep } from './removals.ts'

/**
 * An entry with its sequence: the later an entry was written, the greater its sequence. Among entries of several
 * processes, as far as their clocks agree.
 */
export interface KeptAuditEntry {
  readonly sequence: number
  readonly entry: AuditEntry
}

/** The filter for entries. All given conditions must hold. */
export interface AuditFilter {
  readonly accountId?: AccountId
  readonly agentId?: AgentId
  readonly action?: AuditAction
  readonly resourceId?: string
  /** At this moment or later. */
  readonly since?: number
  /** Before this moment. */
  readonly until?: number
  /** Only entries after this position in the order of the list. */
  readonly after?: AuditPosition
}

/** A position in the order of the list. */
export interface AuditPosition {
  readonly at: number
  readonly sequence: number
}

/**
 * The audit log. Most entries are kept together with the write that they describe (`Outbox.audit`).
 *
 * Append-only: entries never change, and only `remove` deletes them. Values are copied in and out.
 */
export interface AuditStore {
  /** Adds an entry that does not belong to a write. */
  append(entry: AuditEntry): Promise<void>
  /** Newest first by `at`, then last written first; at most `limit`, and at most `bytes` of JSON, one at least. */
  list(filter: AuditFilter, limit: number, bytes?: number): Promise<BoundedPage<KeptAuditEntry>>
  /** Removes up to `limit` entries older than `before`, oldest first. `more`: there may be others. */
  remove(before: number, limit: number): Promise<RemovalStep>
}
