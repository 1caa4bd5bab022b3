import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ALERT_METRICS,
  ALERT_OPERATORS,
  ALERT_WINDOWS,
  type AlertRule,
  type AlertRuleSettings,
} from '../../src/domain/alert/alert-rule.ts'
import {
  countedValue,
  figureOf,
  firstMinute,
  MINUTE,
  minuteOf,
  percentile,
} from '../../src/domain/alert/counters.ts'
import { alertData, changed, ended, evaluated } from '../../src/domain/alert/decide.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { ACCOUNT, AGENT, anAlertRule, aTurn, createFakeClock, START } from '../../src/testing/index.ts'
import { createCounting } from '../../src/usecases/alerts/counting.ts'

const WINDOWS = Object.keys(ALERT_WINDOWS).filter(
  (name): name is keyof typeof ALERT_WINDOWS => name in ALERT_WINDOWS,
)

const settings = fc.record<Partial<AlertRuleSettings>>(
  {
    name: fc.string(),
    agentId: fc.constantFrom(null, 'PROJECT-ONE', 'PROJECT-TWO'),
    metric: fc.constantFrom(...ALERT_METRICS),
    operator: fc.constantFrom(...ALERT_OPERATORS),
    threshold: fc.nat(4),
    window: fc.constantFrom(...WINDOWS),
    enabled: fc.boolean(),
  },
  { requiredKeys: [] },
)

type Step =
  | { readonly type: 'evaluate'; readonly value: number | null }
  | { readonly type: 'change'; readonly change: Partial<AlertRuleSettings> }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.option(fc.nat(8)).map(value => ({ type: 'evaluate' as const, value })) },
  { weight: 1, arbitrary: settings.map(change => ({ type: 'change' as const, change })) },
)

describe('a rule', () => {
  test.each([
    ['>', 3, 'ok'],
    ['>', 4, 'alert'],
    ['<', 3, 'ok'],
    ['<', 2, 'alert'],
    ['>=', 2, 'ok'],
    ['>=', 3, 'alert'],
    ['<=', 4, 'ok'],
    ['<=', 3, 'alert'],
  ] as const)('AL10 %s 3 of %i is %s', (operator, value, state) => {
    const { rule } = evaluated(anAlertRule('ar_1', { operator, threshold: 3 }), value, START + 9)
    const times = { since: START + 9, lastEvaluatedAt: START + 9, updatedAt: START }
    expect(rule).toMatchObject({ state, currentValue: value, version: 2, ...times })
  })

  test('AL10 without a value it has no data; since moves with the state alone', () => {
    const first = evaluated(anAlertRule('ar_1'), null, START + 1).rule
    const second = evaluated(first, null, START + 2).rule
    const third = evaluated(second, 9, START + 3).rule
    const fourth = evaluated(third, 8, START + 4).rule
    expect([first, second, third, fourth].map(({ state, since }) => [state, since])).toEqual([
      ['no_data', START + 1],
      ['no_data', START + 1],
      ['alert', START + 3],
      ['alert', START + 3],
    ])
    expect(fourth).toMatchObject({ lastEvaluatedAt: START + 4, currentValue: 8 })
  })

  const alerting = anAlertRule('ar_1', {
    state: 'alert',
    since: START,
    currentValue: 9,
    agentId: 'PROJECT-ONE',
  })

  test.each<[string, Partial<AlertRuleSettings>]>([
    ['agent', { agentId: null }],
    ['metric', { metric: 'api_errors' }],
    ['operator', { operator: '>=' }],
    ['threshold', { threshold: 4 }],
    ['window', { window: '10m' }],
  ])('AL10 a change of its %s sets the state to unknown', (_, change) => {
    const { rule, event } = changed(alerting, change, START + 5)
    expect(rule).toMatchObject({ ...change, state: 'unknown', since: null, currentValue: null })
    expect(rule).toMatchObject({ version: 2, updatedAt: START + 5 })
    expect(event).toBe('alerts.resolved')
  })

  test('AL10 a name, the same again, or disabling keeps the state; enabling starts at unknown', () => {
    const kept = { state: 'alert', since: START, currentValue: 9 }
    for (const change of [
      { name: 'Other' },
      { threshold: 3, window: '5m' as const },
      { enabled: false },
      {},
    ]) {
      const { rule, event } = changed(alerting, change, START + 5)
      expect([rule, event]).toMatchObject([{ ...change, ...kept }, null])
    }
    const disabled = changed(alerting, { enabled: false }, START + 5).rule
    expect(changed(disabled, { enabled: true }, START + 6)).toMatchObject({
      rule: { state: 'unknown', since: null, enabled: true },
      event: 'alerts.resolved',
    })
  })

  test('AL12 through any history triggered and resolved alternate, and the end resolves what is open', () => {
    fc.assert(
      fc.property(settings, fc.array(step, { maxLength: 40 }), (first, steps) => {
        let rule: AlertRule = anAlertRule('ar_1', first)
        const told: string[] = []
        let now = START
        for (const one of steps) {
          now += 15_000
          const version = rule.version
          const decision =
            one.type === 'evaluate' ? evaluated(rule, one.value, now) : changed(rule, one.change, now)
          rule = decision.rule
          if (decision.event !== null) told.push(decision.event)
          expect(rule.version).toBe(version + 1)
          expect(rule.since === null).toBe(rule.state === 'unknown')
          expect(decision.event === 'alerts.triggered').toBe(
            told.length % 2 === 1 && rule.since === now && rule.state === 'alert',
          )
          expect(rule.state === 'alert').toBe(told.length % 2 === 1)
        }
        const last = ended(rule)
        if (last !== null) told.push(last)
        expect(told).toEqual(
          told.map((_, index) => (index % 2 === 0 ? 'alerts.triggered' : 'alerts.resolved')),
        )
        expect(told.length % 2).toBe(0)
      }),
      { numRuns: runs(300, 5_000) },
    )
  })

  test('AL12 an event says the settings, the value, and since when', () => {
    expect(alertData(alerting, START + 7)).toEqual({
      alert_rule_id: 'ar_1',
      name: 'Rule ar_1',
      project_id: 'PROJECT-ONE',
      metric: 'function_errors',
      operator: '>',
      threshold_value: 3,
      window_duration: '5m',
      current_value: 9,
      since: new Date(START + 7).toISOString(),
    })
  })
})

