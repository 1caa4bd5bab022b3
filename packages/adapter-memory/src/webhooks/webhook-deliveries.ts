import type { WebhookDelivery, WebhookEndpointId, WebhookEvent } from '@colloquy/core'
import { boundedPage, type WebhookDeliveryStore } from '@colloquy/core/store'
import { comparePlaces, inOrder, type Place } from '../order.ts'
import type { HeldWebhooks } from './held-webhooks.ts'

const isDue = ({ dueAt }: WebhookDelivery, now: number): boolean => dueAt !== null && dueAt <= now
const place = ({ createdAt, eventId }: Pick<WebhookDelivery, 'createdAt' | 'eventId'>): Place => [
  createdAt,
  eventId,
]

const listed = (delivery: WebhookDelivery, { type, conversationId }: WebhookEvent) => ({
  delivery,
  event: { type, conversationId },
})

/** Webhook events with their deliveries. Every method runs without a pause. */
export function deliveryMethods({ endpoints, events, keepFor }: HeldWebhooks): WebhookDeliveryStore {
  const deliveriesTo = (id: WebhookEndpointId) =>
    [...events.values()].flatMap(({ event, deliveries }) => {
      const delivery = deliveries.get(id)
      return delivery === undefined ? [] : [{ delivery, event }]
    })
  const replace = (delivery: WebhookDelivery): void => {
    events.get(delivery.eventId)?.deliveries.set(delivery.endpointId, delivery)
  }

  return {
    async keepEvent(event, endpointId) {
      if (!endpoints.has(endpointId)) return 'missing'
      keepFor(event, [endpointId])
      return 'kept'
    },
    async nextDue() {
      const enabled = [...endpoints.values()].filter(endpoint => endpoint.enabled)
      const moments = enabled.flatMap(({ id }) => deliveriesTo(id).map(({ delivery }) => delivery.dueAt))
      return moments.filter(moment => moment !== null).sort((one, other) => one - other)[0] ?? null
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
    async claim(endpointId, now, limit, until) {
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
    async hasten(now, { waiting, inFlight }, limit) {
      const furthest = (delivery: WebhookDelivery): number =>
        now + (delivery.inFlight ? inFlight : (waiting[delivery.attempts] ?? waiting.at(-1) ?? 0))
      const late = [...events.values()]
        .flatMap(({ deliveries }) => [...deliveries.values()])
        .filter(delivery => delivery.dueAt !== null && delivery.dueAt > furthest(delivery))
        .slice(0, limit)
      for (const delivery of late) replace({ ...delivery, dueAt: furthest(delivery) })
      return late.length
    },
    async update(expectedVersion, next, exchange) {
      const held = events.get(next.eventId)
      if (held?.deliveries.get(next.endpointId)?.version !== expectedVersion) return 'stale'
      replace(next)
      if (exchange !== undefined) held.exchanges.set(next.endpointId, exchange)
      return 'written'
    },
    async find(endpointId, eventId) {
      const held = events.get(eventId)
      const delivery = held?.deliveries.get(endpointId)
      if (held === undefined || delivery === undefined) return null
      return { delivery, event: held.event, exchange: held.exchanges.get(endpointId) ?? null }
    },
    async list({ endpointId, status, after }, limit, bytes) {
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
}
