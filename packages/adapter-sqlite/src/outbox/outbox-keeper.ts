import type { ConversationId } from '@colloquy/core'
import { AUDIT_ENTRY, createSequence, type Outbox, rowOf } from '@colloquy/core/store'
import { unitsOf } from '../conversations/removal-units.ts'
import type { Define } from '../database/statements.ts'
import { documentStatements } from '../documents/statements.ts'
import { keepFor } from '../webhooks/keep-events.ts'
import type { WebhookStatements } from '../webhooks/webhook-statements.ts'

/** What writes need to keep what they tell of themselves. */
export interface OutboxKeeper {
  /**
   * Reads all of it now, if there is any. What comes back keeps it, and is to be called inside the write that it tells
   * of.
   */
  keeping(outbox: Outbox | undefined): () => void
  /**
   * Removes the webhook events that are kept of a conversation, as far as the units allow (see `UNITS_OF_A_STEP`), and
   * returns how many are left: 0 when something may be left. To be called inside a write.
   */
  forget(conversationId: ConversationId, units: number): number
}

const keepNothing = (): void => {}

/** Keeps entries in the audit log, and events with the webhooks. */
export function createOutboxKeeper(define: Define, webhooks: WebhookStatements): OutboxKeeper {
  const entries = documentStatements(define, AUDIT_ENTRY)
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())
  return {
    keeping({ audit: entry, webhooks: given = [] } = {}) {
      if (entry === undefined && given.length === 0) return keepNothing
      const row = entry && rowOf(AUDIT_ENTRY, { sequence: nextSequence(), entry })
      const events = given.map(event => ({ ...event }))
      return () => {
        if (row !== undefined) entries.put.run(row)
        for (const event of events)
          keepFor(webhooks, event, webhooks.subscribed.all({ accountId: event.accountId, type: event.type }))
      }
    },
    forget(conversationId, units) {
      let left = units
      for (const { row, bytes, deliveries } of webhooks.eventsOf.all({ conversationId, limit: left })) {
        if (left <= 0) break
        webhooks.deleteEvent.run({ row })
        left -= unitsOf(bytes) + deliveries
      }
      return Math.max(left, 0)
    },
  }
}
