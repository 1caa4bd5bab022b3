import { describe, expect, it } from 'vitest'
import type { EndpointFilter } from '../../../ports/store/webhook-endpoints.ts'
import { ACCOUNT, anEndpoint, aWebhookEvent, START } from '../../fixtures.ts'
import {
  count,
  EXTREME_TIMES,
  frozen,
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribble,
  scribbling,
} from './tools.ts'

const OTHER = 'ws-other'

/** Rules SW1 to SW9: endpoints. */
export function describeEndpoints(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).webhooks

  describe('endpoints', () => {
    it('SW1 an endpoint is found by its account and id, exactly as it was created', async () => {
      const webhooks = await open()
      const endpoint = anEndpoint('W-1', {
        enabled: false,
        disabledReason: 'gone',
        eventTypes: ['handoff.failed'],
        headers: { 'X-Key': 'a', __proto: 'b' },
        timeout: 1_234,
        previousSecret: { secret: 'before', until: START + 1 },
      })
      expect(await webhooks.endpoints.create(endpoint, 10)).toBe('created')
      expect(await webhooks.endpoints.find(ACCOUNT, endpoint.id)).toEqual(endpoint)
      expect(await webhooks.endpoints.find(OTHER, endpoint.id)).toBeNull()
      expect(await webhooks.endpoints.find(ACCOUNT, 'w-1')).toBeNull()
      expect(await webhooks.endpoints.create(anEndpoint('W-1', { accountId: OTHER }), 10)).toBe('taken')
      expect(await webhooks.endpoints.list(OTHER, {}, 100)).toEqual([])
    })

    it('SW2 an account that has its number of endpoints is full, others are not', async () => {
      const webhooks = await open()
      for (const id of ['W-1', 'W-2']) await webhooks.endpoints.create(anEndpoint(id), 2)
      expect(await webhooks.endpoints.create(anEndpoint('W-3'), 2)).toBe('full')
      expect(await webhooks.endpoints.list(ACCOUNT, {}, 100)).toHaveLength(2)
      expect(await webhooks.endpoints.create(anEndpoint('W-3', { accountId: OTHER }), 2)).toBe('created')
      expect(await webhooks.endpoints.delete(ACCOUNT, 'W-1')).toBe(true)
      expect(await webhooks.endpoints.create(anEndpoint('W-4'), 2)).toBe('created')
    })

    it('SW3 racers do not get beyond the number', async () => {
      const webhooks = await open()
      const results = await race(racer => webhooks.endpoints.create(anEndpoint(`W-${racer}`), 3))
      expect(count(results, 'created')).toBe(3)
      expect(count(results, 'full')).toBe(RACERS - 3)
      expect(await webhooks.endpoints.list(ACCOUNT, {}, 100)).toHaveLength(3)
    })

    it('SW4 endpoints come oldest first, then by the code points of the id, in pages after a position', async () => {
      const webhooks = await open()
      const ordered = ['W-10', 'W-9', 'W-B', 'W-a', 'W-～', 'W-\u{1F600}']
      await webhooks.endpoints.create(anEndpoint('A-late', { createdAt: START + 1 }), 10)
      for (const id of [...ordered].reverse()) await webhooks.endpoints.create(anEndpoint(id), 10)
      await webhooks.endpoints.create(anEndpoint('z-early', { createdAt: 0 }), 10)
      const ids = (await webhooks.endpoints.list(ACCOUNT, {}, 100)).map(({ id }) => id)
      expect(ids).toEqual(['z-early', ...ordered, 'A-late'])
      const [first, second] = await webhooks.endpoints.list(ACCOUNT, {}, 2)
      expect([first?.id, second?.id]).toEqual(['z-early', 'W-10'])
      const after = { createdAt: START, id: 'W-10' }
      const next = await webhooks.endpoints.list(ACCOUNT, { after }, 3)
      expect(next.map(({ id }) => id)).toEqual(['W-9', 'W-B', 'W-a'])
      expect(await webhooks.endpoints.list(OTHER, { after }, 3)).toEqual([])
    })

    it('SW4 endpoints are filtered by whether they are enabled and by what they are subscribed to', async () => {
      const webhooks = await open()
      const failed = { eventTypes: ['handoff.failed'] } as const
      await webhooks.endpoints.create(anEndpoint('W-1', failed), 10)
      await webhooks.endpoints.create(anEndpoint('W-2', { ...failed, enabled: false }), 10)
      await webhooks.endpoints.create(anEndpoint('W-3', { eventTypes: ['handoff.accepted'] }), 10)
      await webhooks.endpoints.create(anEndpoint('W-4', { ...failed, accountId: OTHER }), 10)
      const ids = async (filter: EndpointFilter, limit = 10) =>
        (await webhooks.endpoints.list(ACCOUNT, filter, limit)).map(({ id }) => id)
      expect(await ids({ enabled: true })).toEqual(['W-1', 'W-3'])
      expect(await ids({ enabled: false })).toEqual(['W-2'])
      expect(await ids({ eventType: 'handoff.failed' })).toEqual(['W-1', 'W-2'])
      expect(await ids({ eventType: 'handoff.failed', enabled: true })).toEqual(['W-1'])
      expect(await ids({ eventType: 'alerts.triggered' })).toEqual([])
      const after = { createdAt: START, id: 'W-1' }
      expect(await ids({ eventType: 'handoff.failed', after })).toEqual(['W-2'])
      expect(await ids({ eventType: 'handoff.failed' }, 1)).toEqual(['W-1'])
    })

    it('SW5 an update replaces the endpoint; of updates at one version one wins', async () => {
      const webhooks = await open()
      const first = anEndpoint('W-1')
      await webhooks.endpoints.create(first, 10)
      const next = (racer: number) => ({ ...first, url: `https://${racer}.example.com/`, version: 2 })
      const results = await race(racer => webhooks.endpoints.update(1, next(racer)))
      expect(count(results, 'written')).toBe(1)
      expect(await webhooks.endpoints.find(ACCOUNT, first.id)).toEqual(next(results.indexOf('written')))
      expect(await webhooks.endpoints.update(1, next(0))).toBe('stale')
      expect(await webhooks.endpoints.update(1, anEndpoint('W-unknown'))).toBe('stale')
      expect(await webhooks.endpoints.find(ACCOUNT, 'W-unknown')).toBeNull()
    })

    it('SW6 an endpoint is deleted by its account alone, with its deliveries and no others', async () => {
      const webhooks = await open()
      for (const id of ['W-1', 'W-2']) {
        await webhooks.endpoints.create(anEndpoint(id), 10)
        await webhooks.deliveries.keepEvent(aWebhookEvent(`E-${id}`), id)
      }
      expect(await webhooks.endpoints.delete(OTHER, 'W-1')).toBe(false)
      expect(await webhooks.endpoints.delete(ACCOUNT, 'W-1')).toBe(true)
      expect(await webhooks.endpoints.delete(ACCOUNT, 'W-1')).toBe(false)
      expect(await webhooks.deliveries.find('W-1', 'E-W-1')).toBeNull()
      expect((await webhooks.deliveries.list({ endpointId: 'W-1' }, 10)).values).toEqual([])
      expect(await webhooks.deliveries.dueEndpoints(START, 10)).toEqual(['W-2'])
    })

    it('SW7 every string and every moment is kept as it is', async () => {
      const webhooks = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const at = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const endpoint = anEndpoint(`W-${text}`, {
          url: text,
          name: text,
          headers: { [text]: text },
          timeout: Math.abs(at),
          disabledReason: text,
          secret: text,
          previousSecret: { secret: text, until: at },
          createdAt: at,
          updatedAt: at,
        })
        await webhooks.endpoints.create(endpoint, 100)
        expect(await webhooks.endpoints.find(ACCOUNT, endpoint.id)).toEqual(endpoint)
        const event = aWebhookEvent(`E-${text}`, { body: text, at })
        await webhooks.deliveries.keepEvent(event, endpoint.id)
        const [claimed] = await webhooks.deliveries.claim(endpoint.id, at, 1, at + 1)
        expect(claimed?.event).toEqual(event)
      }
    })

    it('SW8 values are copied in and out', async () => {
      const webhooks = await open()
      const endpoint = frozen(anEndpoint('W-1'))
      await scribbling(endpoint, copy => webhooks.endpoints.create(copy, 10))
      const event = frozen(aWebhookEvent('E-1'))
      await scribbling(event, copy => webhooks.deliveries.keepEvent(copy, endpoint.id))
      scribble(await webhooks.endpoints.find(ACCOUNT, endpoint.id))
      const changed = frozen({ ...endpoint, name: 'changed', version: 2 })
      await scribbling(changed, copy => webhooks.endpoints.update(1, copy))
      const claimed = await webhooks.deliveries.claim(endpoint.id, START, 1, START + 1)
      expect(claimed).toMatchObject([{ event, endpoint: changed }])
      scribble(claimed)
      expect(await webhooks.deliveries.find(endpoint.id, event.id)).toMatchObject({
        delivery: { inFlight: true },
      })
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SW9 all of it is there when the store is opened again', async () => {
        const store = await factory.open()
        const endpoint = anEndpoint('W-1')
        await store.webhooks.endpoints.create(endpoint, 10)
        await store.webhooks.deliveries.keepEvent(aWebhookEvent('E-1'), endpoint.id)
        await store.webhooks.deliveries.claim(endpoint.id, START, 1, START + 5)
        const before = await store.webhooks.deliveries.find(endpoint.id, 'E-1')
        const { webhooks } = await reopenForTest(reopen, store)
        expect(await webhooks.endpoints.list(ACCOUNT, {}, 100)).toEqual([endpoint])
        expect(await webhooks.deliveries.find(endpoint.id, 'E-1')).toEqual(before)
        expect(await webhooks.deliveries.dueEndpoints(START + 4, 10)).toEqual([])
        expect(await webhooks.deliveries.dueEndpoints(START + 5, 10)).toEqual(['W-1'])
      })
    }
  })
}
