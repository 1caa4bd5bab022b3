import type { ConversationId, WebhookEndpointId, WebhookEvent } from '@colloquy/core'
import { boundedPage, newDelivery, type WebhookStore } from '@colloquy/core/store'
import type { AuditTrail } from '../audit/audit-store.ts'
import { unitsOf } from '../conversations/removal-units.ts'
import { behind } from '../database/created-order.ts'
import type { Session } from '../database/session.ts'
import {
  flag,
  fromDelivery,
  fromEndpoint,
  fromEvent,
  toDelivery,
  toEndpoint,
  toEvent,
} from './webhook-rows.ts'
import { type DeliveryRow, type WebhookStatements, webhookStatements } from './webhook-statements.ts'

/** The place behind which the first page begins: no delivery is newer. */
const FIRST = { createdAt: Number.MAX_SAFE_INTEGER, eventId: '' }

const toListed = (row: DeliveryRow, endpointId: WebhookEndpointId) => ({
  delivery: toDelivery(row, endpointId),
  event: { type: row.type, conversationId: row.conversation_id },
})

/** Keeps an event, as it is, for endpoints given by their rows. To be called inside a write. */
function keepFor(run: WebhookStatements, event: WebhookEvent, endpoints: readonly WebhookRow[]): void {
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

/** Webhook endpoints and deliveries in SQLite, and the way in for the events of conversations. */
export function createWebhookStore(
  { define, read, write }: Session,
  trail: AuditTrail,
): {
  readonly store: WebhookStore
  readonly outbox: Outbox
} {
  const run = webhookStatements(define)

  const store: WebhookStore = {
    async createEndpoint(endpoint, limit, entry) {
      const keep = trail.keeping(entry)
      const row = fromEndpoint(endpoint)
      return write('create a webhook endpoint', () => {
        if (run.endpoint.get({ id: row.id }) !== undefined) return 'taken'
        if (run.insertEndpoint.run({ ...row, limit }).changes !== 1) return 'full'
        keep()
        return 'created'
      })
    },
    endpoint: (accountId, id) =>
      read('read a webhook endpoint', () => {
        const row = run.endpoint.get({ id })
        return row?.account_id === accountId ? toEndpoint(row) : null
      }),
    endpoints: async (accountId, { enabled, eventType = null, ...place }, limit) => {
      const wanted = enabled === undefined ? null : flag(enabled)
      const conditions = { accountId, enabled: wanted, eventType, ...behind(place, limit) }
      return read('list webhook endpoints', () => run.endpoints.all(conditions).map(toEndpoint))
    },
    async updateEndpoint(expectedVersion, next, entry) {
      const keep = trail.keeping(entry)
      const row = fromEndpoint(next)
      return write('update a webhook endpoint', () => {
        if (run.updateEndpoint.run({ ...row, expectedVersion }).changes !== 1) return 'stale'
        keep()
        return 'written'
      })
    },
    async deleteEndpoint(accountId, id, entry) {
      const keep = trail.keeping(entry)
      return write('delete a webhook endpoint', () => {
        if (run.deleteEndpoint.run({ accountId, id }).changes !== 1) return false
        keep()
        return true
      })
    },

    async keepEvent(event, endpointId) {
      const kept = { ...event }
      return write('keep a webhook event', () => {
        const endpoint = run.endpoint.get({ id: endpointId })
        if (endpoint === undefined) return 'missing'
        keepFor(run, kept, [endpoint])
        return 'kept'
      })
    },
    dueEndpoints: (now, limit) =>
      read('look for due webhooks', () => run.dueEndpoints.all({ now, limit }).map(({ id }) => id)),
    claimDeliveries: (endpointId, now, limit, until) =>
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
    async hastenDeliveries(now, { waiting, inFlight }, limit) {
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
    async updateDelivery(expectedVersion, next) {
      const row = fromDelivery(next)
      const { endpointId } = next
      return write('update a webhook delivery', () =>
        run.updateDelivery.run({ ...row, endpointId, expectedVersion }).changes === 1 ? 'written' : 'stale',
      )
    },
    delivery: (endpointId, eventId) =>
      read('read a webhook delivery', () => {
        const row = run.delivery.get({ endpointId, eventId })
        return row === undefined ? null : toListed(row, endpointId)
      }),
    deliveries: ({ endpointId, status, after = FIRST }, limit, bytes) =>
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

  return {
    store,
    outbox: {
      keep: event =>
        keepFor(run, event, run.subscribed.all({ accountId: event.accountId, type: event.type })),
      forget(conversationId, units) {
        let left = units
        for (const { row, bytes, deliveries } of run.eventsOf.all({ conversationId, limit: left })) {
          if (left <= 0) break
          run.deleteEvent.run({ row })
          left -= unitsOf(bytes) + deliveries
        }
        return Math.max(left, 0)
      },
    },
  }
}
