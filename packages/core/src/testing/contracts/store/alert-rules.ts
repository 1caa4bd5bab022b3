import { describe, expect, it } from 'vitest'
import { ACCOUNT, AGENT, anAgent, anAlertRule, anEndpoint, aWebhookEvent, START } from '../../fixtures.ts'
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

/** Rules SL1 to SL12, SL27 and SL28: alert rules. */
export function describeAlertRules(factory: StoreFactory): void {
  const open = async () => (await openForTest(factory)).alerts.rules

  describe('rules', () => {
    it('SL1 a rule is found by its account and id, exactly as it was created', async () => {
      const rules = await open()
      const rule = anAlertRule('ar_1', {
        ...{ agentId: AGENT, enabled: false, state: 'alert', since: START + 1, currentValue: 7 },
        ...{ lastEvaluatedAt: START + 2, version: 3, updatedAt: START + 3 },
      })
      expect(await rules.create(rule, 10)).toBe('created')
      expect(await rules.find(ACCOUNT, 'ar_1')).toEqual(rule)
      expect(await rules.find(OTHER, 'ar_1')).toBeNull()
      expect(await rules.find(ACCOUNT, 'AR_1')).toBeNull()
      expect(await rules.create(anAlertRule('ar_1', { accountId: OTHER }), 10)).toBe('taken')
      expect(await rules.list(OTHER)).toEqual([])
    })

    it('SL2 an account that has its number of rules is full, others are not', async () => {
      const rules = await open()
      for (const id of ['ar_1', 'ar_2']) await rules.create(anAlertRule(id), 2)
      expect(await rules.create(anAlertRule('ar_3'), 2)).toBe('full')
      expect(await rules.list(ACCOUNT)).toHaveLength(2)
      expect(await rules.create(anAlertRule('ar_3', { accountId: OTHER }), 2)).toBe('created')
      expect(await rules.delete(ACCOUNT, 'ar_1', 1)).toBe('deleted')
      expect(await rules.create(anAlertRule('ar_4'), 2)).toBe('created')
      expect(await rules.create(anAlertRule('ar_5'), 2)).toBe('full')
      expect(await rules.create(anAlertRule('ar_6', { accountId: 'ws-none' }), 0)).toBe('full')
    })

    it('SL3 racers do not get beyond the number', async () => {
      const rules = await open()
      const results = await race(racer => rules.create(anAlertRule(`ar_${racer}`), 3))
      expect(count(results, 'created')).toBe(3)
      expect(count(results, 'full')).toBe(RACERS - 3)
      expect(await rules.list(ACCOUNT)).toHaveLength(3)
    })

    it('SL4 rules come oldest first, then by the code points of the id', async () => {
      const rules = await open()
      const ordered = ['A', 'B', 'a', '\uffff', '\u{1f600}']
      await rules.create(anAlertRule('0-late', { createdAt: START + 1 }), 10)
      for (const id of [...ordered].reverse()) await rules.create(anAlertRule(id), 10)
      await rules.create(anAlertRule('z-early', { createdAt: 0 }), 10)
      const ids = (await rules.list(ACCOUNT)).map(({ id }) => id)
      expect(ids).toEqual(['z-early', ...ordered, '0-late'])
    })

    it('SL5 an update replaces the rule; of updates at one version one wins', async () => {
      const rules = await open()
      await rules.create(anAlertRule('ar_1'), 10)
      const next = (racer: number) =>
        anAlertRule('ar_1', { name: `Racer ${racer}`, agentId: AGENT, enabled: false, version: 2 })
      const results = await race(racer => rules.update(1, next(racer)))
      expect(count(results, 'written')).toBe(1)
      expect(await rules.find(ACCOUNT, 'ar_1')).toEqual(next(results.indexOf('written')))
      expect(await rules.update(1, next(0))).toBe('stale')
      expect(await rules.update(1, anAlertRule('ar_unknown'))).toBe('stale')
      expect(await rules.list(ACCOUNT)).toHaveLength(1)
    })

    it('SL6 a rule is deleted by its account alone, at its version', async () => {
      const rules = await open()
      for (const id of ['ar_1', 'ar_2']) await rules.create(anAlertRule(id), 10)
      expect(await rules.delete(OTHER, 'ar_1', 1)).toBe('stale')
      expect(await rules.delete(ACCOUNT, 'ar_1', 2)).toBe('stale')
      const results = await race(() => rules.delete(ACCOUNT, 'ar_1', 1))
      expect(count(results, 'deleted')).toBe(1)
      expect(await rules.delete(ACCOUNT, 'ar_none', 1)).toBe('stale')
      expect((await rules.list(ACCOUNT)).map(({ id }) => id)).toEqual(['ar_2'])
    })

    it('SL7 events of a write are kept with it, and those of a write that loses are not', async () => {
      const store = await openForTest(factory)
      const { rules } = store.alerts
      await store.webhooks.endpoints.create(anEndpoint('W-1'), 10)
      await rules.create(anAlertRule('ar_1'), 10)
      const results = await race(racer => {
        const event = aWebhookEvent(`E-${racer}`, { type: 'alerts.triggered', conversationId: null })
        return rules.update(1, anAlertRule('ar_1', { state: 'alert', version: 2 }), { webhooks: [event] })
      })
      const gone = aWebhookEvent('E-gone', { type: 'alerts.resolved', conversationId: null, at: START + 1 })
      expect(await rules.delete(ACCOUNT, 'ar_1', 1, { webhooks: [gone] })).toBe('stale')
      expect(await rules.delete(ACCOUNT, 'ar_1', 2, { webhooks: [gone] })).toBe('deleted')
      const { values } = await store.webhooks.deliveries.list({ endpointId: 'W-1' }, 10)
      expect(values.map(({ delivery }) => delivery.eventId)).toEqual([
        'E-gone',
        `E-${results.indexOf('written')}`,
      ])
    })

    it('SL8 accounts with an enabled rule are claimed, once until the claim expires', async () => {
      const rules = await open()
      expect(await rules.claimAccounts(START, START + 10)).toEqual([])
      await rules.create(anAlertRule('ar_1'), 10)
      await rules.create(anAlertRule('ar_2'), 10)
      await rules.create(anAlertRule('ar_3', { accountId: OTHER, enabled: false }), 10)
      const claims = await race(() => rules.claimAccounts(START, START + 10))
      expect(claims.flat()).toEqual([ACCOUNT])
      expect(await rules.claimAccounts(START + 9, START + 19)).toEqual([])
      expect(await rules.claimAccounts(START + 10, START + 20)).toEqual([ACCOUNT])
      await rules.update(1, anAlertRule('ar_3', { accountId: OTHER, version: 2 }))
      expect(await rules.claimAccounts(START + 11, START + 21)).toEqual([OTHER])
      for (const id of ['ar_1', 'ar_2']) await rules.delete(ACCOUNT, id, 1)
      expect(await rules.claimAccounts(START + 30, START + 40)).toEqual([OTHER])
    })

    it('SL28 tells when the next account is to be claimed', async () => {
      const rules = await open()
      expect(await rules.nextDue()).toBeNull()
      await rules.create(anAlertRule('ar_1', { enabled: false }), 10)
      expect(await rules.nextDue()).toBeNull()
      await rules.create(anAlertRule('ar_2'), 10)
      expect(await rules.nextDue()).toBeLessThanOrEqual(START)
      await rules.claimAccounts(START, START + 10)
      expect(await rules.nextDue()).toBe(START + 10)
      await rules.create(anAlertRule('ar_3', { accountId: OTHER }), 10)
      expect(await rules.nextDue()).toBeLessThanOrEqual(START)
      await rules.claimAccounts(START + 5, START + 15)
      expect(await rules.nextDue()).toBe(START + 10)
    })

    it('SL27 a rule that comes while its account is claimed for the last time is claimed too', async () => {
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

    it('SL9 a claim that reaches further than one could now is void', async () => {
      const rules = await open()
      await rules.create(anAlertRule('ar_1'), 10)
      expect(await rules.claimAccounts(START + 1_000, START + 1_010)).toEqual([ACCOUNT])
      expect(await rules.claimAccounts(START + 990, START + 1_000)).toEqual([])
      expect(await rules.claimAccounts(START, START + 10)).toEqual([ACCOUNT])
    })

    it('SL10 an agent that is deleted takes its rules along, and no others', async () => {
      const store = await openForTest(factory)
      const { rules } = store.alerts
      await store.agents.create(anAgent())
      await rules.create(anAlertRule('ar_own', { agentId: AGENT }), 2)
      await rules.create(anAlertRule('ar_whole'), 2)
      expect(await store.agents.delete('PROJECT-none', START)).toBe(false)
      expect(await rules.list(ACCOUNT)).toHaveLength(2)
      expect(await store.agents.delete(AGENT, START)).toBe(true)
      expect((await rules.list(ACCOUNT)).map(({ id }) => id)).toEqual(['ar_whole'])
      expect(await rules.create(anAlertRule('ar_next'), 2)).toBe('created')
      expect(await rules.create(anAlertRule('ar_more'), 2)).toBe('full')
    })

    it('SL11 every string and every moment is kept as it is, and values are copied in and out', async () => {
      const rules = await open()
      for (const [index, text] of HARD_STRINGS.entries()) {
        const at = EXTREME_TIMES[index % EXTREME_TIMES.length] ?? 0
        const times = { since: at, lastEvaluatedAt: at, createdAt: at, updatedAt: at }
        const rule = frozen(anAlertRule(`ar_${text}`, { name: text, agentId: text, threshold: at, ...times }))
        await scribbling(rule, copy => rules.create(copy, 100))
        expect(await rules.find(ACCOUNT, rule.id)).toEqual(rule)
      }
      const [first] = await rules.list(ACCOUNT)
      scribble(await rules.list(ACCOUNT))
      expect((await rules.list(ACCOUNT))[0]).toEqual(first)
    })

    const { reopen } = factory
    if (reopen !== undefined) {
      it('SL12 rules and claims are there when the store is opened again', async () => {
        const store = await factory.open()
        await store.alerts.rules.create(anAlertRule('ar_1'), 10)
        await store.alerts.rules.claimAccounts(START, START + 10)
        const { rules } = (await reopenForTest(reopen, store)).alerts
        expect(await rules.list(ACCOUNT)).toEqual([anAlertRule('ar_1')])
        expect(await rules.claimAccounts(START + 9, START + 19)).toEqual([])
        expect(await rules.claimAccounts(START + 10, START + 20)).toEqual([ACCOUNT])
      })
    }
  })
}
