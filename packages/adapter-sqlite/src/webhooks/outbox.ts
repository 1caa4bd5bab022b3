import type { ConversationId, WebhookEndpointId, WebhookEvent } from '@colloquy/core'
import { newDelivery } from '@colloquy/core/store'
import { unitsOf } from '../conversations/removal-units.ts'
import { fromDelivery, fromEvent } from './webhook-rows.ts'
import type { WebhookStatements } from './webhook-statements.ts'

/** Keeps an event, as it is, for endpoints given by their rows. To be called inside a write. */
export function keepFor(run: WebhookStatements, event: WebhookEvent, endpoints: readonly WebhookRow[]): void {
  if (endpoints.length === 0) return
  const { row } = run.insertEvent.run(fromEvent(event))
  for (const endpoint of endpoints) {
    const delivery = fromDelivery(newDelivery(event, endpoint.id))
    run.insertDelivery.run({ ...delivery, event: row, endpoint: endpoint.row })
  }
}

interface WebhookRow {
  readonly row: number
  readonly id: WebhookEndpointId
}

/** What a conversation's write needs to keep its webhook events. */
export interface Outbox {
  /** Keeps an event for the endpoints that want it. To be called inside a write. */
  keep(event: WebhookEvent): void
  /**
   * Removes what is kept of a conversation, as far as so many units allow (see `UNITS_OF_A_STEP`), and returns how many are left: 0 when
   * something may be left. To be called inside a write.
   */
  forget(conversationId: ConversationId, units: number): number
}

/** The way in for the events of conversations. */
export const createOutbox = (run: WebhookStatements): Outbox => ({
  keep: event => keepFor(run, event, run.subscribed.all({ accountId: event.accountId, type: event.type })),
  forget(conversationId, units) {
    let left = units
    for (const { row, bytes, deliveries } of run.eventsOf.all({ conversationId, limit: left })) {
      if (left <= 0) break
      run.deleteEvent.run({ row })
      left -= unitsOf(bytes) + deliveries
    }
    return Math.max(left, 0)
  },
})
