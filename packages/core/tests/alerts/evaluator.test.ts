import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AlertRule } from '../../src/domain/alert/alert-rule.ts'
import type { NewAlertRule } from '../../src/domain/alert/schemas.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { describeRoute } from '../../src/http/route.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { Store } from '../../src/ports/store/store.ts'
import {
  aCount,
  aNewEndpoint,
  anAccount,
  anAgent,
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  START,
} from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const ACCOUNT = 'ws-one'
const AGENT = 'PROJECT-ONE'
const ROUND = 15_000
const MINUTE = 60_000

const CRASHES = {
  name: 'Crashes',
  metric: 'call_crashes',
  operator: '>',
  threshold: 0,
  window: '5m',
} as const

/** Processes over one store, and an endpoint whose deliveries say what was told. */
async function begin() {
  const clock = createFakeClock(START)
  const store = createMemoryStore()
  const ids = createSequentialIds()
  const errors: unknown[] = []
  const runtime = createScriptedRuntime(
    { messages: { fail: [{ type: 'fail', message: 'broken' }] }, otherwise: 'Yes.' },
    clock,
  )
  const start = (options: Partial<PlatformOptions> = {}): Platform =>
    createPlatform({
      store: { ...store, close: async () => undefined },
      ...{ clock, ids, runtime, rateLimits: null, onError: error => errors.push(error) },
      ...options,
    })
  await store.access.accounts.create(anAccount(ACCOUNT))
  await store.agents.create(anAgent(AGENT, { accountId: ACCOUNT }))
  const one = start()
  const { endpoint } = await one.webhooks.createEndpoint(ACCOUNT, aNewEndpoint())
  const rule = (values: Partial<NewAlertRule> = {}) =>
    one.alerts.createRule(ACCOUNT, { ...CRASHES, ...values })
  const now = (of: AlertRule) => one.alerts.rule(ACCOUNT, of.id)
  const told = async () => {
    const { deliveries } = await one.webhooks.deliveries(ACCOUNT, endpoint.id)
    return deliveries.map(({ event }) => event.type).reverse()
  }
  const count = (name: Parameters<typeof aCount>[0], values: Parameters<typeof aCount>[1] = {}) =>
    store.alerts.counters.add([
      aCount(name, { accountId: ACCOUNT, agentId: AGENT, minute: minute(), ...values }),
    ])
  const minute = () => Math.floor(clock.now() / MINUTE) * MINUTE
  return { clock, store, errors, one, start, rule, now, told, count, endpoint }
}

type Bench = Awaited<ReturnType<typeof begin>>

const sums = ({ store }: Pick<Bench, 'store'>, name: Parameters<typeof aCount>[0]) =>
  store.alerts.counters.sum({ accountId: ACCOUNT, name, from: 0 })

