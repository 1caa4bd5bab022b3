import { CONNECTOR_TOKEN, openVisitor } from '@colloquy/test-support/visitor'
import { describe, expect, onTestFinished, test } from 'vitest'
import { REPLAY_MODES } from '../../src/domain/agent/replay.ts'
import type { Rollout } from '../../src/domain/rollout/rollout.ts'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createPlatform, type Platform, type PlatformOptions } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import {
  aCount,
  aNewEndpoint,
  createFakeClock,
  createScriptedRuntime,
  createSequentialIds,
  START,
} from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

const MINUTE = 60_000

/** Two processes, an agent that is live, and a candidate in pre-release. `strict` is for the second process alone. */
async function begin(common: Partial<PlatformOptions> = {}, strict: Partial<PlatformOptions> = {}) {
  const clock = createFakeClock(START)
  const store = createMemoryStore()
  const ids = createSequentialIds()
  const greeting = createScriptedRuntime({ otherwise: 'Yes.' }, clock)
  const start = (own: Partial<PlatformOptions> = {}): Platform =>
    createPlatform({
      store: { ...store, close: async () => undefined },
      ...{ clock, ids, runtime: greeting, rateLimits: null },
      ...own,
    })
  const [one, other] = [start(common), start({ ...common, ...strict })]
  onTestFinished(async () => {
    await one.close()
    await other.close()
  })
  // Makes account, agent and connector.
  const { accountId, agentId } = await openVisitor(one, clock)
  const { live: base } = await one.agents.activeDeployments(agentId)
  const branch = await one.agents.createBranch(agentId, { branchName: 'Warmer' })
  await one.agents.updateBehavior(agentId, branch.id, 'Be warm.')
  const { deployment } = await one.agents.merge(agentId, branch.id)
  const candidate = await one.agents.promote(agentId, deployment.id)
  if (base === null) throw new Error('Nothing is live.')
  const tryOut = (basisPoints: number, values: object = {}) =>
    one.agents.rollouts.start(agentId, { deploymentId: candidate.id, basisPoints, ...values })
  const deploymentOf = async (visitor: { readonly id: string }) =>
    (await one.reading.record(accountId, agentId, visitor.id))?.details.value.deployment_id
  return { accountId, agentId, base, candidate, clock, deploymentOf, one, other, store, tryOut }
}

type Bench = Awaited<ReturnType<typeof begin>>

/** Opens sessions, and counts the deployments that they run. */
async function opened({ clock, deploymentOf, one }: Bench, sessions: number) {
  const visitors = []
  for (let at = 0; at < sessions; at++) visitors.push(await openVisitor(one, clock))
  return { visitors, deployments: await Promise.all(visitors.map(deploymentOf)) }
}

const auditOf = async ({ accountId, one }: Bench) => {
  const { entries } = await one.audit.list({ accountId })
  const ofRollouts = entries.filter(({ action }) => action.startsWith('rollout.'))
  return ofRollouts.map(({ action, actor, details }) => [action, actor.type, details]).reverse()
}

