import { boundedPage } from '../../domain/bounded-page.ts'
import type { WebhookEndpointId } from '../../domain/ids.ts'
import type { WebhookDelivery, WebhookEvent } from '../../domain/webhook/webhook.ts'
import type { DeliveryReach, WebhookDeliveryStore } from '../../ports/store/webhook-deliveries.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { type HeldDelivery, WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT, WEBHOOK_EVENT } from '../kinds.ts'
import { heldDelivery } from '../outbox-documents.ts'

/** The number of waiting deliveries to read at a time. */
const LOOKED_AT_ONCE = 100

/** An endpoint that waits for the earliest of its deliveries. */
interface Waiting {
  readonly id: WebhookEndpointId
  readonly dueAt: number
}

const toDelivery = ({
  type: _,
  conversationId: __,
  exchange: ___,
  writes: ____,
  ...delivery
}: HeldDelivery): WebhookDelivery => delivery

const rewritten = (held: HeldDelivery, changes: Partial<HeldDelivery>): HeldDelivery => ({
  ...held,
  ...changes,
  writes: held.writes + 1,
})

const written = (values: readonly HeldDelivery[]) => values.map(value => ({ kind: WEBHOOK_DELIVERY, value }))

const unwritten = (values: readonly HeldDelivery[]) => values.map(held => unchanged(WEBHOOK_DELIVERY, held))

/** Returns the latest time at which a delivery may be due. */
const furthest = ({ attempts, inFlight }: HeldDelivery, now: number, reach: DeliveryReach): number =>
  now + (inFlight ? reach.inFlight : (reach.waiting[attempts] ?? reach.waiting.at(-1) ?? 0))

/**
 * Returns the enabled endpoints with waiting deliveries, by id. It goes from one endpoint to the next, however many
 * wait for each.
 */
async function waiting({ get, scan }: Guarded): Promise<readonly Waiting[]> {
  const found = new Map<WebhookEndpointId, number>()
  for (let after: readonly (string | number)[] | undefined; ; ) {
    const page = await scan(WEBHOOK_DELIVERY, 'due', { prefix: [], after, limit: LOOKED_AT_ONCE })
    for (const { dueAt, endpointId } of page)
      if (dueAt !== null && !found.has(endpointId)) found.set(endpointId, dueAt)
    const last = page.at(-1)
    if (last === undefined || page.length < LOOKED_AT_ONCE) break
    after = [last.endpointId, Number.MAX_SAFE_INTEGER, '', '']
  }
  const endpoints = await get(WEBHOOK_ENDPOINT, [...found.keys()])
  return [...found].flatMap(([id, dueAt], at) => (endpoints[at]?.enabled ? [{ id, dueAt }] : []))
}

/** Returns the oldest events that may be forgotten, and their deliveries. */
async function forgettable({ scan }: Guarded, before: number, limit: number) {
  const events: WebhookEvent[] = []
  const deliveries: HeldDelivery[] = []
  for (let after: readonly (string | number)[] | undefined; ; ) {
    const range = { prefix: [], through: before - 1 }
    const page = await scan(WEBHOOK_EVENT, 'time', { ...range, after, limit })
    const [first, last] = [page[0], page.at(-1)]
    if (first === undefined || last === undefined) break
    const theirs = await scan(WEBHOOK_DELIVERY, 'time', { prefix: [], from: first.at, through: last.at })
    const pending = new Set(theirs.flatMap(one => (one.status === 'pending' ? [one.eventId] : [])))
    const over = page.filter(({ id }) => !pending.has(id)).slice(0, limit - events.length)
    const ids = new Set(over.map(({ id }) => id))
    events.push(...over)
    deliveries.push(...theirs.filter(({ eventId }) => ids.has(eventId)))
    if (events.length === limit || page.length < limit) break
    after = [last.at, last.id]
  }
  return { events, deliveries }
}

