import { describe, expect, it } from 'vitest'
import type { CounterFilter } from '../../../../ports/store/counters.ts'
import { ACCOUNT, AGENT, aCount, anAlertRule, START } from '../../../fixtures.ts'
import { openForTest, RACERS, race, type StoreFactory } from '../tools.ts'

const OTHER = 'ws-other'
const MINUTE = 60_000

function describeRules(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).alerts.rules

  it('SW1 a rule is found, and deleted at its version, by its account alone; its id is taken for all', async () => {
    const rules = await open()
    for (const id of ['ar_1', 'ar_2']) await rules.create(anAlertRule(id), 10)
    expect(await rules.find(ACCOUNT, 'ar_1')).toEqual(anAlertRule('ar_1'))
    expect([await rules.find(OTHER, 'ar_1'), await rules.find(ACCOUNT, 'AR_1')]).toEqual([null, null])
    expect(await rules.create(anAlertRule('ar_1', { accountId: OTHER }), 10)).toBe('taken')
    expect(await rules.update(1, anAlertRule('ar_unknown'))).toBe('stale')
    const wrong = [
      await rules.delete(OTHER, 'ar_1', 1),
      await rules.delete(ACCOUNT, 'ar_1', 2),
      await rules.delete(ACCOUNT, 'ar_none', 1),
    ]
    expect(wrong).toEqual(['stale', 'stale', 'stale'])
    expect(await rules.delete(ACCOUNT, 'ar_1', 1)).toBe('deleted')
    expect((await rules.list(ACCOUNT)).map(({ id }) => id)).toEqual(['ar_2'])
  })

  it('SC30 accounts with an enabled rule are claimed, once until the claim expires; the store tells when the next one is', async () => {
    const rules = await open()
    expect([await rules.claimAccounts(START, START + 10), await rules.nextDue()]).toEqual([[], null])
    await rules.create(anAlertRule('ar_3', { accountId: OTHER, enabled: false }), 10)
    expect(await rules.nextDue()).toBeNull()
    for (const id of ['ar_1', 'ar_2']) await rules.create(anAlertRule(id), 10)
    expect(await rules.nextDue()).toBeLessThanOrEqual(START)
    const claims = await race(() => rules.claimAccounts(START, START + 10))
    expect(claims.flat()).toEqual([ACCOUNT])
    expect(await rules.nextDue()).toBe(START + 10)
    expect(await rules.claimAccounts(START + 9, START + 19)).toEqual([])
    expect(await rules.claimAccounts(START + 10, START + 20)).toEqual([ACCOUNT])
    await rules.update(1, anAlertRule('ar_3', { accountId: OTHER, version: 2 }))
    expect(await rules.nextDue()).toBeLessThanOrEqual(START)
    expect(await rules.claimAccounts(START + 11, START + 21)).toEqual([OTHER])
    for (const id of ['ar_1', 'ar_2']) await rules.delete(ACCOUNT, id, 1)
    expect(await rules.claimAccounts(START + 30, START + 40)).toEqual([OTHER])
  })

  it('SC30 a claim that reaches further than one could now is void', async () => {
    const rules = await open()
    await rules.create(anAlertRule('ar_1'), 10)
    expect(await rules.claimAccounts(START + 1_000, START + 1_010)).toEqual([ACCOUNT])
    expect(await rules.claimAccounts(START + 990, START + 1_000)).toEqual([])
    expect(await rules.claimAccounts(START, START + 10)).toEqual([ACCOUNT])
  })

  it('SC30 a rule that comes while its account is claimed for the last time is claimed too', async () => {
    for (const maker of [1, 2, 4, 6]) {
      const rules = await open()
      await rules.create(anAlertRule('ar_1'), 10)
      await rules.delete(ACCOUNT, 'ar_1', 1)
      await race<unknown>(racer =>
        racer === maker ? rules.create(anAlertRule('ar_2'), 10) : rules.claimAccounts(START, START + 10),
      )
      expect(await rules.claimAccounts(START + 20, START + 30)).toEqual([ACCOUNT])
    }
  })
}