describe('the share', () => {
  test('RO1 and RO2 a share of the sessions runs the candidate, and every other one the base', async () => {
    const bench = await begin()
    await bench.tryOut(5_000)
    const { deployments } = await opened(bench, 40)
    const { base, candidate } = bench
    for (const side of [base, candidate])
      expect(deployments.filter(id => id === side.id).length).toBeGreaterThan(8)
    expect(new Set(deployments)).toEqual(new Set([base.id, candidate.id]))
  })

  test('RO2 a visitor whom the host names is on one side, whichever process and session', async () => {
    const bench = await begin()
    const { agentId, candidate, one, other } = bench
    await bench.tryOut(5_000)
    const sides = async (visitorId: string) => {
      const runs: unknown[] = []
      for (const platform of [one, other]) {
        const { accessToken } = await platform.messaging.issueAccessToken({
          ...{ connectorToken: CONNECTOR_TOKEN, host: 'example.com', remoteAddress: '127.0.0.1' },
        })
        const authorization = `Bearer ${accessToken}`
        const visitor = { id: visitorId }
        const { sessionId } = await platform.messaging.createSession({
          authorization,
          streaming: false,
          visitor,
        })
        runs.push(await bench.deploymentOf({ id: sessionId }))
      }
      return runs
    }
    const all: unknown[] = []
    for (let at = 0; at < 20; at++) {
      const [first, second] = await sides(`visitor ${at}`)
      expect(first).toBe(second)
      all.push(first)
    }
    expect(new Set(all).size).toBe(2)
    expect(all).toContain(candidate.id)
    expect(await one.agents.rollouts.list(agentId)).toHaveLength(1)
  })

  test('RO3 an open conversation stays on its side when the share shrinks, also where each turn is pinned anew', async () => {
    const bench = await begin({ deploymentPinning: 'turn' })
    const { agentId, base, candidate, clock, one } = bench
    const { id } = await bench.tryOut(10_000)
    const { visitors } = await opened(bench, 1)
    const [visitor] = visitors
    if (visitor === undefined) throw new Error('Nobody came.')
    await visitor.join()
    await one.agents.rollouts.setShare(agentId, id, { basisPoints: 0 })
    await visitor.say('Hello')
    await clock.settle()
    expect(await bench.deploymentOf(visitor)).toBe(candidate.id)
    expect((await opened(bench, 1)).deployments).toEqual([base.id])
  })

  test.each([
    ['conversation', 'candidate'],
    ['turn', 'base'],
  ] as const)(
    'RO4 with pinning by %s an open conversation runs the %s after the base has won',
    async (pinning, side) => {
      const bench = await begin({ deploymentPinning: pinning })
      const { agentId, clock, one } = bench
      const { id } = await bench.tryOut(10_000)
      const [visitor] = (await opened(bench, 1)).visitors
      if (visitor === undefined) throw new Error('Nobody came.')
      await visitor.join()
      await one.agents.rollouts.end(agentId, id, { winner: 'base' })
      await visitor.say('Hello')
      await clock.settle()
      expect(await bench.deploymentOf(visitor)).toBe(bench[side].id)
    },
  )

  test('RO3 debug chats of authors run what the environment runs', async () => {
    const bench = await begin()
    await bench.tryOut(10_000)
    const agent = await bench.one.agents.find(bench.agentId)
    if (agent === null) throw new Error('The agent is gone.')
    const { state } = await bench.one.debugChat.start(agent, { environment: 'live' })
    expect(state.deploymentId).toBe(bench.base.id)
  })
})

describe('the end', () => {
  test('RO4 the base keeps the environment, and the candidate gets it in the same write', async () => {
    const bench = await begin()
    const { agentId, base, candidate, clock, one } = bench
    const first = await bench.tryOut(10_000)
    await one.agents.rollouts.end(agentId, first.id, { winner: 'base' })
    expect((await one.agents.activeDeployments(agentId)).live).toEqual(base)
    expect((await opened(bench, 1)).deployments).toEqual([base.id])

    await clock.advance(MINUTE)
    const second = await bench.tryOut(100)
    const ended = await one.agents.rollouts.end(agentId, second.id, {
      winner: 'candidate',
      deploymentMessage: 'Warm',
    })
    const { live } = await one.agents.activeDeployments(agentId)
    expect(live).toMatchObject({ version: candidate.version, type: 'promotion', message: 'Warm' })
    expect(ended.end).toMatchObject({ winner: 'candidate', by: 'library', deploymentId: live?.id })
    expect((await opened(bench, 1)).deployments).toEqual([live?.id])
    expect((await one.agents.rollouts.list(agentId)).map(({ id }) => id)).toEqual([second.id, first.id])
    expect(await auditOf(bench)).toEqual([
      [
        'rollout.started',
        'library',
        expect.objectContaining({ basisPoints: 10_000, candidate: candidate.id }),
      ],
      ['rollout.ended', 'library', { winner: 'base', deploymentId: null, early: 'not_enough' }],
      ['rollout.started', 'library', expect.objectContaining({ basisPoints: 100, base: base.id })],
      ['rollout.ended', 'library', { winner: 'candidate', deploymentId: live?.id, early: 'not_enough' }],
    ])
  })

  test('RO4 the webhook says who won, and nothing of a rollout that has ended changes', async () => {
    const bench = await begin()
    const { accountId, agentId, clock, one, store } = bench
    const { endpoint } = await one.webhooks.createEndpoint(accountId, aNewEndpoint())
    const { id } = await bench.tryOut(2_500)
    await one.agents.rollouts.setShare(agentId, id, { basisPoints: 3_000 })
    await one.agents.rollouts.end(agentId, id, { winner: 'candidate' })
    const [claimed] = await store.webhooks.deliveries.claim(endpoint.id, clock.now(), 1, clock.now() + 1)
    const body = JSON.parse(claimed?.event.body ?? '')
    expect(body.type).toBe('rollout.ended')
    expect(body.data).toMatchObject({
      rollout_id: id,
      basis_points: 3_000,
      winner: 'candidate',
      project_id: agentId,
    })
    for (const again of [
      () => one.agents.rollouts.end(agentId, id, { winner: 'base' }),
      () => one.agents.rollouts.setShare(agentId, id, { basisPoints: 1 }),
    ])
      await expect(again()).rejects.toMatchObject({ code: 'ROLLOUTS_ENDED' })
  })

  test('RO5 of two processes that end it in different ways one wins, and it is deployed once', async () => {
    const bench = await begin()
    const { agentId, one, other } = bench
    const { id } = await bench.tryOut(100)
    const ends = await Promise.allSettled([
      one.agents.rollouts.end(agentId, id, { winner: 'candidate' }),
      other.agents.rollouts.end(agentId, id, { winner: 'base' }),
      other.agents.rollouts.end(agentId, id, { winner: 'candidate' }),
    ])
    const won = ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []))
    expect(won).toHaveLength(1)
    const { rollout } = await one.agents.rollouts.read(agentId, id)
    expect(rollout).toEqual(won[0])
    const live = await one.agents.deployments(agentId, 'live')
    expect(live).toHaveLength(rollout.end?.winner === 'candidate' ? 2 : 1)
  })
})

