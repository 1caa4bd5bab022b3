import { describe, expect, it } from 'vitest'
import { ACCOUNT, AGENT, aCount, anAgent, START } from '../../fixtures.ts'
import {
  HARD_STRINGS,
  openForTest,
  RACERS,
  race,
  reopenForTest,
  type StoreFactory,
  scribbling,
} from './tools.ts'

const OTHER = 'ws-other'
const MINUTE = 60_000

/** Rules SL20 to SL26: counters. */
export function describeCounters(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).alerts.counters
  const of = (name: Parameters<typeof aCount>[0], from = 0, accountId = ACCOUNT) => ({
    accountId,
    name,
    from,
  })

  describe('counters', () => {
    it('SL20 what is added is summed by value, ascending', async () => {
      const counters = await open()
      await counters.add([])
      await counters.add([
        aCount('turn_latency', { value: 900, count: 2 }),
        aCount('turn_latency', { value: 90 }),
        aCount('turn_latency', { value: 900 }),
      ])
      await counters.add([aCount('turn_latency', { value: 1_000, minute: START + MINUTE })])
      expect(await counters.sum(of('turn_latency'))).toEqual([
        { value: 90, count: 1 },
        { value: 900, count: 3 },
        { value: 1_000, count: 1 },
      ])
      expect(await counters.sum(of('api_errors'))).toEqual([])
    })

    it('SL21 accounts, names, agents and minutes are counted apart', async () => {
      const counters = await open()
      await counters.add([
        aCount('api_errors', { count: 1 }),
        aCount('api_errors', { count: 10, agentId: 'PROJECT-two' }),
        aCount('api_errors', { count: 100, agentId: null }),
        aCount('api_errors', { count: 1_000, accountId: OTHER }),
        aCount('call_crashes', { count: 10_000 }),
        aCount('api_errors', { count: 100_000, minute: START - MINUTE }),
      ])
      const sum = async (filter: Parameters<typeof counters.sum>[0]) =>
        (await counters.sum(filter)).map(({ count }) => count)
      expect(await sum(of('api_errors'))).toEqual([100_111])
      expect(await sum(of('api_errors', START))).toEqual([111])
      expect(await sum({ ...of('api_errors', START), agentId: AGENT })).toEqual([1])
      expect(await sum({ ...of('api_errors', START), agentId: 'PROJECT-two' })).toEqual([10])
      expect(await sum(of('api_errors', START, OTHER))).toEqual([1_000])
      expect(await sum(of('api_errors', START + 1))).toEqual([])
    })

    it('SL22 racers lose no count', async () => {
      const counters = await open()
      const both = [aCount('call_volume'), aCount('api_errors')]
      await race(racer => counters.add(racer % 2 === 0 ? both : [...both].reverse()))
      for (const { name } of both) expect(await counters.sum(of(name))).toEqual([{ value: 0, count: RACERS }])
    })

    it('SL23 the oldest counters are forgotten first, so many at a time', async () => {
      const counters = await open()
      for (const at of [3, 1, 2, 0])
        await counters.add([aCount('call_volume', { minute: START + at * MINUTE, value: at })])
      expect(await counters.forget(START, 10)).toBe(0)
      expect(await counters.forget(START + 3 * MINUTE, 2)).toBe(2)
      expect((await counters.sum(of('call_volume'))).map(({ value }) => value)).toEqual([2, 3])
      expect(await counters.forget(START + 3 * MINUTE, 2)).toBe(1)
      expect(await counters.forget(START + 3 * MINUTE, 2)).toBe(0)
      expect((await counters.sum(of('call_volume'))).map(({ value }) => value)).toEqual([3])
    })

    it('SL24 an agent that is deleted takes its counters along, and no others', async () => {
      const store = await openForTest(factory)
      const { counters } = store.alerts
      await store.agents.create(anAgent())
      await counters.add([
        aCount('call_volume'),
        aCount('turn_latency', { value: 7 }),
        aCount('call_volume', { agentId: 'PROJECT-two', value: 1 }),
        aCount('call_volume', { agentId: null, value: 2 }),
      ])
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect((await counters.sum(of('call_volume'))).map(({ value }) => value)).toEqual([1, 2])
      expect(await counters.sum(of('turn_latency'))).toEqual([])
    })

    it('SL25 counts are kept to any size, of any account and agent, and copied in', async () => {
      const counters = await open()
      for (const text of HARD_STRINGS) {
        const counted = aCount('call_volume', { accountId: text, agentId: `a${text}`, count: 2 ** 40 })
        await scribbling([counted, counted], copies => counters.add(copies))
        expect(await counters.sum({ ...of('call_volume', 0, text), agentId: `a${text}` })).toEqual([
          { value: 0, count: 2 ** 41 },
        ])
      }
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SL26 counters are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.alerts.counters.add([aCount('call_volume')])
        const { counters } = (await reopenForTest(reopen, store)).alerts
        await counters.add([aCount('call_volume')])
        expect(await counters.sum(of('call_volume'))).toEqual([{ value: 0, count: 2 }])
      })
    }
  })
}
