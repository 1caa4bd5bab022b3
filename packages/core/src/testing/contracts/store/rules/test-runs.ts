import { describe, expect, it } from 'vitest'
import type { TestRun } from '../../../../domain/agent/test-run.ts'
import { MAIN_BRANCH_ID } from '../../../../domain/ids.ts'
import type { TestResultFilter, TestRunFilter } from '../../../../ports/store/test-runs.ts'
import {
  AGENT,
  aBranch,
  aCommit,
  aDeployment,
  anAgent,
  aTestResult,
  aTestRun,
  REPLAY_PLAN,
  START,
} from '../../../fixtures.ts'
import { openForTest, race, type StoreFactory, sortedBy } from '../tools.ts'

const OTHER = 'PROJECT-TWO'
/** An error that looks like a replay. Runs that are no replays may have one. */
const LIKE_A_REPLAY = { error: '{"replay":{' }

const at = (id: string, moment: number, values: Partial<TestRun> = {}): TestRun =>
  aTestRun(1, { id, startedAt: START + moment, leaseUntil: START + moment, ...values })
/** Returns a run as it is after a write. */
const next = (run: TestRun, values: Partial<TestRun> = {}): TestRun => ({
  ...run,
  writes: run.writes + 1,
  ...values,
})
const theirs = aTestRun(1, { agentId: OTHER })
const second = { deploymentId: aDeployment(2).id }
const ids = (runs: readonly TestRun[]) => runs.map(({ id }) => id)