describe('figures', () => {
  const counts = fc.array(fc.record({ value: fc.nat(5_000), count: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 30,
  })

  test('AL23 a percentile is the smallest value that the share of all does not exceed', () => {
    fc.assert(
      fc.property(counts, fc.constantFrom(0.5, 0.95), (values, share) => {
        const all = values.flatMap(({ value, count }) => Array.from({ length: count }, () => value))
        const found = percentile(values, share)
        if (all.length === 0) {
          expect(found).toBeNull()
          return
        }
        const within = (bound: number) => all.filter(one => one <= bound).length
        expect(all).toContain(found)
        expect(within(found ?? 0)).toBeGreaterThanOrEqual(all.length * share)
        expect(within((found ?? 0) - 1)).toBeLessThan(all.length * share)
      }),
      { numRuns: runs(300, 5_000) },
    )
    const turns = [100, 200, 300, 4_000].map(value => ({ value, count: 1 }))
    expect([figureOf('turn_latency_p50', turns), figureOf('turn_latency_p95', turns)]).toEqual([200, 4_000])
    expect([figureOf('turn_latency_p50', []), figureOf('call_volume', [])]).toEqual([null, 0])
    expect(figureOf('api_errors', [{ value: 0, count: 3 }])).toBe(3)
  })

  test('AL23 values are counted exactly below 2,048, and to a thousandth from there, in order', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (one, other) => {
        const [mine, theirs] = [countedValue(one), countedValue(other)]
        expect(Number.isInteger(mine)).toBe(true)
        expect(Math.abs(mine - one)).toBeLessThanOrEqual(one < 2_048 ? 0 : one / 1_000)
        expect(countedValue(mine)).toBe(mine)
        if (one <= other) expect(mine).toBeLessThanOrEqual(theirs)
      }),
      { numRuns: runs(500, 20_000) },
    )
    const every = Array.from({ length: 600_000 }, (_, ms) => countedValue(ms))
    expect(new Set(every).size).toBeLessThan(12_000)
    expect([countedValue(-3), countedValue(0.4), countedValue(2_047)]).toEqual([0, 0, 2_047])
  })

  test('AL23 a window holds the minutes that began within it, and nothing that is older', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.constantFrom(...Object.values(ALERT_WINDOWS)),
        fc.integer({ min: 0, max: 5_000_000 }),
        (offset, window, ago) => {
          const now = START + offset
          const first = firstMinute(now, window)
          expect(first % MINUTE).toBe(0)
          expect(now - first).toBeLessThanOrEqual(window)
          expect(now - first).toBeGreaterThan(window - MINUTE)
          const minute = minuteOf(now - ago)
          expect(minute >= first).toBe(now - minute <= window)
        },
      ),
      { numRuns: runs(300, 5_000) },
    )
  })
})

describe('counts of a deployment', () => {
  const turn = fc.record({
    process: fc.nat(1),
    deployment_id: fc.constantFrom('', 'D-1', 'D-2'),
    seconds: fc.constantFrom(0.1, 0.2, 3),
    isFlushed: fc.boolean(),
  })
  type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

  test('RO12 the sides and the turns of no deployment make up all, whichever process counts and when it writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 30 }), async turns => {
        const { counters } = createMemoryStore().alerts
        const clock = createFakeClock(START)
        const settings = { alerts: { flushInterval: 5_000 } as never, onError: () => {} }
        const processes = [0, 1].map(() => createCounting({ clock, counters, settings }))
        const state = { kind: 'messaging', environment: 'live', accountId: ACCOUNT, agentId: AGENT } as never
        for (const { deployment_id, isFlushed, process, seconds } of turns) {
          const record = { ...aTurn('Hello').record, latency: seconds }
          processes[process]?.turns(state, [{ record, details: { deployment_id, input_type: 'message' } }])
          if (isFlushed) await processes[process]?.flush()
        }
        for (const process of processes) await process.stop()
        const expected = (wanted: (one: Turn) => boolean) =>
          [100, 200, 3_000]
            .map(value => ({
              value: countedValue(value),
              count: turns.filter(one => wanted(one) && one.seconds * 1_000 === value).length,
            }))
            .filter(({ count }) => count > 0)
        const sum = (of: { readonly deploymentId?: string }) =>
          counters.sum({ accountId: ACCOUNT, agentId: AGENT, name: 'turn_latency', from: 0, ...of })
        expect(await sum({})).toEqual(expected(() => true))
        for (const deploymentId of ['D-1', 'D-2'])
          expect(await sum({ deploymentId })).toEqual(expected(one => one.deployment_id === deploymentId))
      }),
      { numRuns: runs(60, 600) },
    )
  })
})
