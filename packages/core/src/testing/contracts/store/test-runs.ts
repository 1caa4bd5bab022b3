import { describe, expect, it } from 'vitest'
import type { TestRun } from '../../../domain/agent/test-run.ts'
import { MAIN_BRANCH_ID } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { TestResultFilter } from '../../../ports/store/test-runs.ts'
import { aConversation } from '../../conversation-fixtures.ts'
import {
  ACCOUNT,
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aTestCase,
  aTestResult,
  aTestRun,
  START,
} from '../../fixtures.ts'
import { agentSnapshot } from './agent-snapshot.ts'
import { count, HARD_STRINGS, openForTest, race, type StoreFactory, scribbling, sortedBy } from './tools.ts'

const OTHER = 'PROJECT-TWO'
const NONE = 'TESTRUN-none'

/** A run as it is after a write. */
const next = (run: TestRun, values: Partial<TestRun> = {}): TestRun => ({
  ...run,
  writes: run.writes + 1,
  ...values,
})

/** Rules SA80 to SA90, SA291 and SA292: test runs. */
export function describeTestRuns(factory: StoreFactory): void {
  /** Two agents with three deployments each, and runs of the first one's. */
  const open = async (...runs: readonly TestRun[]) => {
    const { agents } = await openForTest(factory)
    for (const agentId of [AGENT, OTHER]) {
      await agents.create(anAgent(agentId))
      for (const number of [1, 2, 3]) await agents.deployments.create(aDeployment(number, { agentId }), null)
    }
    for (const run of runs) expect(await agents.testRuns.create(run)).toBe('created')
    return agents
  }
  const ids = (runs: readonly TestRun[]) => runs.map(({ id }) => id)

  describe('test runs', () => {
    it('SA80 a run is kept as given, under its agent alone, with its results; without its deployment it is missing', async () => {
      const run = aTestRun(1)
      const agents = await open(run)
      expect(await agents.testRuns.find(AGENT, run.id)).toEqual({ run, results: [] })
      expect(await agents.testRuns.find(OTHER, run.id)).toBeNull()
      expect(await agents.testRuns.find(AGENT, NONE)).toBeNull()
      const results = [aTestResult('C1'), aTestResult('C2', { status: 'failed', error: 'No.' })]
      expect(await agents.testRuns.save(1, next(run), results)).toBe('written')
      const found = await agents.testRuns.find(AGENT, run.id)
      expect(found?.run).toEqual(next(run))
      expect(sortedBy(found?.results ?? [], result => result.testCaseId)).toEqual(results)
      for (const stray of [
        aTestRun(9),
        aTestRun(1, { agentId: 'PROJECT-NONE' }),
        { ...aTestRun(1, { agentId: OTHER }), id: NONE, deploymentId: aDeployment(1).id },
      ]) {
        expect(await agents.testRuns.create(stray)).toBe('missing')
        expect(await agents.testRuns.find(stray.agentId, stray.id)).toBeNull()
      }
    })

    it('SA81 a run that comes with a deployment or a step of main is written with it or not at all', async () => {
      const agents = await open()
      const fourth = aTestRun(4)
      expect(await agents.deployments.create(aDeployment(5), aTestRun(5))).toBe('stale')
      expect(await agents.testRuns.find(AGENT, aTestRun(5).id)).toBeNull()
      expect(await agents.deployments.create(aDeployment(4), fourth)).toBe('deployed')
      expect(await agents.testRuns.find(AGENT, fourth.id)).toEqual({ run: fourth, results: [] })
      const branch = aBranch('BRANCH-1')
      await agents.branches.create(branch)
      const commit = aCommit(branch, { revision: 1, deployment: 4 })
      const testRun = aTestRun(5, { deploymentId: commit.deployment.id })
      expect(await agents.revisions.commit({ ...commit, expectedRevision: 2, testRun })).toBe('stale')
      expect(await agents.testRuns.find(AGENT, testRun.id)).toBeNull()
      expect(await agents.revisions.commit({ ...commit, testRun })).toBe('committed')
      expect(await agents.testRuns.find(AGENT, testRun.id)).toEqual({ run: testRun, results: [] })
    })

    it('SA82 runs come newest first, then last id first, in pages; of one deployment, version or status alone', async () => {
      const at = (id: string, startedAt: number, values: Partial<TestRun> = {}) =>
        aTestRun(1, { id: id, startedAt: START + startedAt, ...values })
      const second = { deploymentId: aDeployment(2).id }
      const agents = await open(
        at('T-b', 5),
        at('T-a', 5, { version: 'other' }),
        at('T-c', 7, second),
        at('T-d', 3, { status: 'passed', version: 'other' }),
        at('T-e', 9, { ...second, status: 'failed' }),
        { ...aTestRun(1, { agentId: OTHER }), version: 'other' },
      )
      const list = async (filter: Partial<Parameters<typeof agents.testRuns.list>[0]>, limit = 9) =>
        ids(await agents.testRuns.list({ agentId: AGENT, ...filter }, limit))
      expect(await list({})).toEqual(['T-e', 'T-c', 'T-b', 'T-a', 'T-d'])
      expect(await list({}, 2)).toEqual(['T-e', 'T-c'])
      const after = { startedAt: START + 5, id: 'T-b' }
      expect(await list({ after })).toEqual(['T-a', 'T-d'])
      expect(await list({ after }, 1)).toEqual(['T-a'])
      expect(await list(second)).toEqual(['T-e', 'T-c'])
      expect(await list({ version: 'other' })).toEqual(['T-a', 'T-d'])
      expect(await list({ status: 'running' })).toEqual(['T-c', 'T-b', 'T-a'])
      expect(await list({ version: 'other', status: 'passed' }, 1)).toEqual(['T-d'])
      expect(await list({ ...second, version: 'other' })).toEqual([])
      expect(await list({ agentId: 'PROJECT-NONE' })).toEqual([])
    })

    it('SA82 replays are listed alone, or with the others, or not at all, whatever their texts say', async () => {
      const replay = {
        selection: { last: 2, environment: 'live' as const },
        conversations: ['one'],
        accepted: [],
      }
      const agents = await open(
        aTestRun(1, { id: 'T-test', error: '{"replay":{' }),
        aTestRun(1, { id: 'T-replay', replay }),
      )
      const list = async (replays?: boolean) =>
        ids(await agents.testRuns.list({ agentId: AGENT, ...(replays === undefined ? {} : { replays }) }, 9))
      expect(await list(true)).toEqual(['T-replay'])
      expect(await list(false)).toEqual(['T-test'])
      expect(await list()).toEqual(['T-test', 'T-replay'])
      expect(await agents.testRuns.claim(START + 9, 1, START + 100)).toMatchObject([{ replay }])
    })

    it('SA133 tells when the next run is to be claimed', async () => {
      const run = (id: string, leaseUntil: number, status: TestRun['status'] = 'running') =>
        aTestRun(1, { id, leaseUntil: START + leaseUntil, status })
      const agents = await open(run('T-over', 1, 'passed'))
      expect(await agents.testRuns.nextDue()).toBeNull()
      for (const [id, until] of [
        ['T-b', 8],
        ['T-a', 5],
      ] as const)
        await agents.testRuns.create(run(id, until))
      expect(await agents.testRuns.nextDue()).toBe(START + 5)
      await agents.testRuns.claim(START + 5, 9, START + 50)
      expect(await agents.testRuns.nextDue()).toBe(START + 8)
    })

    it('SA83 runs are claimed that run and whose lease is over, those that wait longest first', async () => {
      const due = (id: string, leaseUntil: number, values: Partial<TestRun> = {}) =>
        aTestRun(1, { id: id, leaseUntil: START + leaseUntil, ...values })
      const theirs = due('T-other', 4, {
        agentId: OTHER,
        deploymentId: aTestRun(1, { agentId: OTHER }).deploymentId,
      })
      const agents = await open(
        due('T-b', 5),
        due('T-a', 5),
        due('T-late', 8),
        due('T-over', 1, { status: 'passed' }),
        theirs,
      )
      expect(await agents.testRuns.claim(START + 3, 9, START + 50)).toEqual([])
      const claimed = await agents.testRuns.claim(START + 5, 2, START + 50)
      expect(ids(claimed)).toEqual(['T-other', 'T-a'])
      expect(claimed[0]).toEqual({ ...theirs, leaseUntil: START + 50, attempts: 1, writes: 2 })
      expect((await agents.testRuns.find(OTHER, theirs.id))?.run).toEqual(claimed[0])
      expect(ids(await agents.testRuns.claim(START + 7, 9, START + 50))).toEqual(['T-b'])
      expect(ids(await agents.testRuns.claim(START + 8, 9, START + 60))).toEqual(['T-late'])
      const again = await agents.testRuns.claim(START + 50, 9, START + 90)
      expect(again.map(({ id, attempts }) => [id, attempts])).toEqual([
        ['T-a', 2],
        ['T-b', 2],
        ['T-other', 2],
      ])
    })

    it('TM7 a run is free when its lease reaches further than two made now', async () => {
      const agents = await open(aTestRun(1, { id: 'T-a', leaseUntil: START + 1_010 }))
      expect(await agents.testRuns.claim(START + 990, 9, START + 1_000)).toEqual([])
      expect(ids(await agents.testRuns.claim(START + 989, 9, START + 999))).toEqual(['T-a'])
    })

    it('SA84 of racing claims each run goes to one', async () => {
      const runs = Array.from({ length: 6 }, (_, at) => aTestRun(1, { id: `T-${at}` }))
      const agents = await open(...runs)
      const claims = await race(() => agents.testRuns.claim(START + 9, 2, START + 100))
      expect(claims.flatMap(ids).sort()).toEqual(ids(runs))
    })

    it('SA85 a save writes over what was there; with other writes, or without the run, it is stale', async () => {
      const run = aTestRun(1)
      const agents = await open(run)
      await agents.testRuns.save(1, next(run), [aTestResult('C1'), aTestResult('C2')])
      const [taken] = await agents.testRuns.claim(START + 9, 1, START + 100)
      expect(taken?.writes).toBe(3)
      const before = await agents.testRuns.find(AGENT, run.id)
      for (const expected of [1, 2, 4]) {
        const late = { ...run, status: 'failed' as const, writes: expected + 1 }
        expect(await agents.testRuns.save(expected, late, [aTestResult('C3')])).toBe('stale')
      }
      expect(await agents.testRuns.save(3, { ...run, id: NONE, writes: 4 }, [])).toBe('stale')
      expect(await agents.testRuns.save(3, { ...run, agentId: OTHER, writes: 4 }, [])).toBe('stale')
      expect(await agents.testRuns.find(AGENT, run.id)).toEqual(before)
      const saves = await race(racer => {
        const error = `racer ${racer}`
        const result = aTestResult('C1', { status: 'errored', error })
        return agents.testRuns.save(3, { ...run, status: 'errored', error, writes: 4 }, [result])
      })
      expect(count(saves, 'written')).toBe(1)
      const error = `racer ${saves.indexOf('written')}`
      const found = await agents.testRuns.find(AGENT, run.id)
      expect(found?.run).toEqual({ ...run, status: 'errored', error, writes: 4 })
      expect(sortedBy(found?.results ?? [], result => result.testCaseId)).toEqual([
        aTestResult('C1', { status: 'errored', error }),
        aTestResult('C2'),
      ])
      expect(await agents.testRuns.claim(START + 1_000, 9, START + 2_000)).toEqual([])
    })

    it('SA86 old runs are forgotten, all but the newest and those that run, of that agent alone', async () => {
      const over = (number: number) =>
        aTestRun(1, { id: `T-${number}`, startedAt: START + number, status: 'passed' })
      const theirs = aTestRun(1, { agentId: OTHER, status: 'passed', startedAt: START })
      const running = { ...over(2), status: 'running' as const }
      const agents = await open(over(1), running, over(3), over(4), over(5), theirs)
      await agents.testRuns.save(1, next(over(1)), [aTestResult('C1')])
      expect(await agents.testRuns.forget(AGENT, 2)).toBe(2)
      expect(ids(await agents.testRuns.list({ agentId: AGENT }, 9))).toEqual(['T-5', 'T-4', 'T-2'])
      expect(await agents.testRuns.find(AGENT, over(1).id)).toBeNull()
      expect(await agents.testRuns.forget(AGENT, 2)).toBe(0)
      expect(ids(await agents.testRuns.list({ agentId: OTHER }, 9))).toEqual([theirs.id])
      expect(await agents.testRuns.forget(AGENT, 0)).toBe(2)
      expect(ids(await agents.testRuns.list({ agentId: AGENT }, 9))).toEqual(['T-2'])
    })

    it('SA87 any JSON in results is kept as it is, whatever becomes of the caller’s own, and test cases as content too', async () => {
      const agents = await open(aTestRun(1))
      const hard: JsonObject = {
        ...Object.fromEntries(HARD_STRINGS.filter(text => text !== '__proto__').map(text => [text, text])),
        numbers: [0, -1, 0.1, 1e300, Number.MAX_SAFE_INTEGER],
        nothing: [null, false, '', [], {}],
      }
      const result = aTestResult('C1', {
        name: HARD_STRINGS.join(' '),
        turns: [
          {
            text: 'é\u{1F600}x'.repeat(5_000),
            reply: '',
            retrievedTopics: [...HARD_STRINGS],
            citedTopic: '',
            functionEvents: [hard],
            handoff: null,
            ended: false,
            verdicts: [{ expectation: 'contains', passed: false, expected: hard, actual: hard }],
          },
        ],
      })
      const saved = { run: next(aTestRun(1), { error: HARD_STRINGS.join('\n') }), results: [result] }
      await scribbling(saved, ({ run, results }) => agents.testRuns.save(1, run, results))
      expect(await agents.testRuns.find(AGENT, aTestRun(1).id)).toEqual(saved)
      const testCase = aTestCase('C1', { functionResults: { look: { result: hard } }, name: 'it\'s "one"' })
      const branch = aBranch('BRANCH-1')
      await agents.branches.create(branch)
      expect(await agents.branches.edit(1, { ...branch, version: 2 }, [testCase])).toBe('written')
      expect(await agents.branches.changes(AGENT, branch.id)).toEqual([testCase])
      const commit = aCommit({ ...branch, version: 2 }, { revision: 1, deployment: 3 }, [testCase])
      expect(await agents.revisions.commit(commit)).toBe('committed')
      expect(await agents.revisions.resourcesAt(AGENT, 2, { kinds: ['test_cases'] })).toEqual([testCase])
      expect(await agents.revisions.resourcesAt(AGENT, 2, { names: ['it\'s "one"'] })).toEqual([testCase])
    })

    it('SA90 the result of a conversation goes with it, one by one or by age, and no other does', async () => {
      const { agents, conversations } = await openForTest(factory)
      await agents.create(anAgent())
      await agents.deployments.create(aDeployment(1), null)
      const run = aTestRun(1)
      await agents.testRuns.create(run)
      const finished = { index: { finishedAt: START + 5 }, wakeAt: null }
      for (const id of ['one', 'two', 'three']) await conversations.create(aConversation(id, finished))
      const results = ['one', 'two', 'three', 'C1'].map(id => aTestResult(id))
      await agents.testRuns.save(1, next(run), results)
      const kept = async () =>
        (await agents.testRuns.find(AGENT, run.id))?.results.map(({ testCaseId }) => testCaseId).sort()
      expect(await conversations.removals.remove(ACCOUNT, AGENT, 'one')).toBe('removed')
      expect(await kept()).toEqual(['C1', 'three', 'two'])
      const scope = { accountId: ACCOUNT, agentId: AGENT, environment: 'live' }
      expect(await conversations.removals.removeFinished(scope, START + 9, 1)).toMatchObject({ removed: 1 })
      expect(await kept()).toHaveLength(2)
      await conversations.removals.removeFinished(scope, START + 9, 9)
      expect(await kept()).toEqual(['C1'])
    })

    it('SA291 a run on a branch is kept while its agent is, and outlives the branch; without the branch it is missing', async () => {
      const agents = await open()
      const branch = aBranch('BRANCH-1')
      const onBranch = (id: string, values: Partial<TestRun> = {}) =>
        aTestRun(1, {
          ...{ id, deploymentId: branch.id, version: '', startedBy: 'somebody' },
          ...{ branch: { id: branch.id, version: 4, testCaseIds: ['C1', 'C2'] } },
          ...values,
        })
      expect(await agents.testRuns.create(onBranch('T-early'))).toBe('missing')
      await agents.branches.create(branch)
      expect(await agents.testRuns.create(onBranch('T-theirs', { agentId: OTHER }))).toBe('missing')
      const run = onBranch('T-1')
      const onMain = onBranch('T-main', { deploymentId: MAIN_BRANCH_ID, startedAt: START + 9 })
      for (const one of [run, onMain]) expect(await agents.testRuns.create(one)).toBe('created')
      await agents.testRuns.create(aTestRun(1, { startedAt: START + 3 }))
      const list = async (deploymentId: string) =>
        await agents.testRuns.list({ agentId: AGENT, deploymentId }, 9)
      expect(await list(branch.id)).toEqual([run])
      expect(await list(MAIN_BRANCH_ID)).toEqual([onMain])
      expect(await agents.testRuns.list({ agentId: AGENT, version: '' }, 9)).toEqual([onMain, run])
      expect(await agents.branches.delete(AGENT, branch.id)).toBe(true)
      expect(await agents.testRuns.create(onBranch('T-late'))).toBe('missing')
      expect(await agents.testRuns.save(1, next(run), [aTestResult('C1')])).toBe('written')
      expect(await agents.testRuns.find(AGENT, run.id)).toEqual({
        run: next(run),
        results: [aTestResult('C1')],
      })
      expect(ids(await agents.testRuns.claim(START + 99, 1, START + 100))).toHaveLength(1)
    })

    it('SA292 results come with their runs, those of the newest run first, in pages; of one deployment or test case alone, none of replays', async () => {
      const replay = {
        selection: { last: 1, environment: 'live' as const },
        conversations: ['C1'],
        accepted: [],
      }
      const at = (id: string, startedAt: number, values: Partial<TestRun> = {}) =>
        aTestRun(1, { id, startedAt: START + startedAt, ...values })
      const second = { deploymentId: aDeployment(2).id }
      const runs = [
        at('T-b', 5),
        at('T-a', 5),
        at('T-c', 7, { ...second, error: '{"replay":{' }),
        at('T-r', 8, { replay }),
        at('T-none', 9),
      ]
      const theirs = at('T-x', 9, { agentId: OTHER, deploymentId: aDeployment(1, { agentId: OTHER }).id })
      const agents = await open(...runs, theirs)
      for (const run of [...runs.slice(0, 4), theirs])
        await agents.testRuns.save(1, next(run), [aTestResult('C2'), aTestResult('C1', { error: run.id })])
      const list = async (filter: Partial<TestResultFilter> = {}, offset = 0, limit = 9) => {
        const found = await agents.testRuns.results({ agentId: AGENT, ...filter }, offset, limit)
        return found.map(({ run, result }) => `${run.id} ${result.testCaseId}`)
      }
      const all = ['T-c C1', 'T-c C2', 'T-b C1', 'T-b C2', 'T-a C1', 'T-a C2']
      expect(await list()).toEqual(all)
      expect(await list({}, 1, 2)).toEqual(all.slice(1, 3))
      expect(await list({}, 5, 2)).toEqual(all.slice(5))
      expect(await list({}, 6)).toEqual([])
      expect(await list(second)).toEqual(all.slice(0, 2))
      expect(await list({ testCaseId: 'C2' }, 1)).toEqual(['T-b C2', 'T-a C2'])
      expect(await list({ ...second, testCaseId: 'C3' })).toEqual([])
      expect(await list({ agentId: 'PROJECT-NONE' })).toEqual([])
      const [found] = await agents.testRuns.results({ agentId: AGENT, testCaseId: 'C1' }, 1, 1)
      expect(found).toEqual({ run: next(at('T-b', 5)), result: aTestResult('C1', { error: 'T-b' }) })
    })

    it('SA88 runs go with their agent; one of the same id later has none', async () => {
      const agents = await open(aTestRun(1))
      await agents.testRuns.save(1, next(aTestRun(1)), [aTestResult('C1')])
      await agents.delete(AGENT, START)
      expect(await agents.testRuns.find(AGENT, aTestRun(1).id)).toBeNull()
      expect(await agents.testRuns.save(2, { ...aTestRun(1), writes: 3 }, [])).toBe('stale')
      expect(await agents.testRuns.claim(START + 99, 9, START + 100)).toEqual([])
      await agents.create(anAgent())
      expect((await agentSnapshot(agents, AGENT)).testRuns).toEqual([])
    })
  })
}
