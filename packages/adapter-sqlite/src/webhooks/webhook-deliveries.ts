import type { WebhookEndpointId } from '@colloquy/core'
import { boundedPage, type WebhookDeliveryStore } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { keepFor } from './keep-events.ts'
import { fromDelivery, fromExchange, toDelivery, toEndpoint, toEvent, toExchange } from './webhook-rows.ts'
import type { DeliveryRow, WebhookStatements } from './webhook-statements.ts'

/** The place behind which the first page begins: no delivery is newer. */
const FIRST = { createdAt: Number.MAX_SAFE_INTEGER, eventId: '' }

const toListed = (row: DeliveryRow, endpointId: WebhookEndpointId) => ({
  delivery: toDelivery(row, endpointId),
  event: { type: row.type, conversationId: row.conversation_id },
})

/** Webhook events with their deliveries in SQLite. */
export function deliveryMethods({ read, write }: Session, run: WebhookStatements): WebhookDeliveryStore {
  return {
    async keepEvent(event, endpointId) {
      const kept = { ...event }
      return write('keep a webhook event', () => {
        const endpoint = run.endpoint.get({ id: endpointId })
        if (endpoint === undefined) return 'missing'
        keepFor(run, kept, [endpoint])
        return 'kept'
      })
    },
    nextDue: () => read('look for the next webhook', () => run.nextDue.get({})?.at ?? null),
    dueEndpoints: (now, limit) =>
      read('look for due webhooks', () => run.dueEndpoints.all({ now, limit }).map(({ id }) => id)),
    claim: (endpointId, now, limit, until) =>
      write('claim due webhooks', () => {
        const endpointRow = run.endpoint.get({ id: endpointId })
        if (endpointRow?.enabled !== 1) return []
        const endpoint = toEndpoint(endpointRow)
        return run.due.all({ endpoint: endpointRow.row, now, limit }).flatMap(row => {
          const event = run.event.get({ row: row.event })
          if (event === undefined) return []
          run.claim.run({ row: row.row, until })
          const claimed = { ...row, in_flight: 1 as const, due_at: until, version: row.version + 1 }
          return [{ delivery: toDelivery(claimed, endpointId), event: toEvent(event), endpoint }]
        })
      }),
    async hasten(now, { waiting, inFlight }, limit) {
      const operation = 'hasten webhook deliveries'
      const reach = { now, inFlight, waiting: JSON.stringify(waiting) }
      const some = await read(operation, () => run.late.get({ ...reach, limit: 1 }) !== undefined)
      if (!some) return 0
      return write(operation, () => {
        const late = run.late.all({ ...reach, limit })
        for (const { row, furthest } of late) run.setDue.run({ row, dueAt: furthest })
        return late.length
      })
    },
    async update(expectedVersion, next, exchange) {
      const row = { ...fromDelivery(next), exchange: fromExchange(exchange) }
      const { endpointId } = next
      return write('update a webhook delivery', () =>
        run.updateDelivery.run({ ...row, endpointId, expectedVersion }).changes === 1 ? 'written' : 'stale',
      )
    },
    find: (endpointId, eventId) =>
      read('read a webhook delivery', () => {
        const row = run.delivery.get({ endpointId, eventId })
        if (row === undefined) return null
        const event = toEvent({ ...row, id: row.event_id })
        return { delivery: toDelivery(row, endpointId), event, exchange: toExchange(row) }
      }),
    list: ({ endpointId, status, after = FIRST }, limit, bytes) =>
      read('list webhook deliveries', () => {
        const { createdAt, eventId } = after
        const place = { endpointId, createdAt, eventId, limit: limit + 1 }
        const rows =
          status === undefined ? run.deliveries.each(place) : run.deliveriesIn.each({ ...place, status })
        return boundedPage(rows, row => toListed(row, endpointId), limit, bytes)
      }),
    async forgetEvents(before, limit) {
      const operation = 'forget webhook events'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.forgettable.get({ before, limit: 1 }) !== undefined)
      if (!some) return 0
      return write(operation, () => {
        const events = run.forgettable.all({ before, limit })
        for (const { row } of events) run.deleteEvent.run({ row })
        return events.length
      })
    },
  }
}
