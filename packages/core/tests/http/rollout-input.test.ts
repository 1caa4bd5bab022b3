import { expect, test } from 'vitest'
import { createDispatcher } from '../../src/http/dispatcher.ts'
import { routes } from '../../src/http/routes.ts'
import { createPlatform } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { createFakeClock, createScriptedRuntime, START } from '../../src/testing/index.ts'
import { request } from '../support/request.ts'

/** An account whose agent has a version in live and another one, and the routes with a key of it. */
async function begin() {
  const errors: unknown[] = []
  const platform = createPlatform({
    ...{
      store: createMemoryStore(),
      runtime: createScriptedRuntime({ greeting: 'Hi.' }, createFakeClock(START)),
      workers: false,
    },
    onError: error => errors.push(error),
  })
  const make = async (slug: string) => {
    const { id: accountId } = await platform.access.createAccount({ slug, name: slug })
    const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Hi.' })
    const live = await platform.agents.publish(agentId, { environment: 'live' })
    const branch = await platform.agents.createBranch(agentId, { branchName: 'Other' })
    await platform.agents.createTopic(agentId, branch.id, { name: 'Breakfast', content: 'From 7 to 10.' })
    const { deployment } = await platform.agents.merge(agentId, branch.id)
    const { secret } = await platform.access.createApiKey({ kind: 'workspace', accountId })
    return { accountId, agentId, branch, candidate: deployment, live, secret }
  }
  const [own, other] = [await make('one'), await make('two')]
  const key = { accountId: own.accountId, agentId: own.agentId, environment: 'live' } as const
  const { connector } = await platform.access.createConnector({ ...key, hosts: ['example.com'] })
  const { conversationId } = await platform.chat.create(connector, {})
  await platform.chat.close(connector, conversationId)
  const dispatcher = createDispatcher(platform, routes)
  async function call(line: string, body?: unknown, secret = own.secret) {
    const response = await dispatcher.handle(request(line, { headers: { 'x-api-key': secret }, body }))
    const json = JSON.parse(response.body ?? 'null')
    return { status: response.status, json }
  }
  const state = async () => {
    const { rollouts } = platform.agents
    const replays = await platform.agents.replays(own.agentId)
    const { entries } = await platform.audit.list({ accountId: own.accountId })
    const lists = [
      await rollouts.list(own.agentId),
      replays,
      await platform.agents.activeDeployments(own.agentId),
    ]
    return JSON.stringify([lists, entries.length])
  }
  return { call, errors, other, own, path: `/v1/agents/${own.agentId}`, platform, state }
}

type Refused = readonly [line: string, body: unknown, status: number, words: string]

/** Each is refused with that status and words, and all of them change nothing. */
async function allRefused(
  { call, errors, state }: Awaited<ReturnType<typeof begin>>,
  path: string,
  refused: readonly Refused[],
): Promise<void> {
  const before = await state()
  for (const [line, body, status, words] of refused) {
    const [method, rest] = line.split(' ')
    const answer = await call(`${method} ${path}${rest}`, body)
    expect([line, body, answer.status]).toEqual([line, body, status])
    expect(answer.json.error_message).toContain(words)
  }
  expect(await state()).toBe(before)
  expect(errors).toEqual([])
}