/** Returns the methods for those who send deliveries. */
function sendingOver(
  over: Guarded,
): Pick<WebhookDeliveryStore, 'nextDue' | 'dueEndpoints' | 'claim' | 'hasten'> {
  const { decided, get, one, scan, scanFor } = over
  return {
    async nextDue() {
      const moments = (await waiting(over)).map(({ dueAt }) => dueAt)
      return moments.length === 0 ? null : Math.min(...moments)
    },
    async dueEndpoints(now, limit) {
      const due = (await waiting(over)).filter(({ dueAt }) => dueAt <= now)
      return due
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, limit)
        .map(({ id }) => id)
    },
    claim: (endpointId, now, limit, until) =>
      decided(async () => {
        const endpoint = await one(WEBHOOK_ENDPOINT, endpointId)
        if (!endpoint?.enabled) return { result: [] }
        const due = await scan(WEBHOOK_DELIVERY, 'due', { prefix: [endpointId], through: now, limit })
        if (due.length === 0) return { result: [] }
        const events = await get(
          WEBHOOK_EVENT,
          due.map(({ eventId }) => eventId),
        )
        const values = due.map(held =>
          rewritten(held, { inFlight: true, dueAt: until, version: held.version + 1 }),
        )
        const claimed = values.flatMap((held, at) => {
          const event = events[at] ?? null
          return event === null ? [] : [{ delivery: toDelivery(held), event, endpoint }]
        })
        return { ...{ when: unwritten(due), put: written(values) }, result: claimed }
      }),
    hasten: (now, reach, limit) =>
      decided(async () => {
        const late = await scanFor(
          WEBHOOK_DELIVERY,
          'due',
          { prefix: [], limit },
          held => (held.dueAt ?? 0) > furthest(held, now, reach),
        )
        if (late.length === 0) return { result: 0 }
        const values = late.map(held => rewritten(held, { dueAt: furthest(held, now, reach) }))
        return { when: unwritten(late), put: written(values), result: late.length }
      }),
  }
}

/** Returns the store of webhook events with their deliveries. */
export function webhookDeliveriesOver(over: Guarded): WebhookDeliveryStore {
  const { decided, one, scan } = over
  return {
    ...sendingOver(over),
    keepEvent: (event, endpointId) =>
      decided(async () => {
        const endpoint = await one(WEBHOOK_ENDPOINT, endpointId)
        if (endpoint === null) return { result: 'missing' }
        return {
          when: [unchanged(WEBHOOK_ENDPOINT, endpoint)],
          put: [{ kind: WEBHOOK_EVENT, value: event }, ...written([heldDelivery(event, endpointId)])],
          result: 'kept',
        }
      }),
    update: (expectedVersion, next, exchange) =>
      decided(async () => {
        const held = await one(WEBHOOK_DELIVERY, idOf(next.endpointId, next.eventId))
        if (held?.version !== expectedVersion) return { result: 'stale' }
        const value = rewritten(held, { ...next, exchange: exchange ?? held.exchange })
        return { when: unwritten([held]), put: written([value]), result: 'written' }
      }),
    async find(endpointId, eventId) {
      const held = await one(WEBHOOK_DELIVERY, idOf(endpointId, eventId))
      const event = held && (await one(WEBHOOK_EVENT, eventId))
      return held === null || event === null
        ? null
        : { delivery: toDelivery(held), event, exchange: held.exchange }
    },
    async list({ after, endpointId, status }, limit, bytes) {
      const range = {
        prefix: status === undefined ? [endpointId] : [endpointId, status],
        descending: true,
        after: after && [after.createdAt, after.eventId, ''],
        limit: limit + 1,
      }
      const found = await scan(WEBHOOK_DELIVERY, status === undefined ? 'endpoint' : 'status', range)
      const listed = (held: HeldDelivery) => {
        const { conversationId, type } = held
        return { delivery: toDelivery(held), event: { type, conversationId } }
      }
      return boundedPage(found, listed, limit, bytes)
    },
    forgetEvents: (before, limit) =>
      decided(async () => {
        const { deliveries, events } = await forgettable(over, before, limit)
        if (events.length === 0) return { result: 0 }
        return {
          when: [...unwritten(deliveries), ...events.map(event => unchanged(WEBHOOK_EVENT, event))],
          remove: [
            ...deliveries.map(held => ({ kind: WEBHOOK_DELIVERY, id: WEBHOOK_DELIVERY.id(held) })),
            ...events.map(({ id }) => ({ kind: WEBHOOK_EVENT, id })),
          ],
          result: events.length,
        }
      }),
  }
}