describe('refusals', () => {
  test('RO5 nothing else is deployed to the environment meanwhile; others go on', async () => {
    const bench = await begin()
    const { agentId, base, candidate, one } = bench
    const { id } = await bench.tryOut(100)
    const refused = { code: 'ROLLOUTS_RUNNING', details: { body: { rolloutId: id } } }
    for (const attempt of [
      () => one.agents.promote(agentId, candidate.id),
      () => one.agents.publish(agentId, { environment: 'live' }),
      () => one.agents.rollback(agentId, base.id),
      () => bench.tryOut(200),
    ])
      await expect(attempt()).rejects.toMatchObject(refused)
    const branch = await one.agents.createBranch(agentId, { branchName: 'Further' })
    await one.agents.updateBehavior(agentId, branch.id, 'Be brief.')
    const { deployment } = await one.agents.merge(agentId, branch.id)
    await one.agents.promote(agentId, deployment.id)
    await one.agents.rollouts.end(agentId, id, { winner: 'base' })
    await one.agents.promote(agentId, candidate.id)
  })

  test('RO1 a candidate without a base, of the same content, of a later stage, or unknown is refused', async () => {
    const bench = await begin()
    const { agentId, base, candidate, one } = bench
    const tries: [object, string][] = [
      [{ deploymentId: base.id }, 'ROLLOUTS_INVALID_CANDIDATE'],
      [{ deploymentId: base.id, environment: 'pre-release' }, 'ROLLOUTS_INVALID_CANDIDATE'],
      [{ deploymentId: 'DEPLOYMENT-NONE' }, 'DEPLOYMENT_NOT_FOUND'],
      [{ environment: 'sandbox' }, 'SCHEMA_VALIDATION_FAILED'],
      [{ key: 'browser' }, 'SCHEMA_VALIDATION_FAILED'],
      [{ guards: ['ar_none'] }, 'ALERT_RULE_NOT_FOUND'],
    ]
    for (const [values, code] of tries)
      await expect(bench.tryOut(100, values)).rejects.toMatchObject({ code })
    const { id: empty } = await one.agents.create({
      accountId: bench.accountId,
      name: 'Empty',
      greeting: 'Hi',
    })
    await expect(
      one.agents.rollouts.start(empty, { deploymentId: candidate.id, basisPoints: 1 }),
    ).rejects.toMatchObject({ code: 'ROLLOUTS_INVALID_CANDIDATE' })
    expect(await one.agents.rollouts.list(agentId)).toEqual([])
    await expect(one.agents.rollouts.read(agentId, 'ROLLOUT-NONE')).rejects.toMatchObject({
      code: 'ROLLOUT_NOT_FOUND',
    })
  })

  test.each([-1, 10_001, 0.5, Number.NaN, '100', null])(
    'RO1 a share of %s is refused, and the share stays as it was',
    async basisPoints => {
      const bench = await begin()
      const { agentId, one } = bench
      const refused = { code: 'SCHEMA_VALIDATION_FAILED' }
      const given: never = basisPoints as never
      await expect(bench.tryOut(given)).rejects.toMatchObject(refused)
      const { id } = await bench.tryOut(100)
      const { rollouts } = one.agents
      await expect(rollouts.setShare(agentId, id, { basisPoints: given })).rejects.toMatchObject(refused)
      const { rollout } = await rollouts.read(agentId, id)
      expect(rollout.shares.map(share => share.basisPoints)).toEqual([100])
    },
  )

  test('RO1 what live must meet holds for the candidate too', async () => {
    const bench = await begin({}, { requirePreRelease: true, requirePassingTests: ['live'] })
    const { agentId, candidate, other } = bench
    const { sandbox } = await other.agents.activeDeployments(agentId)
    const tries = [
      [sandbox?.id ?? '', 'DEPLOYMENTS_PRE_RELEASE_REQUIRED'],
      [candidate.id, 'DEPLOYMENTS_TESTS_NOT_PASSED'],
    ] as const
    for (const [deploymentId, code] of tries)
      await expect(
        other.agents.rollouts.start(agentId, { deploymentId, basisPoints: 1 }),
      ).rejects.toMatchObject({ code })
  })

  test('RO4 an agent that is deleted takes its rollout along, and ends the conversations of both sides', async () => {
    const errors: unknown[] = []
    const bench = await begin({ onError: error => errors.push(error) })
    const { agentId, clock, one, other, store } = bench
    const { id } = await bench.tryOut(5_000)
    const { deployments, visitors } = await opened(bench, 8)
    expect(new Set(deployments)).toEqual(new Set([bench.base.id, bench.candidate.id]))
    for (const visitor of visitors) await visitor.join()
    await one.agents.delete(agentId)
    for (const visitor of visitors) await visitor.say('Is anybody there?')
    await clock.advance(5 * MINUTE)
    for (const visitor of visitors) {
      expect(visitor.closedBy()).not.toBeNull()
      expect((await store.conversations.load(visitor.id))?.state.endedAt ?? null).not.toBeNull()
    }
    const gone = { code: 'PROJECT_NOT_FOUND' }
    const { rollouts } = other.agents
    await expect(rollouts.read(agentId, id)).rejects.toMatchObject(gone)
    await expect(rollouts.setShare(agentId, id, { basisPoints: 1 })).rejects.toMatchObject(gone)
    await expect(rollouts.end(agentId, id, { winner: 'candidate' })).rejects.toMatchObject(gone)
    expect(errors).toEqual([])
  })
})

