import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPlatformError } from '../../src/errors.ts'
import type { Script } from '../../src/testing/index.ts'
import { AGENT, createBench, type Process } from '../agent-tests/support.ts'

const VERSIONS = ['one', 'two', 'three'] as const

/** Every version says its own name, after a while. */
const script: Script = {
  greeting: 'Hi.',
  otherwise: ({ content }) => [{ type: 'wait', milliseconds: 10 }, content.behavior],
}

/** Two processes over one store, and an agent with three versions, the first of them live. */
async function begin() {
  const bench = await createBench({ script })
  const { agents, access } = bench.platform
  const nodes: Process[] = [bench, bench.open({ script })]
  const deployments: string[] = []
  for (const version of VERSIONS) {
    const branch = await agents.createBranch(AGENT, { branchName: version })
    await agents.updateBehavior(AGENT, branch.id, version)
    const { deployment } = await agents.merge(AGENT, branch.id)
    deployments.push((await agents.promote(AGENT, deployment.id)).id)
    if (version === 'one') await agents.promote(AGENT, deployment.id, { targetEnvironment: 'live' })
  }
  const { accountId = '' } = (await agents.find(AGENT)) ?? {}
  const { connector } = await access.createConnector({
    ...{ accountId, agentId: AGENT, environment: 'live', hosts: [] },
  })
  return { ...bench, connector, deployments, nodes }
}

type Bench = Awaited<ReturnType<typeof begin>>

/** A conversation, and what the version that it runs says. */
interface Open {
  readonly id: string
  said: string | null
}

const node = fc.integer({ min: 0, max: 1 })
const points = fc.constantFrom(0, 5_000, 10_000, 10_000)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('open'), node }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('say'), node, which: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('start'), node, points, which: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('share'), node, points }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('end'), node, winner: fc.constantFrom('base', 'candidate') }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('rollback'), node, which: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ type: fc.constant('crash'), node, which: fc.nat(20), after: fc.integer({ min: 0, max: 60 }) },
    }),
  },
) as fc.Arbitrary<Step>

type Step = { readonly node: number } & (
  | { readonly type: 'open' }
  | { readonly type: 'say'; readonly which: number }
  | { readonly type: 'start'; readonly points: number; readonly which: number }
  | { readonly type: 'share'; readonly points: number }
  | { readonly type: 'end'; readonly winner: 'base' | 'candidate' }
  | { readonly type: 'rollback'; readonly which: number }
  | { readonly type: 'crash'; readonly which: number; readonly after: number }
)

/** Resolves once a call has ended, with what it gives; null where the platform refuses it. */
async function tried<Result>({ clock }: Bench, call: Promise<Result>): Promise<Result | null> {
  const settled = call.catch((error: unknown) => {
    if (isPlatformError(error) && error.code !== 'INTERNAL') return null
    throw error
  })
  await clock.settle()
  await clock.advance(10)
  return settled
}

/** Says something, and checks that the version answers that has answered before. */
async function say(bench: Bench, { platform }: Process, one: Open): Promise<void> {
  const message = { conversationId: one.id, message: 'Who are you?' }
  const reply = await tried(bench, platform.chat.respond(bench.connector, message))
  if (reply === null) return
  expect(VERSIONS).toContain(reply.response)
  one.said ??= reply.response
  expect(reply.response).toBe(one.said)
}

/** A process dies while it answers, and another takes its place and its turn. */
async function crash(bench: Bench, { after, node }: Extract<Step, { type: 'crash' }>, one: Open | undefined) {
  const { clock, connector, nodes } = bench
  const dying = nodes[node]
  if (one !== undefined) {
    void dying?.platform.chat
      .respond(connector, { conversationId: one.id, message: 'Who?' })
      .catch(() => null)
    for (let at = 0; at < after; at++) await Promise.resolve()
    if (after > 50) await clock.settle()
  }
  dying?.kill()
  nodes[node] = bench.open({ script })
  for (let at = 0; at < 3; at++) {
    await clock.advance(60_000)
    await clock.settle()
  }
}

/** Takes one step. Long because every kind of step is a case. */
async function take(bench: Bench, all: Open[], step: Step): Promise<void> {
  const one = bench.nodes[step.node] ?? bench
  const { agents, chat } = one.platform
  const at = 'which' in step ? all[step.which % Math.max(all.length, 1)] : undefined
  const [running] = (await agents.rollouts.list(AGENT)).filter(({ end }) => end === null)
  switch (step.type) {
    case 'open': {
      const made = await tried(bench, chat.create(bench.connector, {}))
      if (made !== null) all.push({ id: made.conversationId, said: null })
      const [newest] = all.slice(-1)
      if (newest !== undefined) await say(bench, one, newest)
      return
    }
    case 'say':
      if (at !== undefined) await say(bench, one, at)
      return
    case 'start': {
      const deploymentId = bench.deployments[step.which] ?? ''
      await tried(bench, agents.rollouts.start(AGENT, { deploymentId, basisPoints: step.points }))
      return
    }
    case 'share':
      if (running !== undefined)
        await tried(bench, agents.rollouts.setShare(AGENT, running.id, { basisPoints: step.points }))
      return
    case 'end':
      if (running !== undefined)
        await tried(bench, agents.rollouts.end(AGENT, running.id, { winner: step.winner }))
      return
    case 'rollback': {
      const earlier = await agents.deployments(AGENT, 'live', 20)
      const to = earlier[step.which % earlier.length]
      if (to !== undefined) await tried(bench, agents.rollback(AGENT, to.id))
      return
    }
    default:
      await crash(bench, step, at)
  }
}

test('RO3 whatever shares, ends, rollbacks and crashes there are, an open conversation keeps its version', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
      const bench = await begin()
      const all: Open[] = []
      for (const step of steps) await take(bench, all, step)
      for (const one of all) await say(bench, bench.nodes[0] ?? bench, one)
      for (const { kill, platform } of bench.nodes) {
        await platform.close()
        kill()
      }
    }),
    { numRuns: runs(15, 150) },
  )
})
