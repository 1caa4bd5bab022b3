import { describe, expect, it } from 'vitest'
import {
  newDelivery,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEvent,
} from '../../../../domain/webhook/webhook.ts'
import type { DeliveryFilter } from '../../../../ports/store/webhook-deliveries.ts'
import type { EndpointFilter } from '../../../../ports/store/webhook-endpoints.ts'
import { aConversation, anAppend, anEvent } from '../../../conversation-fixtures.ts'
import { ACCOUNT, anAccount, anEndpoint, aWebhookEvent, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const [ONE, TWO, OTHER] = ['W-1', 'W-2', 'ws-other'] as const

const settled = (delivery: WebhookDelivery, status: 'delivered' | 'dead'): WebhookDelivery => ({
  ...{ ...delivery, status, dueAt: null, inFlight: false, attempts: delivery.attempts + 1 },
  ...{ lastAttemptAt: START + 9, lastStatus: status === 'delivered' ? 204 : null },
  ...{ lastError: status === 'delivered' ? null : 'no answer', version: delivery.version + 1 },
})

const idsOf = (deliveries: readonly { readonly delivery: WebhookDelivery }[]) =>
  deliveries.map(({ delivery }) => delivery.eventId)

/**
 * Returns a store with two endpoints, and an event for the first at each of the moments after `START`, called
 * `E-<moment>`.
 */
async function filled(factory: StoreFactory, ...moments: readonly number[]) {
  const store = await openForTest(factory)
  const { deliveries, endpoints } = store.webhooks
  const keep = (moment: number, endpointId: string = ONE) =>
    deliveries.keepEvent(aWebhookEvent(`E-${moment}`, { at: START + moment }), endpointId)
  const find = async (moment: number) => {
    const found = await deliveries.find(ONE, `E-${moment}`)
    if (found === null) throw new Error(`There is no delivery of E-${moment}.`)
    return found.delivery
  }
  const change = async (moment: number, changes: Partial<WebhookDelivery>) => {
    const delivery = await find(moment)
    return deliveries.update(delivery.version, { ...delivery, ...changes, version: delivery.version + 1 })
  }
  const settle = async (moment: number, status: 'delivered' | 'dead') =>
    change(moment, settled(await find(moment), status))
  const listed = async (filter: Partial<DeliveryFilter> = {}) =>
    idsOf((await deliveries.list({ endpointId: ONE, ...filter }, 200)).values)
  for (const id of [ONE, TWO]) await endpoints.create(anEndpoint(id), 10)
  for (const moment of moments) await keep(moment)
  return { store, deliveries, endpoints, keep, find, change, settle, listed }
}

function describeEndpoints(factory: StoreFactory): void {
  it('SW1 an endpoint is found, and deleted with its deliveries, by its account alone; its id is taken for all', async () => {
    const { deliveries, endpoints, keep } = await filled(factory, 0)
    await keep(1, TWO)
    expect(await endpoints.find(ACCOUNT, ONE)).toEqual(anEndpoint(ONE))
    expect([await endpoints.find(OTHER, ONE), await endpoints.find(ACCOUNT, 'w-1')]).toEqual([null, null])
    expect(await endpoints.create(anEndpoint(ONE, { accountId: OTHER }), 10)).toBe('taken')
    expect(await endpoints.update(1, anEndpoint('W-unknown'))).toBe('stale')
    expect([await endpoints.delete(OTHER, ONE), await endpoints.delete(ACCOUNT, ONE)]).toEqual([false, true])
    expect(await deliveries.find(ONE, 'E-0')).toBeNull()
    expect((await deliveries.list({ endpointId: ONE }, 10)).values).toEqual([])
    expect(await deliveries.dueEndpoints(START + 1, 10)).toEqual([TWO])
  })

  it('SW1 endpoints are filtered by whether they are enabled and by what they are subscribed to, in pages', async () => {
    const { endpoints } = (await openForTest(factory)).webhooks
    const failed = { eventTypes: ['handoff.failed'] } as const
    await endpoints.create(anEndpoint('W-1', failed), 10)
    await endpoints.create(anEndpoint('W-2', { ...failed, enabled: false }), 10)
    await endpoints.create(anEndpoint('W-3', { eventTypes: ['handoff.accepted'] }), 10)
    await endpoints.create(anEndpoint('W-4', { ...failed, accountId: OTHER }), 10)
    const ids = async (filter: EndpointFilter, limit = 10) =>
      (await endpoints.list(ACCOUNT, filter, limit)).map(({ id }) => id)
    expect([await ids({ enabled: true }), await ids({ enabled: false })]).toEqual([['W-1', 'W-3'], ['W-2']])
    const eventType = 'handoff.failed'
    expect([await ids({ eventType }), await ids({ eventType, enabled: true })]).toEqual([
      ['W-1', 'W-2'],
      ['W-1'],
    ])
    expect(await ids({ eventType: 'alerts.triggered' })).toEqual([])
    expect(await ids({ eventType, after: { createdAt: START, id: 'W-1' } })).toEqual(['W-2'])
    expect(await ids({ eventType }, 1)).toEqual(['W-1'])
  })
}

function describeEvents(factory: StoreFactory): void {
  const conversation = aConversation('AS-1')
  const told = (...events: readonly WebhookEvent[]) => ({ outbox: { webhooks: events } })

  it('WH5 an event of a write gets a pending delivery, due when it happened, to each endpoint that wants it then', async () => {
    const { deliveries, endpoints, store } = await filled(factory)
    const [first, second] = [aWebhookEvent('E-1'), aWebhookEvent('E-2', { at: START + 5 })]
    await store.conversations.create({ ...conversation, ...told(first) })
    await endpoints.create(anEndpoint('W-late'), 10)
    await endpoints.update(1, anEndpoint(TWO, { eventTypes: ['handoff.failed'], version: 2 }))
    await store.conversations.append(anAppend(conversation, 1, told(second)))
    for (const [id, events] of [
      [ONE, [second, first]],
      [TWO, [first]],
      ['W-late', [second]],
    ] as const)
      expect((await deliveries.list({ endpointId: id }, 100)).values).toEqual(
        events.map(event => ({
          delivery: newDelivery(event, id),
          event: { type: event.type, conversationId: event.conversationId },
        })),
      )
  })

  it('WH5 endpoints that are disabled, not subscribed to its type, or of another account get none; one that none wants is not kept', async () => {
    const { deliveries, endpoints, listed, store } = await filled(factory)
    await store.conversations.create({
      ...aConversation('AS-2'),
      ...told(aWebhookEvent('E-none', { accountId: 'ws-none' })),
    })
    expect(await deliveries.forgetEvents(START + 1, 10)).toBe(0)
    await endpoints.create(anEndpoint('W-off', { enabled: false }), 10)
    await endpoints.create(anEndpoint('W-other', { accountId: OTHER }), 10)
    for (const type of WEBHOOK_EVENT_TYPES)
      await endpoints.create(anEndpoint(`W-${type}`, { eventTypes: [type] }), 100)
    const events = WEBHOOK_EVENT_TYPES.map(type => aWebhookEvent(`E-${type}`, { type }))
    await store.conversations.create({ ...conversation, ...told(...events) })
    for (const endpointId of ['W-off', 'W-other']) expect(await listed({ endpointId })).toEqual([])
    expect(await listed()).toHaveLength(WEBHOOK_EVENT_TYPES.length)
    for (const type of WEBHOOK_EVENT_TYPES)
      expect(await listed({ endpointId: `W-${type}` })).toEqual([`E-${type}`])
  })

  it('WH5 a write that is refused tells nothing: taken, stale, duplicate', async () => {
    const { listed, store } = await filled(factory)
    const events = [anEvent({ clientEventId: 'same' })]
    const outbox = told(aWebhookEvent('E-1'))
    await store.conversations.create({ ...conversation, events })
    expect(await store.conversations.create({ ...conversation, ...outbox })).toBe('taken')
    for (const [version, status] of [
      [7, 'stale'],
      [1, 'duplicate'],
    ] as const) {
      const append = anAppend(conversation, version, { events: status === 'stale' ? [] : events, ...outbox })
      expect(await store.conversations.append(append)).toMatchObject({ status })
    }
    expect(await listed()).toEqual([])
  })

  it('WH35 an event for one endpoint is kept whatever that is subscribed to; without the endpoint it is not', async () => {
    const { deliveries, endpoints } = await filled(factory)
    await endpoints.update(1, anEndpoint(ONE, { eventTypes: [], version: 2 }))
    const event = aWebhookEvent('E-1', { type: 'webhook.test', conversationId: null })
    expect(await deliveries.keepEvent(event, ONE)).toBe('kept')
    const kept = { delivery: newDelivery(event, ONE), event, exchange: null }
    expect([await deliveries.find(ONE, 'E-1'), await deliveries.find(TWO, 'E-1')]).toEqual([kept, null])
    expect(await deliveries.keepEvent(aWebhookEvent('E-2'), 'W-unknown')).toBe('missing')
  })

  it('of an endpoint that is deleted while events come for it no delivery is left', async () => {
    const { deliveries, endpoints, listed, store } = await filled(factory)
    await endpoints.delete(ACCOUNT, ONE)
    for (let deleting = 0; deleting < RACERS; deleting++) {
      await endpoints.create(anEndpoint(ONE), 10)
      await race<unknown>(racer => {
        const event = aWebhookEvent(`E-${deleting}-${racer}`)
        if (racer === deleting) return endpoints.delete(ACCOUNT, ONE)
        if (racer % 2 === 0) return deliveries.keepEvent(event, ONE)
        return store.access.accounts.create(anAccount(event.id), { webhooks: [event] })
      })
      // A delivery without its endpoint would be found by one that gets its id.
      await endpoints.create(anEndpoint(ONE), 10)
      expect(await listed()).toEqual([])
      await endpoints.delete(ACCOUNT, ONE)
    }
  })
}

function describeClaims(factory: StoreFactory): void {
  it('SC30 endpoints with something due come longest waiting first, the very moment included; the store tells when the next one is', async () => {
    const { change, deliveries, endpoints, keep, settle } = await filled(factory)
    expect(await deliveries.nextDue()).toBeNull()
    for (const moment of [5, 7]) await keep(moment)
    await keep(3, TWO)
    expect(await deliveries.nextDue()).toBe(START + 3)
    const due = (moment: number, limit = 10) => deliveries.dueEndpoints(START + moment, limit)
    expect([await due(2), await due(3), await due(5), await due(5, 1)]).toEqual([
      [],
      [TWO],
      [TWO, ONE],
      [TWO],
    ])
    await endpoints.update(1, anEndpoint(TWO, { enabled: false, version: 2 }))
    expect([await deliveries.nextDue(), await due(5)]).toEqual([START + 5, [ONE]])
    await deliveries.claim(ONE, START + 5, 9, START + 90)
    expect(await deliveries.nextDue()).toBe(START + 7)
    await settle(5, 'delivered')
    await change(7, settled(newDelivery(aWebhookEvent('E-7'), ONE), 'dead'))
    expect(await deliveries.nextDue()).toBeNull()
  })

  it('however many wait for one endpoint, the others are found behind it', async () => {
    const { deliveries, endpoints, keep } = await filled(factory)
    await Promise.all(Array.from({ length: 120 }, (_, moment) => keep(moment + 10)))
    await keep(1, TWO)
    await endpoints.create(anEndpoint('W-3', { enabled: false }), 10)
    await keep(0, 'W-3')
    expect(await deliveries.nextDue()).toBe(START + 1)
    expect(await deliveries.dueEndpoints(START + 10, 9)).toEqual([TWO, ONE])
    expect(await deliveries.dueEndpoints(START + 9, 9)).toEqual([TWO])
  })

  it('SC30 what is due is claimed earliest first, then by id, at most the limit, with all that sending needs, and again when its time is up', async () => {
    const { deliveries, keep } = await filled(factory, 7, 2, 4)
    await deliveries.keepEvent(aWebhookEvent('E-0', { at: START + 4 }), ONE)
    await keep(1, TWO)
    const claim = (moment: number, limit: number) =>
      deliveries.claim(ONE, START + moment, limit, START + moment + 100)
    const claimed = await claim(6, 2)
    expect(idsOf(claimed)).toEqual(['E-2', 'E-0'])
    const event = aWebhookEvent('E-2', { at: START + 2 })
    const delivery = { ...newDelivery(event, ONE), inFlight: true, dueAt: START + 106, version: 2 }
    expect(claimed[0]).toEqual({ delivery, event, endpoint: anEndpoint(ONE) })
    expect([idsOf(await claim(6, 9)), idsOf(await claim(6, 9))]).toEqual([['E-4'], []])
    expect([idsOf(await claim(105, 9)), await deliveries.dueEndpoints(START + 105, 1)]).toEqual([
      ['E-7'],
      [TWO],
    ])
    const again = (await claim(106, 9)).find(({ event }) => event.id === 'E-2')
    expect(again?.delivery).toEqual({ ...delivery, version: 3, dueAt: START + 206 })
  })

  it('SC30 of racing claims each delivery goes to one, and none of a disabled endpoint', async () => {
    const moments = [1, 2, 3, 4, 5, 6, 7]
    const { deliveries, endpoints } = await filled(factory, ...moments)
    const claim = () => deliveries.claim(ONE, START + 9, 2, START + 100)
    await endpoints.update(1, anEndpoint(ONE, { enabled: false, version: 2 }))
    expect([await claim(), await deliveries.claim('W-unknown', START + 9, 9, START + 100)]).toEqual([[], []])
    await endpoints.update(2, anEndpoint(ONE, { version: 3 }))
    expect((await race(claim)).flatMap(idsOf).toSorted()).toEqual(moments.map(moment => `E-${moment}`))
  })

  it('SC30 an update replaces the delivery at its version, and a claim counts as one', async () => {
    const { deliveries, find } = await filled(factory, 1)
    const found = await find(1)
    const [claimed] = await deliveries.claim(ONE, START + 1, 1, START + 10)
    expect(await deliveries.update(found.version, settled(found, 'dead'))).toBe('stale')
    const next = settled(claimed?.delivery ?? found, 'delivered')
    expect([await deliveries.update(2, next), await find(1)]).toEqual(['written', next])
    expect(await deliveries.dueEndpoints(START + 100, 10)).toEqual([])
    expect(await deliveries.update(1, newDelivery(aWebhookEvent('E-unknown'), ONE))).toBe('stale')
    expect(await deliveries.update(3, { ...found, endpointId: TWO })).toBe('stale')
  })

  it('TM4 what is due too far ahead is due no later than may be, at most the limit at once; the rest stays', async () => {
    const moments = [1, 2, 3, 4, 5]
    const { change, deliveries, find, settle } = await filled(factory, ...moments)
    const reach = { waiting: [0, 10, 20], inFlight: 50 }
    await change(1, { attempts: 0, dueAt: START + 1 })
    await change(2, { attempts: 1, dueAt: START + 11 })
    await change(3, { attempts: 9, dueAt: START + 1_000 })
    await change(4, { attempts: 1, dueAt: START + 51, inFlight: true })
    await settle(5, 'dead')
    const before = await Promise.all(moments.map(find))
    expect(await deliveries.hasten(START + 1, { ...reach, waiting: [0, 10, 999] }, 9)).toBe(0)
    expect(await Promise.all(moments.map(find))).toEqual(before)
    for (const hastened of [3, 1, 0]) expect(await deliveries.hasten(START, reach, 3)).toBe(hastened)
    const due = [START, START + 10, START + 20, START + 50, null]
    const expected = before.map((delivery, at) => ({ ...delivery, dueAt: due[at] ?? null }))
    expect(await Promise.all(moments.map(find))).toEqual(expected)
    expect(idsOf(await deliveries.claim(ONE, START, 9, START + 99))).toEqual(['E-1'])
  })

  it('deliveries that are brought forward while they are claimed stay claimed', async () => {
    const moments = [1, 2, 3, 4, 5, 6]
    const { deliveries, find } = await filled(factory, ...moments)
    await race<unknown>(racer =>
      racer % 2 === 0
        ? deliveries.hasten(START, { waiting: [0], inFlight: 1_000 }, 9)
        : deliveries.claim(ONE, START + 9, 2, START + 100),
    )
    const claimed = moments.map(() => ({ inFlight: true, version: 2, dueAt: START + 100 }))
    expect(await Promise.all(moments.map(find))).toMatchObject(claimed)
  })
}

function describeDeliveryLists(factory: StoreFactory): void {
  it('SX4 deliveries come newest first, then last id first, of one status alone; pages do not shift when others come', async () => {
    const { deliveries, keep, listed, settle } = await filled(factory, 1, 3, 2, 4)
    await deliveries.keepEvent(aWebhookEvent('E-a', { at: START + 2 }), ONE)
    await keep(4, TWO)
    const page = await deliveries.list({ endpointId: ONE }, 3)
    expect([idsOf(page.values), page.more]).toEqual([['E-4', 'E-3', 'E-a'], true])
    await keep(9)
    const after = page.values.at(-1)?.delivery ?? { createdAt: 0, eventId: 'none' }
    expect(await listed({ after })).toEqual(['E-2', 'E-1'])
    for (const moment of [1, 2, 4]) expect(await settle(moment, 'dead')).toBe('written')
    await settle(3, 'delivered')
    const dead = await deliveries.list({ endpointId: ONE, status: 'dead' }, 1)
    expect([idsOf(dead.values), dead.more]).toEqual([['E-4'], true])
    expect(await listed({ status: 'dead', after })).toEqual(['E-2', 'E-1'])
    expect([await listed({ status: 'pending' }), await listed({ status: 'delivered' })]).toEqual([
      ['E-9', 'E-a'],
      ['E-3'],
    ])
    expect(await deliveries.list({ endpointId: 'W-unknown' }, 10)).toEqual({ values: [], more: false })
  })

  it('SX4 with a number of bytes a page ends before the delivery with which it would have more, but holds one at least', async () => {
    const { change, deliveries } = await filled(factory, 5, 4, 3, 2, 1)
    for (const moment of [5, 4, 3, 2, 1])
      await change(moment, { status: 'dead', lastError: 'é'.repeat(moment === 3 ? 4_500 : 500) })
    const walk = async (bytes: number, limit: number, filter: Partial<DeliveryFilter>) => {
      const pages: string[] = []
      for (let after: Partial<DeliveryFilter> = {}; ; ) {
        const page = await deliveries.list({ endpointId: ONE, ...filter, ...after }, limit, bytes)
        pages.push(idsOf(page.values).join('').replaceAll('E-', ''))
        const last = page.values.at(-1)
        if (!page.more || last === undefined) return pages
        after = { after: last.delivery }
      }
    }
    // The parts of a delivery beside its error are below 500 bytes.
    for (const filter of [{}, { status: 'dead' }] as const) {
      expect(await walk(3_000, 100, filter)).toEqual(['54', '3', '21'])
      expect(await walk(12_500, 100, filter)).toEqual(['543', '21'])
      expect(await walk(1, 100, filter)).toEqual(['5', '4', '3', '2', '1'])
      expect(await walk(100_000, 100, filter)).toEqual(['54321'])
      expect(await walk(100_000, 2, filter)).toEqual(['54', '32', '1'])
    }
  })

  it('SX4 the newest attempt is found with its delivery until there is a newer one; lists are without it', async () => {
    const { deliveries } = await filled(factory, 1, 2)
    const event = aWebhookEvent('E-1', { at: START + 1 })
    const body = { contentType: 'text/plain', bytes: 9, text: 'é', isCut: true }
    const exchange = { url: 'https://hooks.example.com/in?a=b', sentAt: START, body }
    const first = settled(newDelivery(event, ONE), 'dead')
    const find = () => deliveries.find(ONE, 'E-1')
    expect(await deliveries.update(1, first, exchange)).toBe('written')
    expect(await deliveries.update(1, first, { ...exchange, body: null })).toBe('stale')
    expect(await find()).toEqual({ delivery: first, event, exchange })
    const again = { ...first, status: 'pending' as const, dueAt: START, attempts: 0, version: 3 }
    await deliveries.update(2, again)
    expect(await find()).toEqual({ delivery: again, event, exchange })
    const { values } = await deliveries.list({ endpointId: ONE, status: 'pending' }, 9)
    const { conversationId, type } = event
    expect(values.at(-1)).toEqual({ delivery: again, event: { type, conversationId } })
    const newer = { url: 'https://other.example.com/', sentAt: START + 1_000, body: null }
    const last = settled(again, 'delivered')
    await deliveries.update(3, last, newer)
    expect(await find()).toEqual({ delivery: last, event, exchange: newer })
    expect((await deliveries.find(ONE, 'E-2'))?.exchange).toBeNull()
  })

  it('WH19 old events are forgotten with their deliveries, oldest first, unless one of those is pending, also again', async () => {
    const { change, deliveries, listed, settle } = await filled(factory, 0, 1, 2, 3, 4, 5)
    for (const moment of [0, 1, 3, 4, 5]) await settle(moment, moment === 3 ? 'dead' : 'delivered')
    await change(0, { status: 'pending', dueAt: START })
    const forget = () => deliveries.forgetEvents(START + 5, 2)
    expect([await forget(), await listed()]).toEqual([2, ['E-5', 'E-4', 'E-2', 'E-0']])
    expect([await forget(), await forget(), await listed()]).toEqual([1, 0, ['E-5', 'E-2', 'E-0']])
    expect(await deliveries.find(ONE, 'E-1')).toBeNull()
  })
}

/** Tests of endpoints, the events of writes, and deliveries (SW1, WH5, WH19 and TM4). */
export function describeWebhooks(factory: StoreFactory): void {
  describe('endpoints', () => describeEndpoints(factory))
  describe('events for endpoints', () => describeEvents(factory))
  describe('claims of deliveries', () => describeClaims(factory))
  describe('lists of deliveries', () => describeDeliveryLists(factory))
}
