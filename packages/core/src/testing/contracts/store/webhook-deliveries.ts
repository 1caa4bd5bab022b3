import { describe, expect, it } from 'vitest'
import type { WebhookExchange } from '../../../domain/webhook/exchange.ts'
import { newDelivery, type WebhookDelivery } from '../../../domain/webhook/webhook.ts'
import type { WebhookStore } from '../../../ports/store/store.ts'
import type { DeliveryFilter } from '../../../ports/store/webhook-deliveries.ts'
import { anAccount, anEndpoint, aWebhookEvent, START } from '../../fixtures.ts'
import { count, openForTest, RACERS, race, type StoreFactory } from './tools.ts'

const ONE = 'W-1'
const TWO = 'W-2'

const settled = (delivery: WebhookDelivery, status: 'delivered' | 'dead'): WebhookDelivery => ({
  ...delivery,
  status,
  dueAt: null,
  inFlight: false,
  attempts: delivery.attempts + 1,
  lastAttemptAt: START + 9,
  lastStatus: status === 'delivered' ? 204 : null,
  lastError: status === 'delivered' ? null : 'no answer',
  version: delivery.version + 1,
})

/** Rules SW20 to SW39, and SX122 to SX125: deliveries. */
export function describeDeliveries(factory: StoreFactory): void {
  /**
   * A store with two endpoints, and an event for the first at each of the moments after `START`, called `E-<moment>`.
   */
  const open = async (...moments: readonly number[]) => {
    const { webhooks } = await openForTest(factory)
    for (const id of [ONE, TWO]) await webhooks.endpoints.create(anEndpoint(id), 10)
    for (const moment of moments) await keep(webhooks, moment)
    return webhooks
  }
  const keep = (webhooks: WebhookStore, moment: number, endpointId = ONE) =>
    webhooks.deliveries.keepEvent(aWebhookEvent(`E-${moment}`, { at: START + moment }), endpointId)
  const ids = (deliveries: readonly { readonly delivery: WebhookDelivery }[]) =>
    deliveries.map(({ delivery }) => delivery.eventId)
  const listed = async (webhooks: WebhookStore, filter: Partial<DeliveryFilter> = {}) =>
    ids((await webhooks.deliveries.list({ endpointId: ONE, ...filter }, 10)).values)
  const settle = async (webhooks: WebhookStore, moment: number, status: 'delivered' | 'dead') => {
    const found = await webhooks.deliveries.find(ONE, `E-${moment}`)
    if (found === null) throw new Error(`There is no delivery of E-${moment}.`)
    return webhooks.deliveries.update(found.delivery.version, settled(found.delivery, status))
  }

  describe('deliveries', () => {
    it('SW33 tells when the next delivery of an enabled endpoint is due', async () => {
      const webhooks = await open()
      const { deliveries, endpoints } = webhooks
      expect(await deliveries.nextDue()).toBeNull()
      for (const moment of [30, 20]) await keep(webhooks, moment)
      await keep(webhooks, 10, TWO)
      expect(await deliveries.nextDue()).toBe(START + 10)
      await endpoints.update(1, anEndpoint(TWO, { enabled: false, version: 2 }))
      expect(await deliveries.nextDue()).toBe(START + 20)
      await deliveries.claim(ONE, START + 20, 9, START + 90)
      expect(await deliveries.nextDue()).toBe(START + 30)
      await settle(webhooks, 20, 'delivered')
      await settle(webhooks, 30, 'dead')
      expect(await deliveries.nextDue()).toBeNull()
    })

    it('SW20 an event for one endpoint is kept whatever that is subscribed to; without the endpoint it is not', async () => {
      const webhooks = await open()
      await webhooks.endpoints.update(1, anEndpoint(ONE, { eventTypes: [], version: 2 }))
      const event = aWebhookEvent('E-1', { type: 'webhook.test', conversationId: null })
      expect(await webhooks.deliveries.keepEvent(event, ONE)).toBe('kept')
      expect(await webhooks.deliveries.find(ONE, event.id)).toEqual({
        delivery: newDelivery(event, ONE),
        event,
        exchange: null,
      })
      expect(await webhooks.deliveries.find(TWO, event.id)).toBeNull()
      expect(await webhooks.deliveries.keepEvent(aWebhookEvent('E-2'), 'W-unknown')).toBe('missing')
    })

    it('SW21 endpoints with something due, the longest waiting first; not after now, the very moment included', async () => {
      const webhooks = await open(5)
      await keep(webhooks, 3, TWO)
      await keep(webhooks, 9, TWO)
      expect(await webhooks.deliveries.dueEndpoints(START + 2, 10)).toEqual([])
      expect(await webhooks.deliveries.dueEndpoints(START + 3, 10)).toEqual([TWO])
      expect(await webhooks.deliveries.dueEndpoints(START + 5, 10)).toEqual([TWO, ONE])
      expect(await webhooks.deliveries.dueEndpoints(START + 5, 1)).toEqual([TWO])
    })

    it('SW22 what is due is claimed earliest first, then by id, at most the limit, with all that sending needs', async () => {
      const webhooks = await open(7, 2, 4)
      await webhooks.deliveries.keepEvent(aWebhookEvent('E-0', { at: START + 4 }), ONE)
      await keep(webhooks, 1, TWO)
      const claimed = await webhooks.deliveries.claim(ONE, START + 6, 2, START + 100)
      expect(ids(claimed)).toEqual(['E-2', 'E-0'])
      const event = aWebhookEvent('E-2', { at: START + 2 })
      const delivery = { ...newDelivery(event, ONE), inFlight: true, dueAt: START + 100, version: 2 }
      expect(claimed[0]).toEqual({ delivery, event, endpoint: anEndpoint(ONE) })
      expect(ids(await webhooks.deliveries.claim(ONE, START + 6, 9, START + 100))).toEqual(['E-4'])
      expect(await webhooks.deliveries.claim(ONE, START + 6, 9, START + 100)).toEqual([])
    })

    it('SW23 what was claimed is due again when its time is up, and not before', async () => {
      const webhooks = await open(0)
      await webhooks.deliveries.claim(ONE, START, 1, START + 10)
      expect(await webhooks.deliveries.dueEndpoints(START + 9, 10)).toEqual([])
      expect(await webhooks.deliveries.claim(ONE, START + 9, 1, START + 20)).toEqual([])
      expect(await webhooks.deliveries.dueEndpoints(START + 10, 10)).toEqual([ONE])
      const [again] = await webhooks.deliveries.claim(ONE, START + 10, 1, START + 20)
      expect(again?.delivery).toMatchObject({ version: 3, dueAt: START + 20, inFlight: true })
    })

    it('SW24 of racing claims each delivery goes to one', async () => {
      const webhooks = await open(1, 2, 3, 4, 5, 6, 7)
      const claims = await race(() => webhooks.deliveries.claim(ONE, START + 9, 2, START + 100))
      expect(claims.flatMap(ids).sort()).toEqual(['E-1', 'E-2', 'E-3', 'E-4', 'E-5', 'E-6', 'E-7'])
    })

    it('SW25 nothing is claimed for a disabled endpoint, and all of it once it is enabled', async () => {
      const webhooks = await open(1)
      await webhooks.endpoints.update(1, anEndpoint(ONE, { enabled: false, version: 2 }))
      expect(await webhooks.deliveries.dueEndpoints(START + 9, 10)).toEqual([])
      expect(await webhooks.deliveries.claim(ONE, START + 9, 9, START + 100)).toEqual([])
      expect(await webhooks.deliveries.claim('W-unknown', START + 9, 9, START + 100)).toEqual([])
      await webhooks.endpoints.update(2, anEndpoint(ONE, { version: 3 }))
      expect(ids(await webhooks.deliveries.claim(ONE, START + 9, 9, START + 100))).toEqual(['E-1'])
    })

    it('SW26 an update replaces the delivery; of updates at one version one wins, and a claim counts as one', async () => {
      const webhooks = await open(1)
      const found = (await webhooks.deliveries.find(ONE, 'E-1'))?.delivery
      if (found === undefined) throw new Error('There is no delivery.')
      const [claimed] = await webhooks.deliveries.claim(ONE, START + 1, 1, START + 10)
      expect(await webhooks.deliveries.update(found.version, settled(found, 'dead'))).toBe('stale')
      const next = settled(claimed?.delivery ?? found, 'delivered')
      const results = await race(() => webhooks.deliveries.update(2, next))
      expect(count(results, 'written')).toBe(1)
      expect((await webhooks.deliveries.find(ONE, 'E-1'))?.delivery).toEqual(next)
      expect(await webhooks.deliveries.dueEndpoints(START + 100, 10)).toEqual([])
      const unknown = newDelivery(aWebhookEvent('E-unknown'), ONE)
      expect(await webhooks.deliveries.update(1, unknown)).toBe('stale')
      expect(await webhooks.deliveries.update(1, { ...found, endpointId: TWO })).toBe('stale')
    })

    it('SW27 deliveries come newest first, then last id first; pages do not shift when others come', async () => {
      const webhooks = await open(1, 3, 2)
      await webhooks.deliveries.keepEvent(aWebhookEvent('E-a', { at: START + 2 }), ONE)
      await keep(webhooks, 4, TWO)
      const page = await webhooks.deliveries.list({ endpointId: ONE }, 2)
      expect(ids(page.values)).toEqual(['E-3', 'E-a'])
      await keep(webhooks, 9)
      const after = page.values.at(-1)?.delivery
      if (after === undefined) throw new Error('The page is empty.')
      expect(await listed(webhooks, { after })).toEqual(['E-2', 'E-1'])
      expect(await listed(webhooks)).toHaveLength(5)
      const none = { values: [], more: false }
      expect(await webhooks.deliveries.list({ endpointId: 'W-unknown' }, 10)).toEqual(none)
    })

    it('SW28 deliveries of one status alone, in pages too', async () => {
      const webhooks = await open(1, 2, 3, 4, 5)
      for (const moment of [1, 3, 4]) expect(await settle(webhooks, moment, 'dead')).toBe('written')
      await settle(webhooks, 2, 'delivered')
      const page = await webhooks.deliveries.list({ endpointId: ONE, status: 'dead' }, 1)
      expect([ids(page.values), page.more]).toEqual([['E-4'], true])
      const after = page.values[0]?.delivery ?? { createdAt: 0, eventId: 'none' }
      expect(await listed(webhooks, { status: 'dead', after })).toEqual(['E-3', 'E-1'])
      expect(await listed(webhooks, { status: 'pending' })).toEqual(['E-5'])
      expect(await listed(webhooks, { status: 'delivered' })).toEqual(['E-2'])
    })

    it('SW30 with a number of bytes a page ends before the delivery with which it would have more, but holds one at least', async () => {
      const webhooks = await open(5, 4, 3, 2, 1)
      for (const moment of [5, 4, 3, 2, 1]) {
        const found = await webhooks.deliveries.find(ONE, `E-${moment}`)
        if (found === null) throw new Error(`There is no delivery of E-${moment}.`)
        const lastError = 'é'.repeat(moment === 3 ? 4_500 : 500)
        await webhooks.deliveries.update(1, { ...settled(found.delivery, 'dead'), lastError })
      }
      const walk = async (bytes: number, limit: number, filter: Partial<DeliveryFilter>) => {
        const pages: string[] = []
        let after: Partial<DeliveryFilter> = {}
        for (;;) {
          const page = await webhooks.deliveries.list({ endpointId: ONE, ...filter, ...after }, limit, bytes)
          pages.push(page.values.map(({ delivery }) => delivery.eventId.slice(2)).join(''))
          const last = page.values.at(-1)
          if (!page.more || last === undefined) return pages
          after = { after: last.delivery }
        }
      }
      // What a delivery has beside its error is below 500 bytes.
      for (const filter of [{}, { status: 'dead' }] as const) {
        expect(await walk(3_000, 100, filter)).toEqual(['54', '3', '21'])
        expect(await walk(12_500, 100, filter)).toEqual(['543', '21'])
        expect(await walk(1, 100, filter)).toEqual(['5', '4', '3', '2', '1'])
        expect(await walk(100_000, 100, filter)).toEqual(['54321'])
        expect(await walk(100_000, 2, filter)).toEqual(['54', '32', '1'])
      }
      expect(await webhooks.deliveries.list({ endpointId: ONE }, 5)).toMatchObject({ more: false })
    })

    it('SW31 what is due too far ahead is due no later than may be, at most the limit at once; the rest stays', async () => {
      const webhooks = await open(1, 2, 3, 4, 5)
      const reach = { waiting: [0, 10, 20], inFlight: 50 }
      const find = async (moment: number) => {
        const found = await webhooks.deliveries.find(ONE, `E-${moment}`)
        if (found === null) throw new Error(`There is no delivery of E-${moment}.`)
        return found.delivery
      }
      const set = async (moment: number, change: Partial<WebhookDelivery>) => {
        const delivery = await find(moment)
        const next = { ...delivery, ...change, version: delivery.version + 1 }
        expect(await webhooks.deliveries.update(delivery.version, next)).toBe('written')
      }
      await set(1, { attempts: 0, dueAt: START + 1 })
      await set(2, { attempts: 1, dueAt: START + 11 })
      await set(3, { attempts: 9, dueAt: START + 1_000 })
      await set(4, { attempts: 1, dueAt: START + 51, inFlight: true })
      await settle(webhooks, 5, 'dead')
      const moments = [1, 2, 3, 4, 5]
      const before = await Promise.all(moments.map(find))
      expect(await webhooks.deliveries.hasten(START + 1, { ...reach, waiting: [0, 10, 999] }, 9)).toBe(0)
      expect(await Promise.all(moments.map(find))).toEqual(before)
      expect(await webhooks.deliveries.hasten(START, reach, 3)).toBe(3)
      expect(await webhooks.deliveries.hasten(START, reach, 3)).toBe(1)
      expect(await webhooks.deliveries.hasten(START, reach, 3)).toBe(0)
      const due = [START, START + 10, START + 20, START + 50, null]
      const expected = before.map((delivery, at) => ({ ...delivery, dueAt: due[at] ?? null }))
      expect(await Promise.all(moments.map(find))).toEqual(expected)
      expect(ids(await webhooks.deliveries.claim(ONE, START, 9, START + 99))).toEqual(['E-1'])
    })

    it('SW32 the newest attempt is found with its delivery until there is a newer one; lists are without it', async () => {
      const webhooks = await open(1, 2)
      const event = aWebhookEvent('E-1', { at: START + 1 })
      const exchange: WebhookExchange = {
        url: 'https://hooks.example.com/in?a=b',
        sentAt: START,
        body: { contentType: 'text/plain', bytes: 9, text: 'a\u0000\u0001é\u{1f600}"\\', isCut: true },
      }
      const first = settled(newDelivery(event, ONE), 'dead')
      const find = () => webhooks.deliveries.find(ONE, 'E-1')
      expect(await webhooks.deliveries.update(1, first, exchange)).toBe('written')
      expect(await find()).toEqual({ delivery: first, event, exchange })
      expect(await webhooks.deliveries.update(1, first, { ...exchange, body: null })).toBe('stale')
      const again = { ...first, status: 'pending' as const, dueAt: START, attempts: 0, version: 3 }
      expect(await webhooks.deliveries.update(2, again)).toBe('written')
      expect(await find()).toEqual({ delivery: again, event, exchange })
      const [one] = (await webhooks.deliveries.list({ endpointId: ONE, status: 'pending' }, 9)).values.slice(
        -1,
      )
      expect(one).toEqual({
        delivery: again,
        event: { type: event.type, conversationId: event.conversationId },
      })
      expect((await webhooks.deliveries.claim(ONE, START, 1, START + 9))[0]).toEqual({
        delivery: { ...again, inFlight: true, dueAt: START + 9, version: 4 },
        event,
        endpoint: anEndpoint(ONE),
      })
      const newer = { url: 'https://other.example.com/', sentAt: START + 1_000, body: null }
      const last = settled({ ...again, version: 4 }, 'delivered')
      expect(await webhooks.deliveries.update(4, last, newer)).toBe('written')
      expect(await find()).toEqual({ delivery: last, event, exchange: newer })
      expect((await webhooks.deliveries.find(ONE, 'E-2'))?.exchange).toBeNull()
    })

    it('SX122 however many wait for one endpoint, the others are found behind it', async () => {
      const webhooks = await open()
      const { deliveries } = webhooks
      await Promise.all(Array.from({ length: 120 }, (_, moment) => keep(webhooks, moment + 10)))
      await keep(webhooks, 1, TWO)
      await webhooks.endpoints.create(anEndpoint('W-3', { enabled: false }), 10)
      await keep(webhooks, 0, 'W-3')
      expect(await deliveries.nextDue()).toBe(START + 1)
      expect(await deliveries.dueEndpoints(START + 10, 9)).toEqual([TWO, ONE])
      expect(await deliveries.dueEndpoints(START + 9, 9)).toEqual([TWO])
    })

    it('SX123 of an endpoint that is deleted while events come for it no delivery is left', async () => {
      const store = await openForTest(factory)
      const { deliveries, endpoints } = store.webhooks
      const told = anEndpoint(ONE)
      for (let deleting = 0; deleting < RACERS; deleting++) {
        await endpoints.create(told, 10)
        await race(async racer => {
          const event = aWebhookEvent(`E-${deleting}-${racer}`)
          if (racer === deleting) await endpoints.delete(told.accountId, ONE)
          else if (racer % 2 === 0) await deliveries.keepEvent(event, ONE)
          else await store.access.accounts.create(anAccount(event.id), { webhooks: [event] })
        })
        // A delivery without its endpoint would be found by one that gets its id.
        await endpoints.create(told, 10)
        expect((await deliveries.list({ endpointId: ONE }, 10)).values).toEqual([])
        expect(await deliveries.nextDue()).toBeNull()
        await endpoints.delete(told.accountId, ONE)
      }
    })

    it('SX124 a replay of an event that is over keeps it from being forgotten', async () => {
      const webhooks = await open(1, 2)
      for (const moment of [1, 2]) await settle(webhooks, moment, 'delivered')
      const found = (await webhooks.deliveries.find(ONE, 'E-1'))?.delivery
      if (found === undefined) throw new Error('There is no delivery.')
      const again = { ...found, status: 'pending', dueAt: START, version: found.version + 1 } as const
      await webhooks.deliveries.update(found.version, again)
      expect(await webhooks.deliveries.forgetEvents(START + 9, 9)).toBe(1)
      expect(await listed(webhooks)).toEqual(['E-1'])
    })

    it('SX125 deliveries that are brought forward while they are claimed stay claimed', async () => {
      const moments = [1, 2, 3, 4, 5, 6]
      const { deliveries } = await open(...moments)
      const reach = { waiting: [0], inFlight: 1_000 }
      await race(async racer => {
        if (racer % 2 === 0) await deliveries.hasten(START, reach, 9)
        else await deliveries.claim(ONE, START + 9, 2, START + 100)
      })
      const found = await Promise.all(moments.map(moment => deliveries.find(ONE, `E-${moment}`)))
      expect(found.map(one => one?.delivery)).toMatchObject(
        moments.map(() => ({ inFlight: true, version: 2, dueAt: START + 100 })),
      )
    })

    it('SW29 old events are forgotten with their deliveries, oldest first, unless one of those is pending', async () => {
      const webhooks = await open(1, 2, 3, 4, 5)
      for (const moment of [1, 3, 4, 5]) await settle(webhooks, moment, moment === 3 ? 'dead' : 'delivered')
      expect(await webhooks.deliveries.forgetEvents(START + 5, 2)).toBe(2)
      expect(await listed(webhooks)).toEqual(['E-5', 'E-4', 'E-2'])
      expect(await webhooks.deliveries.forgetEvents(START + 5, 2)).toBe(1)
      expect(await webhooks.deliveries.forgetEvents(START + 5, 2)).toBe(0)
      expect(await listed(webhooks)).toEqual(['E-5', 'E-2'])
      expect(await webhooks.deliveries.find(ONE, 'E-1')).toBeNull()
    })
  })
}
