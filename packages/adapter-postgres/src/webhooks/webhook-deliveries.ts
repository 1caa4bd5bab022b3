import type { WebhookEndpointId } from '@colloquy/core'
import { boundedPage, type WebhookDeliveryStore } from '@colloquy/core/store'
import { fromJsonOfRow } from '../database/json.ts'
import {
  type EndpointRow,
  fromDelivery,
  fromEvent,
  fromExchange,
  toDelivery,
  toEndpoint,
  toEvent,
  toExchange,
} from './webhook-rows.ts'
import type { ListedRow, WebhookStatements } from './webhook-statements.ts'

/** The place behind which the first page begins: no delivery is newer. */
const FIRST = { createdAt: Number.MAX_SAFE_INTEGER, eventId: '' }

const toListed = (row: ListedRow, endpointId: WebhookEndpointId) => ({
  delivery: toDelivery(row, endpointId),
  event: { type: row.type, conversationId: row.conversation_id },
})

/** Webhook events with their deliveries in PostgreSQL. */
export function deliveryMethods(run: WebhookStatements): WebhookDeliveryStore {
  return {
    async keepEvent(event, endpointId) {
      const kept = await run.keepEvent.get({ ...fromEvent(event), endpointId })
      return kept === undefined ? 'missing' : 'kept'
    },
    nextDue: async () => (await run.nextDue.get({}))?.at ?? null,
    dueEndpoints: async (now, limit) => (await run.dueEndpoints.all({ now, limit })).map(({ id }) => id),
    async claim(endpointId, now, limit, until) {
      const claimed = await run.claim.all({ endpointId, now, limit, until })
      return claimed.map(one => ({
        delivery: toDelivery(one, endpointId),
        event: toEvent({ ...one, id: one.event_id }),
        endpoint: toEndpoint(fromJsonOfRow<EndpointRow>(one.endpoint)),
      }))
    },
    async hasten(now, { waiting, inFlight }, limit) {
      return (await run.hasten.all({ now, inFlight, waiting, limit })).length
    },
    async update(expectedVersion, next, exchange) {
      const kept = { ...fromDelivery(next), exchange: fromExchange(exchange) }
      const row = { ...kept, endpointId: next.endpointId }
      return (await run.updateDelivery.get({ ...row, expectedVersion })) === undefined ? 'stale' : 'written'
    },
    async find(endpointId, eventId) {
      const row = await run.delivery.get({ endpointId, eventId })
      if (row === undefined) return null
      const event = toEvent({ ...row, id: row.event_id })
      return { delivery: toDelivery(row, endpointId), event, exchange: toExchange(row) }
    },
    async list({ endpointId, status, after = FIRST }, limit, bytes) {
      const { createdAt, eventId } = after
      const place = { endpointId, createdAt, eventId, limit: limit + 1 }
      const rows =
        status === undefined
          ? await run.deliveries.all(place)
          : await run.deliveriesIn.all({ ...place, status })
      return boundedPage(rows, row => toListed(row, endpointId), limit, bytes)
    },
    forgetEvents: async (before, limit) => (await run.forgetEvents.all({ before, limit })).length,
  }
}