function describeCounters(factory: StoreFactory): void {
  const open = async () => {
    const { counters } = (await openForTest(factory)).alerts
    const sum = async (filter: Partial<CounterFilter>) =>
      (await counters.sum({ accountId: ACCOUNT, name: 'api_errors', from: 0, ...filter })).map(
        ({ value, count }) => [value, count],
      )
    return { counters, sum }
  }

  it('AL25 what is added is summed by value, ascending', async () => {
    const { counters, sum } = await open()
    await counters.add([])
    const values = { 900: 2, 90: 1 }
    await counters.add(
      Object.entries(values).map(([value, count]) => aCount('api_errors', { value: Number(value), count })),
    )
    await counters.add([
      aCount('api_errors', { value: 900 }),
      aCount('api_errors', { value: 1_000, minute: START + MINUTE }),
    ])
    expect(await sum({})).toEqual([
      [90, 1],
      [900, 3],
      [1_000, 1],
    ])
    expect(await sum({ name: 'call_crashes' })).toEqual([])
  })

  it('AL25 accounts, names, agents and minutes are counted apart', async () => {
    const { counters, sum } = await open()
    await counters.add([
      aCount('api_errors', { count: 1 }),
      aCount('api_errors', { count: 10, agentId: 'PROJECT-two' }),
      aCount('api_errors', { count: 100, agentId: null }),
      aCount('api_errors', { count: 1_000, accountId: OTHER }),
      aCount('call_crashes', { count: 10_000 }),
      aCount('api_errors', { count: 100_000, minute: START - MINUTE }),
    ])
    expect(await sum({})).toEqual([[0, 100_111]])
    expect(await sum({ from: START })).toEqual([[0, 111]])
    expect(await sum({ from: START, agentId: AGENT })).toEqual([[0, 1]])
    expect(await sum({ from: START, agentId: 'PROJECT-two' })).toEqual([[0, 10]])
    expect(await sum({ from: START, accountId: OTHER })).toEqual([[0, 1_000]])
    expect(await sum({ from: START + 1 })).toEqual([])
  })

  it('RO12 the turns of a deployment are summed alone, and with all others', async () => {
    const { counters, sum } = await open()
    const ran = (deploymentId: string, value: number, count = 1) =>
      aCount('api_errors', { deploymentId, value, count })
    await counters.add([
      aCount('api_errors', { value: 5 }),
      ran('D-1', 5, 10),
      ran('D-2', 5, 100),
      ran('D-1', 6),
    ])
    await counters.add([ran('D-1', 5, 1_000), { ...ran('D-1', 5), agentId: 'PROJECT-two' }])
    expect(await sum({})).toEqual([
      [5, 1_112],
      [6, 1],
    ])
    expect(await sum({ agentId: AGENT, deploymentId: 'D-1' })).toEqual([
      [5, 1_010],
      [6, 1],
    ])
    expect(await sum({ deploymentId: 'D-2' })).toEqual([[5, 100]])
    expect(await sum({ deploymentId: 'd-1' })).toEqual([])
  })

  it('AL25 racers lose no count', async () => {
    const { counters, sum } = await open()
    const both = [aCount('call_volume'), aCount('api_errors')]
    await race(racer => counters.add(racer % 2 === 0 ? both : both.toReversed()))
    for (const { name } of both) expect(await sum({ name })).toEqual([[0, RACERS]])
  })

  it('AL25 the oldest counters are forgotten first, so many at a time', async () => {
    const { counters, sum } = await open()
    for (const at of [3, 1, 2, 0])
      await counters.add([aCount('api_errors', { minute: START + at * MINUTE, value: at })])
    const forget = (before: number, limit: number) => counters.forget(START + before * MINUTE, limit)
    expect([await forget(0, 10), await forget(3, 2)]).toEqual([0, 2])
    expect(await sum({})).toEqual([
      [2, 1],
      [3, 1],
    ])
    expect([await forget(3, 2), await forget(3, 2)]).toEqual([1, 0])
    expect(await sum({})).toEqual([[3, 1]])
  })
}

/** Tests of alert rules and counters (SW1, SC30 and AL25). */
export function describeAlerts(factory: StoreFactory): void {
  describe('alert rules', () => describeRules(factory))
  describe('counters', () => describeCounters(factory))
}