/** Tests of test runs (SA80, SX4, SC30 and TM4). */
export function describeTestRuns(factory: StoreFactory): void {
  /** Two agents with three deployments each, and these runs. */
  const open = async (...runs: readonly TestRun[]) => {
    const { agents } = await openForTest(factory)
    for (const agentId of [AGENT, OTHER]) {
      await agents.create(anAgent(agentId))
      for (const number of [1, 2, 3]) await agents.deployments.create(aDeployment(number, { agentId }), null)
    }
    for (const run of runs) expect(await agents.testRuns.create(run)).toBe('created')
    const { testRuns } = agents
    const claim = (moment: number, limit = 9, lease = 50) =>
      testRuns.claim(START + moment, limit, START + moment + lease)
    return { agents, testRuns, claim }
  }

  describe('test runs', () => {
    it('SA80 a run is kept under its agent alone, with its results; without its deployment it is missing', async () => {
      const run = aTestRun(1)
      const { testRuns } = await open(run)
      expect(await testRuns.find(AGENT, run.id)).toEqual({ run, results: [] })
      expect([await testRuns.run(AGENT, run.id), await testRuns.run(OTHER, run.id)]).toEqual([run, null])
      expect([await testRuns.find(OTHER, run.id), await testRuns.find(AGENT, 'none')]).toEqual([null, null])
      const foreign = { ...aTestRun(1, { agentId: OTHER, id: 'none' }), deploymentId: aDeployment(1).id }
      for (const stray of [aTestRun(9), aTestRun(1, { agentId: 'PROJECT-NONE' }), foreign]) {
        expect(await testRuns.create(stray)).toBe('missing')
        expect(await testRuns.find(stray.agentId, stray.id)).toBeNull()
      }
    })

    it('SA80 a run that comes with a deployment or a step of main is written with it or not at all', async () => {
      const { agents, testRuns } = await open()
      const [fourth, fifth] = [aTestRun(4), aTestRun(5)]
      expect(await agents.deployments.create(aDeployment(5), fifth)).toBe('stale')
      expect(await testRuns.find(AGENT, fifth.id)).toBeNull()
      expect(await agents.deployments.create(aDeployment(4), fourth)).toBe('deployed')
      expect(await testRuns.find(AGENT, fourth.id)).toEqual({ run: fourth, results: [] })
      await agents.branches.create(aBranch('BRANCH-1'))
      const commit = aCommit(aBranch('BRANCH-1'), { revision: 1, deployment: 4 })
      const testRun = aTestRun(5, { deploymentId: commit.deployment.id })
      expect(await agents.revisions.commit({ ...commit, expectedRevision: 2, testRun })).toBe('stale')
      expect(await testRuns.find(AGENT, testRun.id)).toBeNull()
      expect(await agents.revisions.commit({ ...commit, testRun })).toBe('committed')
      expect(await testRuns.find(AGENT, testRun.id)).toEqual({ run: testRun, results: [] })
    })

    it('SX4 runs come newest first, then last id first, in pages; of one deployment, version or status, or of replays, alone', async () => {
      const { testRuns } = await open(
        ...[
          at('T-b', 5),
          at('T-a', 5, { version: 'other', ...LIKE_A_REPLAY }),
          at('T-c', 7, { ...second, replay: REPLAY_PLAN }),
        ],
        ...[
          at('T-d', 3, { status: 'passed', version: 'other' }),
          at('T-e', 9, { ...second, status: 'failed' }),
        ],
        { ...theirs, version: 'other' },
      )
      const list = async (filter: Partial<TestRunFilter>, limit = 9) =>
        ids(await testRuns.list({ agentId: AGENT, ...filter }, limit))
          .join('')
          .replaceAll('T-', '')
      const after = { startedAt: START + 5, id: 'T-b' }
      const found: readonly (readonly [Partial<TestRunFilter>, string])[] = [
        ...([
          [{}, 'ecbad'],
          [{ after }, 'ad'],
          [{ skip: 2 }, 'bad'],
          [{ skip: 1, after }, 'd'],
          [{ skip: 2, replays: true }, ''],
          [{ skip: 1, version: 'other' }, 'd'],
          [{ skip: 9 }, ''],
          [second, 'ec'],
          [{ version: 'other' }, 'ad'],
        ] as const),
        ...([
          [{ status: 'running' }, 'cba'],
          [{ version: 'other', status: 'passed' }, 'd'],
        ] as const),
        ...([
          [{ ...second, version: 'other' }, ''],
          [{ agentId: 'PROJECT-NONE' }, ''],
        ] as const),
        ...([
          [{ replays: true }, 'c'],
          [{ replays: false }, 'ebad'],
        ] as const),
      ]
      for (const [filter, expected] of found)
        expect(await list(filter), JSON.stringify(filter)).toBe(expected)
      expect([await list({}, 2), await list({ after }, 1), await list({ version: 'other' }, 1)]).toEqual([
        'ec',
        'a',
        'a',
      ])
    })

    it('SC30 runs are claimed that run and whose lease is over, those that wait longest first; the store tells when the next one is', async () => {
      const other = { ...theirs, id: 'T-other', leaseUntil: START + 4 }
      const { claim, testRuns } = await open(at('T-over', 1, { status: 'passed' }))
      expect(await testRuns.nextDue()).toBeNull()
      for (const run of [at('T-b', 5, { replay: REPLAY_PLAN }), at('T-a', 5), at('T-late', 8), other])
        await testRuns.create(run)
      expect([await claim(3), await testRuns.nextDue()]).toEqual([[], START + 4])
      const claimed = await claim(5, 2)
      expect(ids(claimed)).toEqual(['T-other', 'T-a'])
      expect(claimed[0]).toEqual({ ...other, leaseUntil: START + 55, attempts: 1, writes: 2 })
      expect((await testRuns.find(OTHER, 'T-other'))?.run).toEqual(claimed[0])
      expect(await claim(7)).toMatchObject([{ id: 'T-b', replay: REPLAY_PLAN }])
      expect([await testRuns.nextDue(), ids(await claim(8))]).toEqual([START + 8, ['T-late']])
      expect([await testRuns.nextDue(), (await claim(57)).map(({ attempts, id }) => [id, attempts])]).toEqual(
        [
          START + 55,
          [
            ['T-a', 2],
            ['T-other', 2],
            ['T-b', 2],
          ],
        ],
      )
    })

    it('TE21 the next run is of the account that has the fewest, however many wait of another', async () => {
      const many = Array.from({ length: 12 }, (_, nth) => at(`T-${nth}`, nth))
      const few = ['U-1', 'U-2'].map((id, nth) => ({
        ...theirs,
        accountId: 'WS-2',
        id,
        leaseUntil: START + 50 + nth,
      }))
      const { claim, testRuns } = await open(...many, ...few)
      expect(ids(await claim(60, 3, 1_000))).toEqual(['T-0', 'U-1', 'T-1'])
      const { accountId } = aTestRun(1)
      const held = [accountId, 'WS-2', accountId]
      const shares = { held, served: ['WS-2', accountId] }
      expect(ids(await testRuns.claim(START + 60, 2, START + 1_060, shares))).toEqual(['U-2', 'T-2'])
    })

    it('TM4 a run is free when its lease reaches further than two made now', async () => {
      const { claim } = await open(at('T-a', 1_010))
      expect([await claim(990, 9, 10), ids(await claim(989, 9, 10))]).toEqual([[], ['T-a']])
    })

    it('SC30 of racing claims each run goes to one', async () => {
      const runs = Array.from({ length: 6 }, (_, nth) => at(`T-${nth}`, 1))
      const { claim } = await open(...runs)
      expect((await race(() => claim(9, 2))).flatMap(ids).toSorted()).toEqual(ids(runs))
    })

    it('ST7 a save writes over what was there; with other writes, or without the run, it is stale', async () => {
      const run = at('T-1', 1)
      const { claim, testRuns } = await open(run)
      await testRuns.save(1, next(run), [aTestResult('C1'), aTestResult('C2')])
      expect((await claim(9))[0]?.writes).toBe(3)
      const before = await testRuns.find(AGENT, run.id)
      for (const expected of [1, 2, 4])
        expect(
          await testRuns.save(expected, { ...run, status: 'failed', writes: expected + 1 }, [
            aTestResult('C3'),
          ]),
        ).toBe('stale')
      for (const stray of [{ id: 'none' }, { agentId: OTHER }])
        expect(await testRuns.save(3, { ...run, ...stray, writes: 4 }, [])).toBe('stale')
      expect(await testRuns.find(AGENT, run.id)).toEqual(before)
      const saved = { ...run, status: 'errored' as const, error: 'No.', writes: 4 }
      const result = aTestResult('C1', { status: 'errored', error: 'No.' })
      expect(await testRuns.save(3, saved, [result])).toBe('written')
      const found = await testRuns.find(AGENT, run.id)
      expect(found?.run).toEqual(saved)
      expect(sortedBy(found?.results ?? [], ({ testCaseId }) => testCaseId)).toEqual([
        result,
        aTestResult('C2'),
      ])
      expect(await claim(1_000)).toEqual([])
    })

    it('ST7 runs are forgotten by their ids, all but those that run, of that agent alone', async () => {
      const over = (number: number) => at(`T-${number}`, number, { status: 'passed' })
      const running = { ...over(2), status: 'running' as const }
      const { testRuns } = await open(over(1), running, over(3), over(4), over(5), {
        ...theirs,
        status: 'passed',
      })
      await testRuns.save(1, next(over(1)), [aTestResult('C1')])
      const left = async (...gone: readonly string[]) => {
        const forgotten = await testRuns.forget(AGENT, gone)
        return [forgotten, ids(await testRuns.list({ agentId: AGENT }, 9))]
      }
      const old = ['T-1', 'T-2', 'T-3', 'T-3', theirs.id, 'T-none']
      expect([await left(...old), await left(...old), await left()]).toEqual([
        [2, ['T-5', 'T-4', 'T-2']],
        [0, ['T-5', 'T-4', 'T-2']],
        [0, ['T-5', 'T-4', 'T-2']],
      ])
      expect(await testRuns.find(AGENT, over(1).id)).toBeNull()
      expect(await left('T-4', 'T-5')).toEqual([2, ['T-2']])
      await testRuns.create(over(1))
      expect((await testRuns.find(AGENT, over(1).id))?.results).toEqual([])
      expect(ids(await testRuns.list({ agentId: OTHER }, 9))).toEqual([theirs.id])
    })

    it('SA80 the conversations of a replay are kept apart from its run, in their order, and go with it', async () => {
      const { agents, testRuns } = await open()
      const sample = ['two', "it's one \u{1F600}", 'one']
      const [run, other, plain] = [
        at('T-1', 1, { replay: REPLAY_PLAN }),
        at('T-2', 2, { replay: REPLAY_PLAN }),
        at('T-3', 3),
      ]
      expect(await testRuns.create(run, sample)).toBe('created')
      expect(await testRuns.create(other, ['three'])).toBe('created')
      expect(await testRuns.create(plain)).toBe('created')
      const stray = { ...at('T-4', 4, { replay: REPLAY_PLAN }), agentId: 'PROJECT-NONE' }
      expect(await testRuns.create(stray, sample)).toBe('missing')
      const kept = () =>
        Promise.all([run, other, plain, stray].map(one => testRuns.conversationsOf(one.agentId, one.id)))
      expect(await kept()).toEqual([sample, ['three'], [], []])
      expect(await testRuns.conversationsOf(OTHER, run.id)).toEqual([])
      expect(await testRuns.run(AGENT, run.id)).toEqual(run)
      await testRuns.save(1, next(run, { status: 'passed' }), [aTestResult('one')])
      expect(await kept()).toEqual([sample, ['three'], [], []])
      expect(await testRuns.forget(AGENT, [run.id, other.id])).toBe(1)
      expect(await kept()).toEqual([[], ['three'], [], []])
      expect(await agents.delete(AGENT, START)).toBe(true)
      expect(await kept()).toEqual([[], [], [], []])
    })

    it('SA80 a run on a branch is kept while its agent is, and outlives the branch; without the branch it is missing', async () => {
      const { agents, testRuns } = await open()
      const branch = { id: 'BRANCH-1', version: 4, testCaseIds: ['C1', 'C2'] }
      const onBranch = (id: string, values: Partial<TestRun> = {}) =>
        at(id, 1, { deploymentId: branch.id, version: '', branch, ...values })
      expect(await testRuns.create(onBranch('T-early'))).toBe('missing')
      await agents.branches.create(aBranch(branch.id))
      expect(await testRuns.create(onBranch('T-theirs', { agentId: OTHER }))).toBe('missing')
      const [run, onMain] = [
        onBranch('T-1'),
        onBranch('T-main', { deploymentId: MAIN_BRANCH_ID, startedAt: START + 9 }),
      ]
      for (const one of [run, onMain, at('T-3', 3)]) expect(await testRuns.create(one)).toBe('created')
      for (const [filter, expected] of [
        [{ deploymentId: branch.id }, [run]],
        [{ deploymentId: MAIN_BRANCH_ID }, [onMain]],
        [{ version: '' }, [onMain, run]],
      ] as const)
        expect(await testRuns.list({ agentId: AGENT, ...filter }, 9)).toEqual(expected)
      await agents.branches.delete(AGENT, branch.id)
      expect(await testRuns.create(onBranch('T-late'))).toBe('missing')
      expect(await testRuns.save(1, next(run), [aTestResult('C1')])).toBe('written')
      expect(await testRuns.find(AGENT, run.id)).toEqual({ run: next(run), results: [aTestResult('C1')] })
    })

    it('SX4 results come with their runs, those of the newest run first, in pages; of one deployment or test case alone, none of replays', async () => {
      const runs = [
        at('T-b', 5),
        at('T-a', 5),
        at('T-c', 7, { ...second, ...LIKE_A_REPLAY }),
        at('T-r', 8, { replay: REPLAY_PLAN }),
        theirs,
      ]
      const { testRuns } = await open(...runs, at('T-none', 9))
      for (const run of runs)
        await testRuns.save(1, next(run), [aTestResult('C2'), aTestResult('C1', { error: run.id })])
      const list = async (filter: Partial<TestResultFilter> = {}, offset = 0, limit = 9) => {
        const found = await testRuns.results({ agentId: AGENT, ...filter }, offset, limit)
        return found.map(({ result, run }) => `${run.id} ${result.testCaseId}`)
      }
      const all = ['T-c C1', 'T-c C2', 'T-b C1', 'T-b C2', 'T-a C1', 'T-a C2']
      expect([await list(), await list({}, 1, 2), await list({}, 5, 2), await list({}, 6)]).toEqual([
        all,
        all.slice(1, 3),
        all.slice(5),
        [],
      ])
      expect([await list(second), await list({ testCaseId: 'C2' }, 1)]).toEqual([
        all.slice(0, 2),
        ['T-b C2', 'T-a C2'],
      ])
      expect([await list({ ...second, testCaseId: 'C3' }), await list({ agentId: 'PROJECT-NONE' })]).toEqual([
        [],
        [],
      ])
      const own = async (run: TestRun, from: string | null, limit = 9) =>
        (await testRuns.resultsOf(run, from, limit)).map(({ error, testCaseId }) => [testCaseId, error])
      const [replay, none] = [at('T-r', 8), at('T-none', 9)]
      expect(await own(replay, null, 1)).toEqual([['C1', 'T-r']])
      expect(await own(replay, 'C1 ')).toEqual([['C2', null]])
      expect(await own(replay, 'C2')).toEqual([['C2', null]])
      expect([await own(replay, 'C3'), await own(none, null)]).toEqual([[], []])
      const [found] = await testRuns.results({ agentId: AGENT, testCaseId: 'C1' }, 1, 1)
      expect(found).toEqual({ run: next(at('T-b', 5)), result: aTestResult('C1', { error: 'T-b' }) })
    })
  })
}