describe('guards', () => {
  test('RO9 a rule that fires takes the share away once, and a person may give it back', async () => {
    const bench = await begin()
    const { accountId, agentId, clock, one, store } = bench
    const rule = await one.alerts.createRule(accountId, {
      ...{ name: 'Crashes', agentId, metric: 'call_crashes', operator: '>', threshold: 0, window: '5m' },
    })
    const { id } = await bench.tryOut(2_000, { guards: [rule.id] })
    const shares = async () => {
      const { rollout } = await one.agents.rollouts.read(agentId, id)
      return rollout.shares.map(({ basisPoints, by }) => [basisPoints, by])
    }
    await clock.advance(MINUTE)
    expect(await shares()).toEqual([[2_000, 'library']])
    const minute = Math.floor(clock.now() / MINUTE) * MINUTE
    await store.alerts.counters.add([aCount('call_crashes', { accountId, agentId, minute })])
    await clock.advance(MINUTE)
    expect(await shares()).toEqual([
      [2_000, 'library'],
      [0, rule.id],
    ])
    await one.agents.rollouts.setShare(agentId, id, { basisPoints: 500 })
    await clock.advance(MINUTE)
    expect((await shares()).at(-1)).toEqual([500, 'library'])
    expect((await auditOf(bench)).map(([action, actor]) => [action, actor])).toEqual([
      ['rollout.started', 'library'],
      ['rollout.parked', 'platform'],
      ['rollout.share_changed', 'library'],
    ])
  })

  test('RO12 a rule of the candidate counts its turns alone, and guards its rollout', async () => {
    const bench = await begin({
      ...{
        runtime: createScriptedRuntime(
          { otherwise: [{ type: 'fail', message: 'broken' }] },
          createFakeClock(),
        ),
      },
    })
    const { accountId, agentId, base, candidate, clock, one } = bench
    const crashes = { name: 'Crashes', metric: 'call_crashes', operator: '>', window: '5m', agentId } as const
    const make = (deploymentId: string | null) =>
      one.alerts.createRule(accountId, { ...crashes, threshold: 2, deploymentId })
    const [ofBase, ofCandidate, ofAll] = [await make(base.id), await make(candidate.id), await make(null)]
    const guards = [ofCandidate.id, ofAll.id]
    await expect(bench.tryOut(1, { guards: [ofBase.id] })).rejects.toMatchObject({
      code: 'ALERT_RULE_NOT_FOUND',
    })
    const { id } = await bench.tryOut(5_000, { guards })
    const { deployments, visitors } = await opened(bench, 16)
    const crash = async (deploymentId: string, times: number) => {
      for (const visitor of visitors.filter((_, at) => deployments[at] === deploymentId).slice(0, times)) {
        await visitor.join()
        await clock.settle()
      }
    }
    const values = async () => {
      await clock.advance(MINUTE / 2)
      const rules = await Promise.all(
        [ofBase, ofCandidate, ofAll].map(({ id }) => one.alerts.rule(accountId, id)),
      )
      return rules.map(({ currentValue, state }) => [currentValue, state])
    }
    await crash(base.id, 2)
    expect(await values()).toEqual([
      [2, 'ok'],
      [0, 'ok'],
      [2, 'ok'],
    ])
    expect((await one.agents.rollouts.read(agentId, id)).rollout.shares).toHaveLength(1)
    await crash(candidate.id, 3)
    expect(await values()).toEqual([
      [2, 'ok'],
      [3, 'alert'],
      [5, 'alert'],
    ])
    const { rollout } = await one.agents.rollouts.read(agentId, id)
    expect(rollout.shares.map(({ basisPoints }) => basisPoints)).toEqual([5_000, 0])
    const { end } = await one.agents.rollouts.end(agentId, id, { winner: 'base' })
    expect(end?.early).toBe('guard')
  })

  test('RO12 a rule of a deployment has its agent and a metric of turns', async () => {
    const { accountId, agentId, candidate, one } = await begin()
    const common = { name: 'Slow', operator: '>', threshold: 1, window: '5m' } as const
    const deploymentId = candidate.id
    const wrong = [
      [{ deploymentId, metric: 'call_crashes' }, 'ALERT_RULE_INVALID'],
      [{ agentId, deploymentId, metric: 'call_volume' }, 'ALERT_RULE_INVALID'],
      [{ agentId, deploymentId, metric: 'api_errors' }, 'ALERT_RULE_INVALID'],
      [{ agentId, deploymentId: 'DEPLOYMENT-NONE', metric: 'call_crashes' }, 'DEPLOYMENT_NOT_FOUND'],
    ] as const
    for (const [values, code] of wrong)
      await expect(one.alerts.createRule(accountId, { ...common, ...values })).rejects.toMatchObject({ code })
    const { id: another } = await one.agents.create({ accountId, name: 'Another', greeting: 'Hi' })
    const { id } = await one.alerts.createRule(accountId, {
      ...{ ...common, agentId, deploymentId, metric: 'turn_latency_p95' },
    })
    const changes = [
      [{ metric: 'call_volume' }, 'ALERT_RULE_INVALID'],
      [{ agentId: null }, 'ALERT_RULE_INVALID'],
      [{ agentId: another }, 'DEPLOYMENT_NOT_FOUND'],
    ] as const
    for (const [change, code] of changes)
      await expect(one.alerts.updateRule(accountId, id, change)).rejects.toMatchObject({ code })
    const all = await one.alerts.updateRule(accountId, id, { deploymentId: null, metric: 'call_volume' })
    expect(all).toMatchObject({ deploymentId: null, metric: 'call_volume', state: 'unknown' })
  })

  test('RO9 a rule of the whole account, or of another agent, guards nothing', async () => {
    const bench = await begin()
    const { accountId, one } = bench
    const { id: another } = await one.agents.create({ accountId, name: 'Another', greeting: 'Hi' })
    const common = {
      name: 'Calls',
      metric: 'call_volume',
      operator: '>',
      threshold: 9,
      window: '5m',
    } as const
    for (const of of [{}, { agentId: another }]) {
      const rule = await one.alerts.createRule(accountId, { ...common, ...of })
      await expect(bench.tryOut(1, { guards: [rule.id] })).rejects.toMatchObject({
        code: 'ALERT_RULE_NOT_FOUND',
      })
    }
  })
})

