import { describe, expect, test } from 'vitest'
import { PlatformError } from '../../src/errors.ts'
import type { Script } from '../../src/testing/index.ts'
import { recorded, refusal, replayed, textOf } from './replay-support.ts'
import { AGENT, createBench } from './support.ts'

const topic = (name: string) => ({ name, content: `All about ${name}.` })

describe('the target of a replay', () => {
  test('TE60 is a branch before its merge, and its hash is that of what the merge deploys', async () => {
    const bench = await createBench()
    const { agents } = bench.platform
    await recorded(bench, ['a'], ['b'])
    const branch = await agents.createBranch(AGENT, { branchName: 'topics' })
    await agents.createTopic(AGENT, branch.id, topic('Bar'))
    const { id: poolId } = await agents.createTopic(AGENT, branch.id, topic('Pool'))
    const first = await replayed(bench.platform, { branchId: branch.id })
    expect(first.report).toMatchObject({
      ...{ branchId: branch.id, deploymentId: null, environment: 'sandbox', status: 'finished' },
      verdicts: { same: 4 },
    })
    const merged = await agents.merge(AGENT, branch.id)
    expect(merged.deployment.version).toBe(first.report.version)
    const asked = bench.runtime.turns.filter(({ deploymentId }) => deploymentId === branch.id)
    expect(asked.map(({ content }) => content.topics.map(({ name }) => name))).toEqual(
      Array(4).fill(['Bar', 'Pool']),
    )

    await agents.updateTopic(AGENT, branch.id, poolId, { content: 'Closed.' })
    await agents.deleteTopic(AGENT, branch.id, (await agents.topics(AGENT, branch.id))[0]?.id ?? '')
    const second = await agents.startReplay(AGENT, { branchId: branch.id })
    expect((await agents.merge(AGENT, branch.id)).deployment.version).toBe(second.version)
    const main = await agents.startReplay(AGENT, { branchId: 'main' })
    expect(main).toMatchObject({ branchId: 'main', version: second.version })
    await bench.platform.idle()
    expect(await agents.replays(AGENT, { branchId: branch.id })).toMatchObject([
      { id: second.id },
      { id: first.id },
    ])
  })

  test('TE60 another main under the branch merges to another hash', async () => {
    const bench = await createBench()
    const { agents } = bench.platform
    await recorded(bench, ['a'])
    const branch = await agents.createBranch(AGENT, { branchName: 'topics' })
    await agents.createTopic(AGENT, branch.id, topic('Bar'))
    const replay = await agents.startReplay(AGENT, { branchId: branch.id })
    const other = await agents.createBranch(AGENT, { branchName: 'faster' })
    await agents.createTopic(AGENT, other.id, topic('Pool'))
    await agents.merge(AGENT, other.id)
    expect((await agents.merge(AGENT, branch.id)).deployment.version).not.toBe(replay.version)
    await bench.platform.idle()
  })

  test.each(['recorded_history', 'live_history'] as const)(
    'TE60 a branch that changes before the end ends the replay as errored: %s',
    async mode => {
      const bench = await createBench({
        testRuns: { casesAtOnce: 1 },
        script: {
          greeting: 'Hi.',
          otherwise: turn =>
            turn.kind === 'test' ? [{ type: 'wait', milliseconds: 3_000 }, 'Yes.'] : 'Yes.',
        },
      })
      const { agents } = bench.platform
      await recorded(bench, ['a'], ['b'], ['c'])
      const branch = await agents.createBranch(AGENT, { branchName: 'topics' })
      const { id } = await agents.startReplay(AGENT, { branchId: branch.id, mode })
      await bench.clock.advance(mode === 'live_history' ? 4_000 : 7_000)
      expect(await agents.replay(AGENT, id)).toMatchObject({ status: 'running', replayed: 1 })
      await agents.createTopic(AGENT, branch.id, topic('Bar'))
      await bench.clock.advance(10_000)
      await bench.platform.idle()
      expect(await agents.replay(AGENT, id)).toMatchObject({
        ...{ status: 'errored', error: expect.stringMatching(/branch was edited/) },
      })
      expect(await bench.store.conversations.listOpen(AGENT)).toEqual([])
    },
  )

  test('TE60 is one of a deployment and a branch, which must be there', async () => {
    const bench = await createBench()
    const { agents } = bench.platform
    const { deploymentId } = await recorded(bench, ['a'])
    const start = (input: object) => agents.startReplay(AGENT, JSON.parse(JSON.stringify(input)))
    for (const input of [{}, { deploymentId, branchId: 'main' }, { branchId: '' }, { deploymentId, days: 0 }])
      await expect(start(input)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
    await expect(start({ branchId: 'BRANCH-NONE' })).rejects.toEqual(refusal('BRANCH_NOT_FOUND'))
    await expect(start({ deploymentId: 'BRANCH-NONE' })).rejects.toEqual(refusal('DEPLOYMENT_NOT_FOUND'))
  })
})

describe('the end of a replay', () => {
  test('TE66 is told to webhooks in the same write, with its verdicts and without what anybody said', async () => {
    const sent: string[] = []
    let isLater = false
    const bench = await createBench({
      script: {
        greeting: 'Hi.',
        otherwise(turn) {
          const said = textOf(turn)
          if (isLater && said.startsWith('fail')) return [{ type: 'fail', message: `I cannot: ${said}` }]
          return [{ type: 'topic', name: 'Bar', cited: true }, isLater ? `Now ${said}` : `Then ${said}`]
        },
      },
      replayJudge: { version: '1', compare: ({ said }) => ({ verdict: 'worse', reason: `Asked ${said}` }) },
      webhookSender: {
        objection: () => null,
        async send({ body }) {
          sent.push(body)
          return {
            type: 'answered',
            status: 200,
            body: { contentType: '', bytes: 0, text: '', isCut: false },
          }
        },
      },
    })
    const { accountId = '' } = (await bench.platform.agents.find(AGENT)) ?? {}
    await bench.platform.webhooks.createEndpoint(accountId, {
      ...{ name: 'CI', url: 'https://ci.example/hooks', eventTypes: ['replay.finished'] },
    })
    const { deploymentId } = await recorded(bench, ['my secret', 'fail with a secret'])
    isLater = true
    const { id, report } = await replayed(bench.platform, { deploymentId })
    await bench.clock.advance(1_000)
    expect(sent.map(body => JSON.parse(body))).toMatchObject([
      {
        type: 'replay.finished',
        data: {
          ...{ replay_id: id, account_id: accountId, project_id: AGENT, deployment_id: deploymentId },
          ...{ branch_id: null, status: 'finished', replayed: 1, conversations: 1, version: report.version },
          ...{ verdicts: { same: 1, worse: 1, errored: 1 }, noise: { turns: 3, different: 2 } },
          judge: { judged: 1, failed: 0 },
          groups: [
            { verdict: 'worse', reason: 'judged', from: 'Bar', to: 'Bar', turns: 1, accepted: false },
            { verdict: 'errored', reason: 'agent_failed', from: 'Bar', to: '', turns: 1, accepted: false },
          ],
        },
      },
    ])
    expect(sent.join()).not.toContain('secret')
    expect(JSON.stringify(await bench.platform.agents.replayTurns(AGENT, id))).toContain('Asked my secret')
    expect(JSON.stringify((await bench.platform.audit.list({})).entries)).not.toContain('secret')
  })
})

describe('what goes in the middle of a replay', () => {
  const script: Script = {
    greeting: 'Hi.',
    otherwise: turn => (turn.kind === 'test' ? [{ type: 'wait', milliseconds: 1_000 }, 'Yes.'] : 'Yes.'),
  }

  test.each(['recorded_history', 'live_history'] as const)(
    'TE60 with %s a replay whose branch is deleted is given up, and says why',
    async mode => {
      const bench = await createBench({ script, testRuns: { casesAtOnce: 1 } })
      await recorded(bench, ['a'], ['b'])
      const { agents } = bench.platform
      const branch = await agents.createBranch(AGENT, { branchName: 'Short' })
      const { id } = await agents.startReplay(AGENT, { branchId: branch.id, mode })
      await bench.clock.advance(1_500)
      await agents.deleteBranch(AGENT, branch.id)
      await bench.clock.advance(60_000)
      await bench.platform.idle()
      expect(await agents.replay(AGENT, id)).toMatchObject({
        ...{ status: 'errored', error: expect.stringContaining('edited, merged or deleted') },
      })
      await expect(agents.startReplay(AGENT, { branchId: branch.id })).rejects.toEqual(
        refusal('BRANCH_NOT_FOUND'),
      )
      expect(bench.errors).toEqual([])
    },
  )

  test.each(['recorded_history', 'live_history'] as const)(
    'TE21 with %s a store that is busy now and then costs a replay none of its attempts',
    async mode => {
      const bench = await createBench({ script, testRuns: { casesAtOnce: 2 } })
      const { deploymentId } = await recorded(bench, ['a'], ['b'], ['c'], ['d'])
      const { conversations } = bench.store
      const { testRuns } = bench.store.agents
      let calls = 0
      const busyNowAndThen =
        <Input extends readonly unknown[], Result>(act: (...input: Input) => Promise<Result>) =>
        async (...input: Input): Promise<Result> => {
          if (++calls % 3 === 0) throw new PlatformError('STORE_BUSY', 'The store is busy.')
          return act(...input)
        }
      conversations.turnPage = busyNowAndThen(conversations.turnPage)
      conversations.eventPage = busyNowAndThen(conversations.eventPage)
      testRuns.save = busyNowAndThen(testRuns.save)
      const { agents } = bench.platform
      const { id } = await agents.startReplay(AGENT, { deploymentId, mode })
      await bench.clock.advance(120_000)
      await bench.platform.idle()
      expect(await agents.replay(AGENT, id)).toMatchObject({ status: 'finished', verdicts: { same: 8 } })
      expect(calls).toBeGreaterThan(10)
      expect((await testRuns.run(AGENT, id))?.attempts).toBe(1)
      expect(bench.errors).toEqual([])
    },
  )

  test.each(['recorded_history', 'live_history'] as const)(
    'TE24 with %s a replay goes with its agent, and nothing is left of it',
    async mode => {
      const bench = await createBench({ script, testRuns: { casesAtOnce: 1 } })
      const { deploymentId } = await recorded(bench, ['a'], ['b'])
      const { agents } = bench.platform
      const { id } = await agents.startReplay(AGENT, { deploymentId, mode })
      await bench.clock.advance(1_500)
      const deleting = agents.delete(AGENT)
      await bench.clock.advance(60_000)
      await deleting
      await bench.platform.idle()
      await expect(agents.replay(AGENT, id)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
      expect(await bench.store.agents.testRuns.nextDue()).toBeNull()
      expect(bench.errors).toEqual([])
    },
  )
})
