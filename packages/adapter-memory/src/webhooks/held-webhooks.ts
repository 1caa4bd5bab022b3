import type {
  ConversationId,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEvent,
  WebhookEventId,
  WebhookExchange,
} from '@colloquy/core'
import { newDelivery } from '@colloquy/core/store'
import { oldestFirst } from '../order.ts'

/** An event with its deliveries, by endpoint. */
export interface HeldEvent {
  readonly event: WebhookEvent
  readonly deliveries: Map<WebhookEndpointId, WebhookDelivery>
  /** What is kept of the newest attempt to each. */
  readonly exchanges: Map<WebhookEndpointId, WebhookExchange>
}

/** Endpoints and events that are held, and what is done with them in more than one place. */
export interface HeldWebhooks {
  readonly endpoints: Map<WebhookEndpointId, WebhookEndpoint>
  readonly events: Map<WebhookEventId, HeldEvent>
  /** Oldest first. */
  endpointsOf(accountId: string): readonly WebhookEndpoint[]
  /** Keeps an event with a delivery to each of these, if there is one. */
  keepFor(event: WebhookEvent, ids: readonly WebhookEndpointId[]): void
  /** Keeps an event for the endpoints that want it. */
  keep(event: WebhookEvent): void
  /** Removes what is kept of a conversation. */
  forget(conversationId: ConversationId): void
}

/** Holds nothing yet. */
export function holdWebhooks(): HeldWebhooks {
  const endpoints = new Map<WebhookEndpointId, WebhookEndpoint>()
  const events = new Map<WebhookEventId, HeldEvent>()

  const endpointsOf = (accountId: string) =>
    oldestFirst(endpoints.values()).filter(endpoint => endpoint.accountId === accountId)
  const keepFor = (event: WebhookEvent, ids: readonly WebhookEndpointId[]): void => {
    const deliveries = new Map(ids.map(id => [id, newDelivery(event, id)]))
    if (deliveries.size > 0) events.set(event.id, { event, deliveries, exchanges: new Map() })
  }

  const keep = (event: WebhookEvent): void => {
    const wanted = endpointsOf(event.accountId).filter(({ enabled, eventTypes }) => {
      return enabled && eventTypes.some(type => type === event.type)
    })
    keepFor(
      event,
      wanted.map(({ id }) => id),
    )
  }
  const forget = (conversationId: ConversationId): void => {
    for (const { event } of events.values())
      if (event.conversationId === conversationId) events.delete(event.id)
  }
  return { endpoints, events, endpointsOf, keepFor, keep, forget }
}