describe('figures', () => {
  test('RO4 an end is early without 100 finished conversations of each side, which began in the rollout', async () => {
    const bench = await begin()
    const { accountId, agentId, clock, one } = bench
    let made = 0
    const have = async (finished: number) => {
      for (const last = made + finished; made < last; made++) {
        const of = { agentId, conversationId: `C-${made}` }
        await one.conversations.start({ ...{ ...of, accountId, environment: 'live', channel: 'CHAT' } })
        await one.conversations.finish(of)
      }
      await clock.advance(1)
    }
    const side = async (basisPoints: number, finished: number) => {
      const [running] = await one.agents.rollouts.list(agentId, { limit: 1 })
      if (running?.end === null) await one.agents.rollouts.setShare(agentId, running.id, { basisPoints })
      await have(finished)
    }
    const ended = async () => {
      const [running] = await one.agents.rollouts.list(agentId, { limit: 1 })
      return (await one.agents.rollouts.end(agentId, running?.id ?? '', { winner: 'base' })).end?.early
    }
    // Those before a rollout do not count.
    await have(100)
    await bench.tryOut(0)
    await side(10_000, 100)
    await side(0, 99)
    expect(await ended()).toBe('not_enough')
    await clock.advance(1)
    await bench.tryOut(0)
    await side(0, 100)
    await side(10_000, 100)
    expect(await ended()).toBe(null)
  })

  test('RO7 finished conversations that began in the rollout are counted to the side that they ran', async () => {
    const bench = await begin()
    const { agentId, clock, one } = bench
    const say = async (sessions: number, end: boolean) => {
      const { visitors } = await opened(bench, sessions)
      for (const visitor of visitors) {
        await visitor.join()
        await visitor.say('Hello')
        await clock.settle()
        if (end) await visitor.end()
      }
    }
    await say(2, true)
    await clock.advance(1)
    const first: Rollout = await bench.tryOut(10_000)
    await say(3, true)
    await say(1, false)
    await one.agents.rollouts.setShare(agentId, first.id, { basisPoints: 0 })
    await say(4, true)
    const { figures, isWhole } = await one.agents.rollouts.read(agentId, first.id)
    expect([figures.base.conversations, figures.candidate.conversations, isWhole]).toEqual([4, 3, true])
    expect(figures.candidate).toMatchObject({
      contained: { count: 3, of: 3 },
      engaged: { count: 3, of: 3 },
      turns: 3,
    })
    expect(figures.differences.contained.verdict).toBe('not_enough')
    expect(figures.days).toEqual([
      {
        day: new Date(clock.now()).toISOString().slice(0, 10),
        base: { conversations: 4, contained: 4 },
        candidate: { conversations: 3, contained: 3 },
      },
    ])
    await clock.advance(1)
    await one.agents.rollouts.end(agentId, first.id, { winner: 'base' })
    await say(2, true)
    expect((await one.agents.rollouts.read(agentId, first.id)).figures).toEqual(figures)
  })
})

