import { createDeskBench } from '@colloquy/test-support/desk-bench'
import { eachMethod } from '@colloquy/test-support/each-method'
import { createNetwork } from '@colloquy/test-support/network'
import { eventsOf } from '@colloquy/test-support/stored'
import { openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, it } from 'vitest'
import { deliveryId } from '../../src/domain/webhook/webhook.ts'
import type { PlatformOptions } from '../../src/platform.ts'
import { aNewEndpoint } from '../../src/testing/fixtures.ts'
import { aCase, createBench, mergeCases, runOf, statusOf } from '../agent-tests/support.ts'
import { startCalls } from '../outbound-calls/support.ts'

/** How late things may be, milliseconds. */
const OWN = 50
const ELSEWHERE = 1_000

/** Nobody looks for what is due: it is told, or known from the look before. */
const BLIND = { wakeInterval: 86_400_000, queueStatusInterval: 86_400_000 }

/** A desk whose platforms send webhooks, and when they did. */
function begin() {
  const bench = createDeskBench()
  const sent: number[] = []
  const webhookSender: PlatformOptions['webhookSender'] = {
    objection: () => null,
    async send() {
      sent.push(bench.clock.now())
      return { type: 'answered', status: 204 }
    },
  }
  const start = (options: Partial<PlatformOptions> = {}) => {
    return bench.start({ ...BLIND, webhookSender, ...options })
  }
  return { ...bench, sent, start }
}

describe('a process on its own', () => {
  it('EM12 a conversation is woken at its moment', async () => {
    const { clock, start, store, waiting } = begin()
    const visitor = await waiting(start())
    const over = async () =>
      (await eventsOf(store.conversations, visitor.id, 0)).some(({ type }) => type === 'HANDOFF_TIMEOUT')
    await visitor.heartbeat()
    for (let passed = 0; passed < 290; passed += 10) {
      await clock.advance(10_000)
      await visitor.heartbeat()
    }
    expect(await over()).toBe(false)
    await clock.advance(10_000 + OWN)
    expect(await over()).toBe(true)
  })

  it('EM12 webhooks are sent as soon as they are told, tried again at their moment, and sent again when asked', async () => {
    const { clock, start, sent } = begin()
    const answers = [503]
    const platform = start({
      webhookSender: {
        objection: () => null,
        async send() {
          sent.push(clock.now())
          return { type: 'answered', status: answers.shift() ?? 204 }
        },
      },
    })
    const { accountId } = await openVisitor(platform, clock)
    const end = async () => {
      const visitor = await openVisitor(platform, clock)
      await visitor.end()
    }
    const { endpoint } = await platform.webhooks.createEndpoint(accountId, aNewEndpoint('https://a.example'))
    await clock.advance(OWN)
    const started = clock.now()
    await end()
    await clock.advance(OWN)
    expect(sent.map(at => at - started <= OWN)).toEqual([true])
    const [retry = 0] = platform.settings.webhooks.retryDelays
    await clock.advance(retry + OWN)
    expect(sent).toHaveLength(2)
    const { deliveries } = await platform.webhooks.deliveries(accountId, endpoint.id)
    for (const { delivery } of deliveries)
      await platform.webhooks.resend(accountId, endpoint.id, deliveryId(delivery))
    await clock.advance(OWN)
    expect(sent).toHaveLength(3)
    await platform.webhooks.updateEndpoint(accountId, endpoint.id, { enabled: false })
    await end()
    await clock.advance(OWN)
    expect(sent).toHaveLength(3)
  })

  it('EM12 the webhook of a rollout is sent as soon as it has ended', async () => {
    const { clock, start, sent } = begin()
    const platform = start()
    const { agents } = platform
    const { accountId, agentId } = await openVisitor(platform, clock)
    const branch = await agents.createBranch(agentId, { branchName: 'Bar' })
    await agents.createTopic(agentId, branch.id, { name: 'Bar', content: 'Open from six.' })
    const { deployment } = await agents.merge(agentId, branch.id)
    const { id } = await agents.rollouts.start(agentId, { deploymentId: deployment.id, basisPoints: 100 })
    await platform.webhooks.createEndpoint(accountId, aNewEndpoint('https://a.example'))
    await clock.advance(OWN)
    expect(sent).toEqual([])
    await agents.rollouts.end(agentId, id, { winner: 'base' })
    await clock.advance(OWN)
    expect(sent).toHaveLength(1)
  })

  it('EM12 a test run begins when its deployment is there', async () => {
    const { clock, platform } = await createBench(BLIND)
    const id = runOf(await mergeCases(platform, aCase('a')))
    await clock.advance(OWN)
    expect(await statusOf(platform, id)).toBe('passed')
  })

  it('EM12 an alert rule is looked at when it is made, and every interval from then on', async () => {
    const { clock, start } = begin()
    const platform = start()
    const { accountId } = await openVisitor(platform, clock)
    const crashes = { metric: 'call_crashes', operator: '>', threshold: 0, window: '5m' } as const
    const rule = await platform.alerts.createRule(accountId, { name: 'Crashes', ...crashes })
    const age = async () =>
      clock.now() - ((await platform.alerts.rule(accountId, rule.id)).lastEvaluatedAt ?? 0)
    await clock.advance(OWN)
    expect(await age()).toBeLessThanOrEqual(OWN)
    await clock.advance(10 * platform.settings.alerts.evaluationInterval)
    expect(await age()).toBeLessThanOrEqual(OWN)
  })

  it('EM12 a call of which nothing is heard is asked for at its moment', async () => {
    const { clock, place, platform, provider } = await startCalls(BLIND)
    await place()
    await clock.advance(platform.settings.callSilence - OWN)
    expect(provider.questions).toEqual([])
    await clock.advance(2 * OWN)
    expect(provider.questions).toHaveLength(1)
  })
})