describe('evaluation', () => {
  test('AL10, AL12 and AL15 a rule fires within the interval, says so once, and resolves when its window has passed', async () => {
    const { clock, rule, now, told, count, one } = await begin()
    const made = await rule()
    expect(made).toMatchObject({ state: 'unknown', since: null })
    await clock.advance(ROUND)
    const calm = await now(made)
    expect(calm).toMatchObject({ state: 'ok', currentValue: 0, updatedAt: made.updatedAt })
    await clock.advance(ROUND)
    expect(await now(made)).toMatchObject({ state: 'ok', since: calm.since })
    await count('call_crashes')
    await clock.advance(ROUND)
    const fired = await now(made)
    expect(fired).toMatchObject({ state: 'alert', currentValue: 1 })
    expect(await one.alerts.rules(ACCOUNT, { state: 'alert' })).toEqual([fired])
    await clock.advance(4 * MINUTE)
    expect(await now(made)).toMatchObject({ state: 'alert', since: fired.since })
    expect(await told()).toEqual(['alerts.triggered'])
    await clock.advance(MINUTE)
    expect(await now(made)).toMatchObject({ state: 'ok', currentValue: 0 })
    await clock.advance(10 * MINUTE)
    expect(await told()).toEqual(['alerts.triggered', 'alerts.resolved'])
    await one.close()
  })

  test('AL12 the event says what was measured, in a signed body', async () => {
    const { clock, rule, count, store, endpoint, one, now } = await begin()
    const made = await rule({ agentId: AGENT })
    await count('call_crashes', { count: 7 })
    await clock.advance(ROUND)
    const { since } = await now(made)
    const [claimed] = await store.webhooks.deliveries.claim(endpoint.id, clock.now(), 1, clock.now() + 1)
    expect(JSON.parse(claimed?.event.body ?? '')).toEqual({
      type: 'alerts.triggered',
      timestamp: new Date(since ?? 0).toISOString(),
      data: {
        ...{
          alert_rule_id: made.id,
          name: 'Crashes',
          project_id: AGENT,
          metric: 'call_crashes',
          operator: '>',
        },
        ...{ threshold_value: 0, window_duration: '5m', current_value: 7 },
        since: new Date(since ?? 0).toISOString(),
      },
    })
    await one.close()
  })

  test('AL10 latencies: p50, p95, no data without turns, and only the agent’s own', async () => {
    const { clock, rule, now, count, one } = await begin()
    const latency = { operator: '>=', threshold: 1, window: '10m' } as const
    const median = await rule({ ...latency, metric: 'turn_latency_p50', agentId: AGENT })
    const slowest = await rule({ ...latency, metric: 'turn_latency_p95' })
    await clock.advance(ROUND)
    expect(await now(median)).toMatchObject({ state: 'no_data', currentValue: null })
    for (const value of [100, 200, 300]) await count('turn_latency', { value })
    await count('turn_latency', { value: 9_000, agentId: 'PROJECT-TWO' })
    await clock.advance(ROUND)
    expect(await now(median)).toMatchObject({ state: 'alert', currentValue: 200 })
    expect(await now(slowest)).toMatchObject({ state: 'alert', currentValue: 9_000 })
    await clock.advance(11 * MINUTE)
    expect(await now(median)).toMatchObject({ state: 'no_data', currentValue: null })
    await one.close()
  })

  test('AL10 and AL12 a disabled rule is not evaluated; changes, enabling and the deletion resolve what is open', async () => {
    const { clock, rule, now, told, count, one } = await begin()
    const made = await rule()
    await count('call_crashes', { count: 3 })
    await clock.advance(ROUND)
    await one.alerts.updateRule(ACCOUNT, made.id, { enabled: false })
    const kept = await now(made)
    await clock.advance(10 * MINUTE)
    expect(await now(made)).toEqual(kept)
    expect(kept.state).toBe('alert')
    await one.alerts.updateRule(ACCOUNT, made.id, { enabled: true })
    expect(await now(made)).toMatchObject({ state: 'unknown', since: null })
    await count('call_crashes', { count: 3 })
    await clock.advance(ROUND)
    expect(await now(made)).toMatchObject({ state: 'alert' })
    await one.alerts.updateRule(ACCOUNT, made.id, { threshold: 2 })
    await clock.advance(ROUND)
    await one.alerts.deleteRule(ACCOUNT, made.id)
    expect(await told()).toEqual(
      Array.from({ length: 3 }, () => ['alerts.triggered', 'alerts.resolved']).flat(),
    )
    await one.close()
  })

  test('AL12 and AL15 several processes: one evaluates at a time, and when it is gone another one goes on', async () => {
    const { clock, rule, now, count, one, start } = await begin()
    const others = [start(), start()]
    const made = await rule()
    await clock.advance(ROUND)
    const { version } = await now(made)
    await clock.advance(4 * ROUND)
    expect((await now(made)).version - version).toBe(4)
    await one.close()
    await count('call_crashes')
    await clock.advance(2 * ROUND)
    const [other] = others
    expect(await other?.alerts.rule(ACCOUNT, made.id)).toMatchObject({ state: 'alert' })
    await Promise.all(others.map(platform => platform.close()))
  })

  test('AG30 and AL12 changes that race with evaluations all take effect, and the event is told once', async () => {
    const { clock, rule, now, told, count, one, start } = await begin()
    const other = start()
    const made = await rule()
    await count('call_crashes')
    const changes = [one, other].flatMap((platform, index) => [
      platform.alerts.updateRule(ACCOUNT, made.id, { name: `Named by ${index}` }),
      platform.alerts.updateRule(ACCOUNT, made.id, index === 0 ? { threshold: 0 } : { window: '10m' }),
    ])
    await Promise.all([...changes, clock.advance(ROUND)])
    await clock.advance(ROUND)
    expect(await now(made)).toMatchObject({ state: 'alert', window: '10m', threshold: 0 })
    expect((await told()).filter(type => type === 'alerts.triggered').length).toBeLessThanOrEqual(2)
    const types = await told()
    expect(types).toEqual(types.map((_, at) => (at % 2 === 0 ? 'alerts.triggered' : 'alerts.resolved')))
    await Promise.all([one.close(), other.close()])
  })

  test('AL15 with an agent go its rules and counters; those of the account stay', async () => {
    const { clock, rule, count, one } = await begin()
    await rule({ agentId: AGENT })
    const whole = await rule()
    await count('call_crashes')
    await one.agents.delete(AGENT)
    expect((await one.alerts.rules(ACCOUNT)).map(({ id }) => id)).toEqual([whole.id])
    await clock.advance(ROUND)
    expect(await one.alerts.rule(ACCOUNT, whole.id)).toMatchObject({ state: 'ok', currentValue: 0 })
    await one.close()
  })

  test('AL25 counters are removed a week after their minute', async () => {
    const { clock, count, one, store } = await begin()
    const week = 7 * 24 * 60 * MINUTE
    await count('call_volume', { count: 5, minute: START - week - MINUTE })
    await count('call_volume', { count: 7, minute: START - week + MINUTE })
    await clock.advance(60 * MINUTE + ROUND)
    expect(await sums({ store }, 'call_volume')).toEqual([])
    // An hour later, so is the next one.
    await one.close()
  })
})