describe('replays under a rollout', () => {
  test.each(REPLAY_MODES)(
    'RO3, RO7 and RO12 with %s they move nobody, are in no figure, and set off no guard',
    async mode => {
      let goOn = (): void => {}
      const held = new Promise<void>(resolve => {
        goOn = resolve
      })
      const bench = await begin({
        runtime: {
          async *respond({ content, input, kind }) {
            const said = input.type === 'message' ? input.text : ''
            if (kind === 'test') await held
            if (kind === 'test' && said === 'Crash') throw new Error('It crashed.')
            yield { type: 'text', text: `${content.behavior} Yes.` }
          },
        },
      })
      const { accountId, agentId, base, candidate, clock, one, other } = bench
      const guard = await one.alerts.createRule(accountId, {
        ...{ name: 'Crashes', agentId, metric: 'call_crashes', deploymentId: candidate.id },
        ...{ operator: '>', threshold: 0, window: '5m' },
      })
      const { id } = await bench.tryOut(5_000, { guards: [guard.id] })
      const { visitors, deployments: sides } = await opened(bench, 16)
      for (const [at, visitor] of visitors.entries()) {
        await visitor.join()
        for (const text of ['Hello', 'Crash']) await visitor.say(text)
        if (at % 2 === 0) await visitor.end()
      }
      const left = visitors.filter((_, at) => at % 2 === 1)
      const figures = async () => (await one.agents.rollouts.read(agentId, id)).figures
      const before = await figures()
      const deploymentIds = [base.id, candidate.id]
      const replays = []
      for (const deploymentId of deploymentIds)
        replays.push(await one.agents.startReplay(agentId, { deploymentId, mode }))
      await clock.settle()
      await other.agents.rollouts.setShare(agentId, id, { basisPoints: 10_000 })
      for (const visitor of left) await visitor.say('Who?')
      goOn()
      await one.idle()
      await other.idle()
      for (const [at, { id: replayId }] of replays.entries()) {
        const { status, verdicts } = await one.agents.replay(agentId, replayId)
        const own = sides.filter((side, of) => of % 2 === 0 && side === deploymentIds[at]).length
        expect([status, verdicts.errored, verdicts.same]).toEqual(['finished', 8, 2 * own])
      }
      await clock.advance(MINUTE)
      expect(await one.alerts.rule(accountId, guard.id)).toMatchObject({ currentValue: 0, state: 'ok' })
      expect(await figures()).toEqual(before)
      expect(await Promise.all(visitors.map(bench.deploymentOf))).toEqual(sides)
      for (const visitor of left) {
        const warm = sides[visitors.indexOf(visitor)] === candidate.id
        expect(visitor.texts('AI_AGENT_MESSAGE').at(-1)).toBe(warm ? 'Be warm. Yes.' : ' Yes.')
      }
      const { rollout } = await one.agents.rollouts.read(agentId, id)
      expect(rollout.shares.map(({ basisPoints }) => basisPoints)).toEqual([5_000, 10_000])
    },
  )
})