describe('another process', () => {
  it('EM12 does what a process without workers has written', async () => {
    const { clock, start, sent } = begin()
    const network = createNetwork()
    const editing = start({ bus: network.bus(), workers: false })
    start({ bus: network.bus() })
    const visitor = await openVisitor(editing, clock)
    const { accountId } = visitor
    await editing.webhooks.createEndpoint(accountId, aNewEndpoint('https://a.example'))
    await clock.advance(5_000)
    const started = clock.now()
    await visitor.end()
    await clock.advance(ELSEWHERE)
    expect(sent.map(at => at - started <= ELSEWHERE)).toEqual([true])
  })

  it('EM12 sends what a process has written while it closed', async () => {
    const { clock, start, store, sent } = begin()
    const network = createNetwork()
    const closing = start({ bus: network.bus(), store: { ...store, close: async () => {} } })
    start({ bus: network.bus() })
    const visitor = await openVisitor(closing, clock)
    const { accountId } = visitor
    await closing.webhooks.createEndpoint(accountId, aNewEndpoint('https://a.example'))
    await visitor.join()
    await clock.advance(5_000)
    // Its answer takes a second, in which the process has stopped its workers.
    await visitor.say('slow handoff')
    const closed = closing.close()
    await clock.advance(1_500)
    await closed
    await clock.advance(ELSEWHERE)
    expect(sent).toHaveLength(1)
  })

  it('EM12 and TE21 goes on with a test run that a process gives back as it closes', async () => {
    const network = createNetwork()
    const script = { greeting: 'Hi', otherwise: [{ type: 'wait', milliseconds: 2_000 }, 'Yes.'] } as const
    const { clock, open, platform } = await createBench({ ...BLIND, script, bus: network.bus() })
    const id = runOf(await mergeCases(platform, aCase('a')))
    await clock.advance(1_000)
    const other = open({ ...BLIND, script, bus: network.bus() })
    await clock.advance(OWN)
    await platform.close()
    await clock.advance(ELSEWHERE)
    expect(other.runtime.turns.length).toBeGreaterThan(0)
    expect(await statusOf(other.platform, id)).toBe('running')
  })

  it('EM12 goes on with the turn of a process that was killed, when its lease is over', async () => {
    const { clock, start, store } = begin()
    const network = createNetwork()
    let dead = false
    const dying = eachMethod(
      store,
      call =>
        (...input) =>
          dead ? new Promise(() => undefined) : call(...input),
    )
    let asked = 0
    const runtime: PlatformOptions['runtime'] = {
      async *respond() {
        asked++
        yield* []
        await new Promise(() => undefined)
      },
    }
    const shared = { sessionIdle: 600_000, wakeInterval: 10_000, turnLease: 4_000, runtime }
    const killed = start({ ...shared, store: dying, bus: network.bus() })
    start({ ...shared, bus: network.bus() })
    await clock.advance(3_000)
    const visitor = await openVisitor(killed, clock)
    await visitor.join()
    const before = asked
    expect(before).toBe(1)
    dead = true
    await clock.advance(4_000 + ELSEWHERE)
    expect(asked).toBe(2)
  })
})
