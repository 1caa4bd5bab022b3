import type { AuditEntry } from '../../domain/audit/audit.ts'
import type { WebhookEvent } from '../../domain/webhook/webhook.ts'

/**
 * Audit entry and webhook events that are stored in the same transaction as the write they describe: all of them if the
 * write changes something, otherwise nothing. If they cannot be stored, the write fails. Of racing writes, the winner's
 * outbox is stored.
 */
export interface Outbox {
  /** Stored in the audit log (`AuditStore`). */
  readonly audit?: AuditEntry
  /**
   * Each is stored with a pending delivery, due at `at`, for every endpoint of its account that is enabled and
   * subscribed to its type at this instant. Without such an endpoint the event is not stored (`WebhookDeliveryStore`).
   */
  readonly webhooks?: readonly WebhookEvent[]
}