describe('records by side', () => {
  const placed = async ({ accountId, agentId, one }: Bench, { id }: { readonly id: string }) => {
    const { deployment_id, rollout_id, side } =
      (await one.reading.record(accountId, agentId, id))?.details.value ?? {}
    return { deployment_id, rollout_id, side }
  }
  const unplaced = ({ id: deployment_id }: { readonly id: string }) => ({
    ...{ deployment_id, rollout_id: undefined, side: undefined },
  })

  test('RO11 a record has the rollout that placed its conversation, and the side', async () => {
    const bench = await begin()
    const { agentId, base, candidate, clock, one } = bench
    const before = await openVisitor(one, clock)
    const { id } = await bench.tryOut(10_000)
    const [first] = (await opened(bench, 1)).visitors
    await one.agents.rollouts.setShare(agentId, id, { basisPoints: 0 })
    const [second] = (await opened(bench, 1)).visitors
    if (first === undefined || second === undefined) throw new Error('Nobody came.')
    const expected = [
      { deployment_id: candidate.id, rollout_id: id, side: 'candidate' },
      { deployment_id: base.id, rollout_id: id, side: 'base' },
      unplaced(base),
    ]
    const found = () => Promise.all([first, second, before].map(one => placed(bench, one)))
    expect(await found()).toEqual(expected)
    for (const visitor of [first, second, before]) {
      await visitor.join()
      await visitor.say('Hello')
      await clock.settle()
    }
    expect(await found()).toEqual(expected)
    await one.agents.rollouts.end(agentId, id, { winner: 'base' })
    const [after] = (await opened(bench, 1)).visitors
    expect(await Promise.all([...(await found()), after && (await placed(bench, after))])).toEqual([
      ...expected,
      unplaced(base),
    ])
  })

  test('RO11 where turns are pinned anew, who ran a side before is not placed, and who was placed stays so', async () => {
    const bench = await begin({ deploymentPinning: 'turn' })
    const { agentId, base, candidate, clock, one } = bench
    const say = async (visitor: Awaited<ReturnType<typeof openVisitor>>) => {
      await visitor.join()
      await visitor.say('Hello')
      await clock.settle()
      return placed(bench, visitor)
    }
    const before = await openVisitor(one, clock)
    expect(await say(before)).toEqual(unplaced(base))
    const { id } = await bench.tryOut(10_000)
    expect(await say(before)).toEqual(unplaced(base))
    const visitor = await openVisitor(one, clock)
    const onCandidate = { deployment_id: candidate.id, rollout_id: id, side: 'candidate' }
    expect(await say(visitor)).toEqual(onCandidate)
    await one.agents.rollouts.end(agentId, id, { winner: 'base' })
    expect(await say(visitor)).toEqual({ ...onCandidate, deployment_id: base.id })
  })

  test('RO11 a recorded conversation has it too', async () => {
    const bench = await begin()
    const { accountId, agentId, candidate, one } = bench
    const { id } = await bench.tryOut(10_000)
    const known = { accountId, agentId, environment: 'live', channel: 'CHAT' } as const
    await one.conversations.start({ ...known, conversationId: 'C-1', startedAt: START })
    const expected = { deployment_id: candidate.id, rollout_id: id, side: 'candidate' }
    expect(await placed(bench, { id: 'C-1' })).toEqual(expected)
  })
})

