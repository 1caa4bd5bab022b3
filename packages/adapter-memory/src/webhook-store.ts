import type {
  ConversationId,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEvent,
  WebhookEventId,
} from '@colloquy/core'
import type { WebhookStore } from '@colloquy/core/store'
import { boundedPage, newDelivery } from '@colloquy/core/store'
import type { AuditTrail } from './audit-store.ts'
import { behind, comparePlaces, inOrder, oldestFirst, type Place } from './order.ts'

/** An event with its deliveries, by endpoint. */
interface HeldEvent {
  readonly event: WebhookEvent
  readonly deliveries: Map<WebhookEndpointId, WebhookDelivery>
}

const isDue = ({ dueAt }: WebhookDelivery, now: number): boolean => dueAt !== null && dueAt <= now
const place = ({ createdAt, eventId }: Pick<WebhookDelivery, 'createdAt' | 'eventId'>): Place => [
  createdAt,
  eventId,
]

/** What a conversation's write needs to keep its webhook events. */
export interface Outbox {
  /** Keeps an event for the endpoints that want it. */
  keep(event: WebhookEvent): void
  /** Removes what is kept of a conversation. */
  forget(conversationId: ConversationId): void
}

/** Webhook endpoints and deliveries, and the way in for the events of conversations. Every method runs without a pause. */
export function createWebhookStore(trail: AuditTrail): {
  readonly store: WebhookStore
  readonly outbox: Outbox
} {
  const endpoints = new Map<WebhookEndpointId, WebhookEndpoint>()
  const events = new Map<WebhookEventId, HeldEvent>()

  const endpointsOf = (accountId: string) =>
    oldestFirst(endpoints.values()).filter(endpoint => endpoint.accountId === accountId)
  const deliveriesTo = (id: WebhookEndpointId) =>
    [...events.values()].flatMap(({ event, deliveries }) => {
      const delivery = deliveries.get(id)
      return delivery === undefined ? [] : [{ delivery, event }]
    })
  const replace = (delivery: WebhookDelivery): void => {
    events.get(delivery.eventId)?.deliveries.set(delivery.endpointId, delivery)
  }
  const keepFor = (event: WebhookEvent, ids: readonly WebhookEndpointId[]): void => {
    const deliveries = new Map(ids.map(id => [id, newDelivery(event, id)]))
    if (deliveries.size > 0) events.set(event.id, { event, deliveries })
  }

  const outbox: Outbox = {
    keep(event) {
      const wanted = endpointsOf(event.accountId).filter(({ enabled, eventTypes }) => {
        return enabled && eventTypes.some(type => type === event.type)
      })
      keepFor(
        event,
        wanted.map(({ id }) => id),
      )
    },
    forget(conversationId) {
      for (const { event } of events.values())
        if (event.conversationId === conversationId) events.delete(event.id)
    },
  }

  const store: WebhookStore = {
    async createEndpoint(endpoint, limit, entry) {
      if (endpoints.has(endpoint.id)) return 'taken'
      if (endpointsOf(endpoint.accountId).length >= limit) return 'full'
      endpoints.set(endpoint.id, endpoint)
      trail.keep(entry)
      return 'created'
    },
    async endpoint(accountId, id) {
      const endpoint = endpoints.get(id)
      return endpoint?.accountId === accountId ? endpoint : null
    },
    async endpoints(accountId, { enabled, eventType, ...place }, limit) {
      const wanted = endpointsOf(accountId).filter(endpoint => {
        if (enabled !== undefined && endpoint.enabled !== enabled) return false
        return eventType === undefined || endpoint.eventTypes.includes(eventType)
      })
      return behind(wanted, place).slice(0, limit)
    },
    async updateEndpoint(expectedVersion, next, entry) {
      if (endpoints.get(next.id)?.version !== expectedVersion) return 'stale'
      endpoints.set(next.id, next)
      trail.keep(entry)
      return 'written'
    },
    async deleteEndpoint(accountId, id, entry) {
      if (endpoints.get(id)?.accountId !== accountId) return false
      for (const { deliveries } of events.values()) deliveries.delete(id)
      trail.keep(entry)
      return endpoints.delete(id)
    },

    async keepEvent(event, endpointId) {
      if (!endpoints.has(endpointId)) return 'missing'
      keepFor(event, [endpointId])
      return 'kept'
    },
    async dueEndpoints(now, limit) {
      const due = [...endpoints.values()].flatMap(
        ({ id, enabled }): { id: WebhookEndpointId; at: number }[] => {
          const moments = deliveriesTo(id).flatMap(({ delivery }) => {
            return delivery.dueAt !== null && isDue(delivery, now) ? [delivery.dueAt] : []
          })
          return enabled && moments.length > 0 ? [{ id, at: Math.min(...moments) }] : []
        },
      )
      return inOrder(due, ({ id, at }) => [at, id])
        .slice(0, limit)
        .map(({ id }) => id)
    },
    async claimDeliveries(endpointId, now, limit, until) {
      const endpoint = endpoints.get(endpointId)
      if (!endpoint?.enabled) return []
      const due = deliveriesTo(endpointId).filter(({ delivery }) => isDue(delivery, now))
      const first = inOrder(due, ({ delivery }) => [delivery.dueAt ?? 0, delivery.eventId]).slice(0, limit)
      return first.map(({ delivery, event }) => {
        const claimed = { ...delivery, inFlight: true, dueAt: until, version: delivery.version + 1 }
        replace(claimed)
        return { delivery: claimed, event, endpoint }
      })
    },
    async hastenDeliveries(now, { waiting, inFlight }, limit) {
      const furthest = (delivery: WebhookDelivery): number =>
        now + (delivery.inFlight ? inFlight : (waiting[delivery.attempts] ?? waiting.at(-1) ?? 0))
      const late = [...events.values()]
        .flatMap(({ deliveries }) => [...deliveries.values()])
        .filter(delivery => delivery.dueAt !== null && delivery.dueAt > furthest(delivery))
        .slice(0, limit)
      for (const delivery of late) replace({ ...delivery, dueAt: furthest(delivery) })
      return late.length
    },
    async updateDelivery(expectedVersion, next) {
      const stored = events.get(next.eventId)?.deliveries.get(next.endpointId)
      if (stored?.version !== expectedVersion) return 'stale'
      replace(next)
      return 'written'
    },
    async delivery(endpointId, eventId) {
      const held = events.get(eventId)
      const delivery = held?.deliveries.get(endpointId)
      return held === undefined || delivery === undefined ? null : listed(delivery, held.event)
    },
    async deliveries({ endpointId, status, after }, limit, bytes) {
      const wanted = deliveriesTo(endpointId).filter(({ delivery }) => {
        const follows = after === undefined || comparePlaces(place(delivery), place(after)) < 0
        return follows && (status === undefined || delivery.status === status)
      })
      const newestFirst = inOrder(wanted, ({ delivery }) => place(delivery)).reverse()
      return boundedPage(newestFirst, ({ delivery, event }) => listed(delivery, event), limit, bytes)
    },
    async forgetEvents(before, limit) {
      const settled = [...events.values()].filter(({ event, deliveries }) => {
        return event.at < before && [...deliveries.values()].every(({ status }) => status !== 'pending')
      })
      const gone = inOrder(settled, ({ event }) => [event.at, event.id]).slice(0, limit)
      for (const { event } of gone) events.delete(event.id)
      return gone.length
    },
  }

  return { store, outbox }
}

const listed = (delivery: WebhookDelivery, { type, conversationId }: WebhookEvent) => ({
  delivery,
  event: { type, conversationId },
})
