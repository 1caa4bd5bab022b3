import type { AuditEntry } from '../../domain/audit/audit.ts'
import type { WebhookEvent } from '../../domain/webhook/webhook.ts'

/**
 * What a write tells of itself, kept by the very write that it tells of: all of it exactly when that changes something,
 * and nothing of it otherwise. Where one of it cannot be kept, the write is not made. Of racing writes the outbox of
 * the one that wins is kept.
 */
export interface Outbox {
  /** Kept in the audit log (`AuditStore`). */
  readonly audit?: AuditEntry
  /**
   * Each is kept with a pending delivery, due at `at`, to every endpoint of its account that is enabled and subscribed
   * to its type at this instant; without any such endpoint nothing is kept of it (`WebhookDeliveryStore`).
   */
  readonly webhooks?: readonly WebhookEvent[]
}