describe('counting', () => {
  async function talk() {
    const bench = await begin()
    const visitor = await openVisitor(bench.one, bench.clock)
    const { accountId } = visitor
    const sum = (name: Parameters<typeof aCount>[0]) =>
      bench.store.alerts.counters.sum({ accountId, name, from: 0 })
    return { ...bench, visitor, sum, accountId }
  }

  test('AL25 a conversation, its turns by latency, and a turn that failed are counted', async () => {
    const { clock, visitor, sum, one } = await talk()
    await visitor.join()
    await visitor.say('hello')
    await visitor.say('fail')
    await visitor.say('hello')
    await clock.advance(10_000)
    expect(await sum('call_volume')).toEqual([{ value: 0, count: 1 }])
    expect((await sum('turn_latency')).reduce((all, { count }) => all + count, 0)).toBe(2)
    expect(await sum('call_crashes')).toEqual([{ value: 0, count: 1 }])
    await one.close()
  })

  test('AL25 recorded conversations count by their own times; those of sandbox, debug chats and tests in nothing', async () => {
    const { clock, one, store } = await begin()
    const record = async (environment: 'live' | 'sandbox') => {
      const call = { agentId: AGENT, conversationId: `CALL-${environment}` }
      const startedAt = START - 4 * MINUTE
      await one.conversations.start({
        ...{ ...call, accountId: ACCOUNT, environment, channel: 'VOICE-SIP', startedAt },
      })
      await one.conversations.recordTurn({
        ...{ ...call, turnId: 'T-1', userInput: 'Hello', userInputAt: START - 3 * MINUTE },
        ...{ agentResponse: 'Yes?', agentResponseAt: START - 2 * MINUTE - 1, latency: 1_234 },
        functionEvents: [
          { name: 'look_up', arguments: {}, result: null, error: 'no such order' },
          { name: 'look_up', arguments: {}, result: {}, error: null },
        ],
      })
    }
    await record('live')
    await record('sandbox')
    const agent = await one.agents.create({ accountId: ACCOUNT, name: 'Desk', greeting: 'Hello' })
    await one.agents.publish(agent.id, {})
    const { state } = await one.debugChat.start(agent, { environment: 'sandbox' })
    await one.debugChat.send(agent, state.id, { environment: 'sandbox', message: 'Hello' })
    await clock.advance(10_000)
    expect(await sums({ store }, 'turn_latency')).toEqual([{ value: 1_234, count: 1 }])
    expect(await sums({ store }, 'function_errors')).toEqual([{ value: 0, count: 1 }])
    expect(await sums({ store }, 'call_volume')).toEqual([{ value: 0, count: 1 }])
    expect(await sums({ store }, 'call_crashes')).toEqual([])
    const { counters } = store.alerts
    const later = { accountId: ACCOUNT, name: 'turn_latency' as const, from: START - 2 * MINUTE }
    expect(await counters.sum(later)).toEqual([])
    expect(await counters.sum({ ...later, from: START - 3 * MINUTE })).toHaveLength(1)
    await one.close()
  })

  test('AL25 answers of 500 and above are counted for the account of the key, others are not', async () => {
    const { clock, one, store } = await begin()
    const { secret } = await one.access.createApiKey({ kind: 'workspace', accountId: ACCOUNT })
    const limited = await one.access.createApiKey({ kind: 'workspace', accountId: ACCOUNT, agentId: AGENT })
    const route = (path: string, answer: () => Promise<never>) =>
      describeRoute({
        ...{ method: 'GET', path, family: 'agents', credential: 'workspace', operation: 'none', summary: '' },
        ...{ params: z.object({}), query: z.object({}), body: null },
        handle: answer,
      })
    const broken = async () => Promise.reject(new Error('gone'))
    const dispatcher = createDispatcher(one, [route('/v1/broken', broken)])
    const ask = async (line: string, key: string) =>
      (await dispatcher.handle(request(line, { headers: { 'x-api-key': key } }))).status
    expect(await ask('GET /v1/broken', secret)).toBe(500)
    expect(await ask('GET /v1/broken', limited.secret)).toBe(500)
    expect(await ask('GET /v1/none', secret)).toBe(404)
    expect(await ask('GET /v1/broken', 'wrong')).toBe(401)
    await clock.advance(10_000)
    expect(await sums({ store }, 'api_errors')).toEqual([{ value: 0, count: 2 }])
    const own = { accountId: ACCOUNT, agentId: AGENT, name: 'api_errors' as const, from: 0 }
    expect(await store.alerts.counters.sum(own)).toEqual([{ value: 0, count: 1 }])
    await one.close()
  })

  test('AL25 counts are in the store within five seconds, and when the process closes', async () => {
    const { clock, one, store, start } = await begin()
    const { counting } = contextOf(one)
    counting.apiError(ACCOUNT, null)
    expect(await sums({ store }, 'api_errors')).toEqual([])
    await clock.advance(5_000)
    expect(await sums({ store }, 'api_errors')).toEqual([{ value: 0, count: 1 }])
    counting.apiError(ACCOUNT, null)
    await one.close()
    expect(await sums({ store }, 'api_errors')).toEqual([{ value: 0, count: 2 }])
    await start().close()
  })

  test('AL25 what the store does not take is kept, told once, and written when it takes it again', async () => {
    const { clock, store, start, errors, one } = await begin()
    await one.close()
    let away = true
    const counters: Store['alerts']['counters'] = {
      ...store.alerts.counters,
      add: async counts => {
        if (away) throw new Error('The disk is full.')
        await store.alerts.counters.add(counts)
      },
    }
    const kept = { ...store, alerts: { rules: store.alerts.rules, counters }, close: async () => undefined }
    const platform = start({ store: kept, workers: false })
    const { counting } = contextOf(platform)
    for (let count = 0; count < 3; count++) {
      counting.apiError(ACCOUNT, null)
      await clock.advance(5_000)
    }
    expect(errors).toMatchObject([{ message: 'The disk is full.' }])
    away = false
    await clock.advance(5_000)
    expect(await sums({ store }, 'api_errors')).toEqual([{ value: 0, count: 3 }])
    await platform.close()
  })
})