test('HT14 no nonsense starts a rollout, changes one or ends it twice', async () => {
  const bench = await begin()
  const { call, other, own, path } = bench
  const given = { deploymentId: own.candidate.id, basisPoints: 100 }
  const shares = [-1, 10_001, 0.5, 1e308, '100', null, undefined].map(
    (basisPoints): Refused => ['POST /rollouts', { ...given, basisPoints }, 400, '"basisPoints"'],
  )
  await allRefused(bench, path, [
    ...shares,
    ...[[], null, 'x', 5].map((body): Refused => ['POST /rollouts', body, 400, 'The body is not valid']),
    ['POST /rollouts', { ...given, deploymentId: own.live.id }, 400, `live runs ${own.live.id} already.`],
    ['POST /rollouts', { ...given, deploymentId: other.candidate.id }, 404, other.candidate.id],
    ['POST /rollouts', { ...given, deploymentId: '__proto__' }, 404, 'There is no deployment __proto__.'],
    ['POST /rollouts', { ...given, environment: 'sandbox' }, 400, '"pre-release"|"live"'],
    ['POST /rollouts', { ...given, environment: 'pre-release' }, 400, 'pre-release'],
    ['POST /rollouts', { ...given, enviroment: 'pre-release' }, 400, '"enviroment" is not one of its fields'],
    ['POST /rollouts', { ...given, key: 'session' }, 400, '"visitor"|"conversation"'],
    ['POST /rollouts', { ...given, guards: ['ALERT-1'] }, 404, 'No alert rule ALERT-1'],
    ['POST /rollouts', { ...given, guards: Array.from({ length: 11 }, String) }, 400, '"guards"'],
    ['GET /rollouts?limit=NaN', undefined, 400, 'an integer from 1 to 100'],
    ['GET /rollouts/ROLLOUT-0', undefined, 404, 'The agent has no rollout ROLLOUT-0.'],
  ])
  const { json: rollout } = await call(`POST ${path}/rollouts`, given)
  const one = `/rollouts/${rollout.id}`
  await allRefused(bench, path, [
    ['POST /rollouts', given, 409, 'End it first, or change its share.'],
    [`PATCH ${one}`, { basisPoints: -1 }, 400, '"basisPoints"'],
    [`PATCH ${one}`, { basisPoints: 1, percent: 50 }, 400, '"percent" is not one of its fields'],
    [`PATCH ${one}`, {}, 400, '"basisPoints"'],
    [`POST ${one}/end`, { winner: 'both' }, 400, '"base"|"candidate"'],
    [`POST ${one}/end`, { winner: 'base', message: 'x' }, 400, '"message" is not one of its fields'],
    [`DELETE ${one}`, undefined, 405, 'GET, HEAD, PATCH'],
  ])
  const foreign = await call(`POST ${path}${one}/end`, { winner: 'base' }, other.secret)
  expect(foreign.status).toBe(403)
  const elsewhere = `/v1/agents/${other.agentId}${one}`
  expect((await call(`PATCH ${elsewhere}`, { basisPoints: 1 }, other.secret)).status).toBe(404)
  expect((await call(`POST ${path}${one}/end`, { winner: 'base' })).status).toBe(200)
  await allRefused(bench, path, [
    [`POST ${one}/end`, { winner: 'candidate' }, 409, 'has ended: the base has won.'],
    [`PATCH ${one}`, { basisPoints: 5 }, 409, 'has ended'],
  ])
})

test('HT14 no nonsense starts a replay, or accepts what is not there', async () => {
  const bench = await begin()
  const { call, other, own, path } = bench
  const given = { deploymentId: own.candidate.id }
  const numbers = [
    ...[0, 1_001, 1.5, '5'].map((last): Refused => ['POST /replays', { ...given, last }, 400, '"last"']),
    ...[0, 366].map((days): Refused => ['POST /replays', { ...given, days }, 400, '"days"']),
  ]
  const group = { verdict: 'worse', reason: 'no_answer', from: '', to: '', why: 'x' }
  await allRefused(bench, path, [
    ...numbers,
    ['POST /replays', {}, 400, 'give either it or branchId'],
    ['POST /replays', { ...given, branchId: 'main' }, 400, 'give either it or branchId'],
    ['POST /replays', { ...given, brnchId: 'main' }, 400, '"brnchId" is not one of its fields'],
    ['POST /replays', { ...given, mode: 'live' }, 400, '"recorded_history"|"live_history"'],
    ['POST /replays', { deploymentId: other.candidate.id }, 404, other.candidate.id],
    ['POST /replays', { branchId: other.branch.id }, 404, other.branch.id],
    ['POST /replays', { ...given, environment: 'sandbox' }, 404, 'no finished conversation in sandbox'],
    ['GET /replays/REPLAY-0', undefined, 404, 'The agent has no replay REPLAY-0.'],
    ['GET /replays/REPLAY-0/turns', undefined, 404, 'The agent has no replay REPLAY-0.'],
    ['POST /replays/REPLAY-0/accept', group, 404, 'The agent has no replay REPLAY-0.'],
  ])
  const { json: replay, status } = await call(`POST ${path}/replays`, given)
  expect(status).toBe(201)
  const one = `/replays/${replay.id}`
  await allRefused(bench, path, [
    [`GET ${one}/turns?cursor=x`, undefined, 400, 'is not one of ours'],
    [`GET ${one}/turns?verdict=bad`, undefined, 400, '"verdict"'],
    [`POST ${one}/accept`, { ...group, why: ' ' }, 400, '"why"'],
    [`POST ${one}/accept`, { ...group, because: 'x' }, 400, '"because" is not one of its fields'],
    [`POST ${one}/accept`, group, 409, 'is under way'],
  ])
  expect((await call(`GET ${path}${one}`, undefined, other.secret)).status).toBe(403)
})