describe('lists by side', () => {
  test('RO10 lists, searches, samples and concurrency hold the conversations of one side', async () => {
    const bench = await begin()
    const { accountId, agentId, base, candidate, clock, one } = bench
    const { reading } = one
    const scope = { accountId, agentId, environment: 'live' as const }
    const earlier = (await reading.records(scope, { offset: 0 }, 9)).records.map(({ id }) => id)
    await bench.tryOut(5_000)
    const { deployments, visitors } = await opened(bench, 24)
    for (const [at, visitor] of visitors.entries()) {
      await visitor.join()
      await visitor.say('Hello')
      await clock.settle()
      if (at % 2 === 0) await visitor.end()
    }
    const range = { startTime: START, endTime: START + 5 * MINUTE }
    const words = { words: ['hello'], speaker: 'user' } as const
    for (const { id: deploymentId } of [base, candidate]) {
      const filter = { ...scope, deploymentId }
      const own = visitors.filter((_, at) => deployments[at] === deploymentId)
      const talked = own.map(({ id }) => id).toSorted()
      const ids = [...talked, ...(deploymentId === base.id ? earlier : [])].toSorted()
      const ended = visitors.filter((_, at) => at % 2 === 0).map(({ id }) => id)
      expect(talked.length).toBeGreaterThan(3)
      const listed: string[] = []
      for (let offset = 0, more = true; more; offset += 2) {
        const page = await reading.records(filter, { offset }, 2)
        listed.push(...page.records.map(({ id }) => id))
        more = page.more
      }
      expect(listed.toSorted()).toEqual(ids)
      const newest = await reading.overview(filter, { offset: 0 }, 100)
      expect(newest.conversations.map(({ id }) => id)).toEqual(listed.toReversed())
      const found = await reading.records({ ...filter, words }, { offset: 0 }, 100)
      expect(found.records.map(({ id }) => id).toSorted()).toEqual(talked)
      const going = await reading.records({ ...filter, inProgress: true }, { offset: 0 }, 100)
      expect(going.records.map(({ id }) => id)).toEqual(listed.filter(id => !ended.includes(id)))
      for await (const { records } of reading.sample(filter, 100))
        expect(records.map(({ id }) => id)).toEqual(listed)
      const { series } = await reading.concurrency({ ...filter, ...range })
      expect(series.map(({ peaks }) => Math.max(...peaks))).toEqual([ids.length])
      expect(await reading.health(filter)).toMatchObject({ conversations: ids.length })
    }
    const none = await reading.records({ ...scope, deploymentId: 'DEPLOYMENT-none' }, { offset: 0 }, 9)
    expect(none).toEqual({ records: [], more: false })
  })

  test("RO10 an agent's list, its unanswered questions, and concurrency in slices, over HTTP", async () => {
    const unknown = [{ type: 'classification', outOfDomain: true }, 'Sorry?'] as const
    const bench = await begin({
      runtime: createScriptedRuntime({ otherwise: unknown, greeting: 'Hi' }, createFakeClock()),
    })
    const { accountId, agentId, base, candidate, clock, one } = bench
    await bench.tryOut(5_000)
    const { deployments, visitors } = await opened(bench, 12)
    for (const [at, visitor] of visitors.entries()) {
      await visitor.join()
      await visitor.say(`${deployments[at] === base.id ? 'Pets' : 'Parking'} ${at}?`)
      await clock.settle()
    }
    const dispatcher = createDispatcher(one, routes)
    const { secret } = await one.access.createApiKey({ kind: 'workspace', accountId })
    const own = (await one.access.createApiKey({ kind: 'project', accountId, agentId })).secret
    const get = async (path: string, key = secret) => {
      const answer = await dispatcher.handle(request(`GET ${path}`, { headers: { 'x-api-key': key } }))
      const chunks: string[] = []
      for await (const chunk of answer.chunks ?? []) chunks.push(String(chunk))
      return JSON.parse(answer.body ?? chunks.join(''))
    }
    const earlier = { [base.id]: 1, [candidate.id]: 0 }
    const count = (id: string): number => deployments.filter(one => one === id).length + (earlier[id] ?? 0)
    for (const { id } of [base, candidate]) {
      const list = await get(`/v1/agents/${agentId}/conversations?deploymentId=${id}&limit=2`)
      expect([list.count, list.conversations.length, list.next_offset]).toEqual([count(id), 2, 2])
      const found = await get(`/v1/agents/${agentId}/unanswered?deploymentId=${id}`)
      const texts: string[] = found.groups.map(
        (group: { examples: { text: string }[] }) => group.examples[0]?.text,
      )
      expect(texts.length).toBeGreaterThan(0)
      for (const text of texts) expect(text).toMatch(id === base.id ? /^Pets/ : /^Parking/)
    }
    const [from, to] = [START, START + 5 * MINUTE].map(at => new Date(at).toISOString())
    const query = `start_time=${from}&end_time=${to}&slice_by=deployment`
    const { intervals } = await get(`/v1/${accountId}/${agentId}/conversations/concurrency?${query}`, own)
    expect(intervals).toEqual(
      [base.id, candidate.id].toSorted().map(id => ({
        ...{ time: from, max_concurrent_conversations: count(id), deployment_id: id },
      })),
    )
  })

  test('RO10 a conversation that goes on with another deployment is listed by that one', async () => {
    const bench = await begin({ deploymentPinning: 'turn' })
    const { accountId, agentId, base, candidate, clock, one } = bench
    const visitor = await openVisitor(one, clock)
    await visitor.join()
    await visitor.say('Hello')
    await clock.settle()
    const count = async ({ id }: { readonly id: string }) => {
      const filter = { accountId, agentId, environment: 'live' as const, deploymentId: id }
      const { records } = await one.reading.records(filter, { offset: 0 }, 9)
      const range = { startTime: START, endTime: START + 5 * MINUTE }
      const { series } = await one.reading.concurrency({ ...filter, ...range })
      return [records.length, ...series.map(({ peaks }) => Math.max(...peaks))]
    }
    // Another one is open, which says nothing.
    expect([await count(base), await count(candidate)]).toEqual([
      [2, 2],
      [0, 0],
    ])
    const live = await one.agents.promote(agentId, candidate.id)
    await visitor.say('And now?')
    await clock.settle()
    expect([await count(base), await count(live)]).toEqual([
      [1, 1],
      [1, 1],
    ])
  })
})
