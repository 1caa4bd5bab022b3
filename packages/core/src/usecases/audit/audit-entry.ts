import { type AuditAction, type AuditEntry, resourceTypeOf } from '../../domain/audit/audit.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Acting } from '../context.ts'

/** The subject of an entry. */
export interface Subject {
  /** Null for what concerns no account in particular. */
  readonly accountId: AccountId | null
  /** @default null */
  readonly agentId?: AgentId | null
  /** Null for what concerns many. */
  readonly resourceId: string | null
  /**
   * Only what is picked field by field: no secret, and nothing that a later field of a shape could make one.
   * @default {}
   */
  readonly details?: JsonObject
}

/** Returns the entry about the caller's current act. It goes with the write of that act. */
export function auditEntry(
  { caller, clock, ids }: Pick<Acting, 'caller' | 'clock' | 'ids'>,
  action: AuditAction,
  { accountId, agentId = null, resourceId, details = {} }: Subject,
): AuditEntry {
  const { correlationId, type, id, name } = caller
  return {
    id: `AUDIT-${ids.short()}`,
    at: clock.now(),
    actor: { type, id, name },
    action,
    accountId,
    agentId,
    resource: { type: resourceTypeOf(action), id: resourceId },
    details,
    correlationId,
  }
}
