import type { ConversationId } from '@colloquy/core'
import type { Outbox } from '@colloquy/core/store'
import type { AuditTrail } from './audit.ts'
import type { HeldWebhooks } from './webhooks/held-webhooks.ts'

/** What writes need to keep what they tell of themselves. */
export interface OutboxKeeper {
  /** Keeps all of it, if there is any. */
  keep(outbox: Outbox | undefined): void
  /** Removes the webhook events that are kept of a conversation. */
  forget(conversationId: ConversationId): void
}

/** Keeps entries in the audit log, and events with the webhooks. */
export const createOutboxKeeper = (trail: AuditTrail, webhooks: HeldWebhooks): OutboxKeeper => ({
  keep({ audit, webhooks: events = [] } = {}) {
    if (audit !== undefined) trail.keep(audit)
    for (const event of events) webhooks.keep(event)
  },
  forget: webhooks.forget,
})
