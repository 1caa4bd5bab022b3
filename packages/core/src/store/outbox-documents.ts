import type { AccountId } from '../domain/ids.ts'
import { newDelivery, type WebhookEndpoint, type WebhookEvent } from '../domain/webhook/webhook.ts'
import type { Outbox } from '../ports/store/outbox.ts'
import type { Batch } from './documents.ts'
import { AUDIT_ENTRY, type HeldDelivery, WEBHOOK_DELIVERY, WEBHOOK_EVENT } from './kinds.ts'

/** Returns the delivery of a new event to an endpoint. */
export const heldDelivery = (event: WebhookEvent, endpointId: string): HeldDelivery => ({
  ...newDelivery(event, endpointId),
  type: event.type,
  conversationId: event.conversationId,
  exchange: null,
  writes: 1,
})

/** Returns the documents of an outbox, for the transaction of its write. */
export function outboxDocuments(
  { audit: entry, webhooks = [] }: Outbox,
  {
    nextSequence,
    enabledOf,
  }: {
    readonly nextSequence: () => number
    /** The endpoints of an account that are enabled now. */
    readonly enabledOf: (accountId: AccountId) => readonly WebhookEndpoint[]
  },
): NonNullable<Batch['put']> {
  const events = webhooks.flatMap(event => {
    const wanting = enabledOf(event.accountId).filter(({ eventTypes }) =>
      eventTypes.some(type => type === event.type),
    )
    const deliveries = wanting.map(({ id }) => ({ kind: WEBHOOK_DELIVERY, value: heldDelivery(event, id) }))
    return deliveries.length === 0 ? [] : [{ kind: WEBHOOK_EVENT, value: event }, ...deliveries]
  })
  if (entry === undefined) return events
  return [{ kind: AUDIT_ENTRY, value: { sequence: nextSequence(), entry } }, ...events]
}
