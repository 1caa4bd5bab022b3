import { describe, expect, test } from 'vitest'
import type { BranchId } from '../../src/domain/ids.ts'
import { isPlatformError } from '../../src/errors.ts'
import type { Platform } from '../../src/platform.ts'
import type { RuntimeTurn } from '../../src/ports/agent-runtime.ts'
import type { Script } from '../../src/testing/index.ts'
import { AGENT, aCase, type Bench, createBench, mergeCases, runOf } from './support.ts'

const refusal = (code: string) => expect.objectContaining({ code })

/** An agent that says how it is to behave: replies tell which content they rest on. */
const TELLING: Script = { greeting: 'Hi', otherwise: turn => `yes: ${turn.content.behavior}` }

interface WorkBranch {
  readonly id: BranchId
  readonly testCaseIds: readonly string[]
}

/** A branch with a behavior and these cases. */
async function branchWith(
  { agents }: Platform,
  ...cases: readonly ReturnType<typeof aCase>[]
): Promise<WorkBranch> {
  const { id } = await agents.createBranch(AGENT, { branchName: 'work' })
  const testCaseIds: string[] = []
  for (const one of cases) testCaseIds.push((await agents.testCases.create(AGENT, id, one)).id)
  await agents.updateBehavior(AGENT, id, 'as on the branch')
  return { id, testCaseIds }
}

const repliesOf = async ({ agents }: Platform, id: string) => {
  const { results } = await agents.testRuns.read(AGENT, id)
  return results.flatMap(({ turns }) => turns.map(({ reply }) => reply))
}

describe('runs on branches', () => {
  test('TE251 test what the branch holds, with its active cases, and nothing is deployed', async () => {
    const { platform } = await createBench({ script: TELLING })
    const { agents } = platform
    await mergeCases(platform, aCase('of main'))
    const { id } = await branchWith(platform, aCase('own'), aCase('idle', { isActive: false }))
    const before = await agents.activeDeployments(AGENT)
    const run = await agents.startTestRun(AGENT, { branchId: id })
    expect(run).toMatchObject({ deploymentId: id, version: '', environment: 'sandbox', startedBy: 'library' })
    await platform.idle()
    const { run: over, results } = await agents.testRuns.read(AGENT, run.id)
    expect(over).toMatchObject({ status: 'passed', counts: { total: 2, passed: 2, failed: 0, errored: 0 } })
    expect(results.map(({ name }) => name)).toEqual(['of main', 'own'])
    expect(await repliesOf(platform, run.id)).toEqual(['yes: as on the branch', 'yes: as on the branch'])
    expect(await agents.activeDeployments(AGENT)).toEqual(before)
    expect((await agents.testRuns.list(AGENT, { branchId: id })).testRuns).toEqual([over])
  })

  test('TE251 go through the named cases alone, each once, active or not; without a branch they are of main', async () => {
    const { platform } = await createBench({ script: TELLING })
    const { agents } = platform
    const { id, testCaseIds } = await branchWith(
      platform,
      aCase('a'),
      aCase('b', { isActive: false }),
      aCase('c'),
    )
    const [, idle = ''] = testCaseIds
    const named = await agents.startTestRun(AGENT, { branchId: id, testCaseIds: [idle, idle] })
    expect(named.branch?.testCaseIds).toEqual([idle])
    await agents.merge(AGENT, id)
    const onMain = await agents.startTestRun(AGENT)
    await platform.idle()
    expect(onMain).toMatchObject({ deploymentId: 'main', counts: { total: 2 }, revision: 2 })
    expect(await repliesOf(platform, onMain.id)).toEqual(['yes: as on the branch', 'yes: as on the branch'])
    expect((await agents.testRuns.read(AGENT, onMain.id)).run.status).toBe('passed')
  })

  test('TE251 an unknown branch, test case or agent, no test case, and a deployment beside a branch are refused, and nothing is written', async () => {
    const { platform, store } = await createBench()
    const { agents } = platform
    const { id } = await branchWith(platform, aCase('a', { isActive: false }))
    const refused = [
      [{ branchId: 'BRANCH-none' }, 'BRANCH_NOT_FOUND', /no branch BRANCH-none/],
      [{ branchId: id, testCaseIds: ['other'] }, 'TEST_CASE_NOT_FOUND', /no test case other/],
      [{ branchId: id }, 'TEST_RUN_WITHOUT_TEST_CASES', /has no active test cases; add one/],
      [{}, 'TEST_RUN_WITHOUT_TEST_CASES', /The branch main/],
      [{ branchId: id, testCaseIds: [] }, 'SCHEMA_VALIDATION_FAILED', /testCaseIds/],
      [{ deploymentId: 'none' }, 'DEPLOYMENT_NOT_FOUND', /none/],
      [{ deploymentId: 'none', branchId: id }, 'SCHEMA_VALIDATION_FAILED', /must be given alone/],
    ] as const
    for (const [input, code, message] of refused)
      await expect(agents.startTestRun(AGENT, input)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      })
    await expect(agents.startTestRun('PROJECT-NONE', { branchId: id })).rejects.toEqual(
      refusal('PROJECT_NOT_FOUND'),
    )
    expect(await store.agents.testRuns.list({ agentId: AGENT }, 9)).toEqual([])
    expect((await platform.audit.list({ action: 'test_run.started' })).entries).toEqual([])
  })

  test('TE24 who started a run, or made its deployment, stands with it, and a start in the audit log', async () => {
    const { platform } = await createBench()
    const { agents } = platform.as({ type: 'person', id: 'u-ada', name: 'Ada', correlationId: null })
    const merged = await mergeCases({ ...platform, agents }, aCase('a'))
    const { id } = await agents.createBranch(AGENT, { branchName: 'other' })
    const onBranch = await agents.startTestRun(AGENT, { branchId: id })
    const again = await agents.startTestRun(AGENT, { deploymentId: merged.id })
    const { testRuns } = await agents.testRuns.list(AGENT)
    expect(testRuns.map(({ startedBy }) => startedBy)).toEqual(['Ada', 'Ada', 'Ada'])
    const { entries } = await platform.audit.list({ action: 'test_run.started' })
    const details = { environment: 'sandbox', testCases: 1 }
    expect(entries).toMatchObject([
      { resource: { type: 'test_run', id: again.id }, details: { ...details, deploymentId: merged.id } },
      { resource: { id: onBranch.id }, actor: { id: 'u-ada' }, details: { ...details, branchId: id } },
    ])
  })

  test('TE251 pass nothing: what goes on must have passed as a deployment', async () => {
    const { platform, store } = await createBench({ requirePassingTests: ['live'] })
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a'))
    await platform.idle()
    await store.agents.testRuns.forget(AGENT, [runOf(merged)])
    const { id } = await agents.startTestRun(AGENT)
    await platform.idle()
    expect((await agents.testRuns.read(AGENT, id)).run).toMatchObject({
      status: 'passed',
      revision: merged.revision,
    })
    await expect(agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })).rejects.toMatchObject({
      code: 'DEPLOYMENTS_TESTS_NOT_PASSED',
      message: expect.stringMatching(/there is no run of this version/),
    })
  })
})

/** What may become of a branch in the middle of a run. */
const CHANGES: Readonly<Record<string, (platform: Platform, branchId: BranchId) => Promise<unknown>>> = {
  edited: ({ agents }, branchId) => agents.updateBehavior(AGENT, branchId, 'otherwise'),
  deleted: ({ agents }, branchId) => agents.deleteBranch(AGENT, branchId),
  merged: ({ agents }, branchId) => agents.merge(AGENT, branchId),
  'without its cases': async ({ agents }, branchId) => {
    for (const { id } of await agents.testCases.list(AGENT, branchId))
      await agents.testCases.delete(AGENT, branchId, id)
  },
}

const twoTurns = (name: string) =>
  aCase(name, { turns: ['Is it?', 'Really?'].map(text => ({ text, expectations: { contains: ['yes'] } })) })

const CASES = [twoTurns('a'), twoTurns('b')]
/** Each case is greeted, and then says two things. */
const TURNS = CASES.length * 3

/** What a turn may be told of a branch that has changed. */
const GONE = ['BRANCH_NOT_FOUND', 'TEST_CASE_NOT_FOUND']

/** No conversation, and no error but that of a turn whose content is gone. */
async function expectNothingLeft({ store, errors }: Pick<Bench, 'store' | 'errors'>) {
  expect(await store.conversations.listOpen(AGENT)).toEqual([])
  expect(errors.filter(error => !isPlatformError(error) || !GONE.includes(error.code))).toEqual([])
}

describe.each(Object.entries(CHANGES))('a branch that is %s in the middle of a run', (_, change) => {
  test.each([1, 2])(
    'TE251 every result is of what the branch held at the beginning, whenever it happens, %i at a time',
    async casesAtOnce => {
      for (let moment = 1; moment <= TURNS + 1; moment++) {
        let count = 0
        let branchId: BranchId = 'main'
        const say = async (turn: RuntimeTurn) => {
          if (turn.deploymentId === branchId && ++count === moment) await change(bench.platform, branchId)
          return `yes: ${turn.content.behavior}`
        }
        const bench: Bench = await createBench({
          script: { greeting: say, otherwise: say },
          testRuns: { casesAtOnce },
        })
        const { platform, clock } = bench
        branchId = (await branchWith(platform, ...CASES)).id
        const { id } = await platform.agents.startTestRun(AGENT, { branchId })
        for (let passed = 0; passed < 12; passed++) await clock.advance(5_000)
        await platform.idle()
        const { run, results } = await platform.agents.testRuns.read(AGENT, id)
        const about = `at turn ${moment}`
        if (moment > TURNS) expect(run, about).toMatchObject({ status: 'passed', counts: { passed: 2 } })
        else {
          expect(run, about).toMatchObject({
            status: 'errored',
            error: expect.stringMatching(/edited, merged or deleted/),
          })
          expect(run.finishedAt, about).not.toBeNull()
          expect(results.length, about).toBeLessThan(CASES.length)
        }
        expect(run.counts.passed, about).toBe(results.length)
        const replies = results.flatMap(({ turns }) => turns.map(({ reply }) => reply))
        expect(new Set(replies).size, about).toBe(results.length === 0 ? 0 : 1)
        if (replies.length > 0) expect(replies[0], about).toBe('yes: as on the branch')
        await expectNothingLeft(bench)
      }
    },
  )

  test('TE251 whoever takes the run over finds it so, and what a dead process left is removed', async () => {
    const SLOW = { greeting: 'Hi', otherwise: [{ type: 'wait', milliseconds: 10_000 }, 'yes'] } as const
    const bench = await createBench({ script: SLOW, testRuns: { casesAtOnce: 1 } })
    const { id: branchId } = await branchWith(bench.platform, aCase('a'), aCase('b'))
    const { id } = await bench.platform.agents.startTestRun(AGENT, { branchId })
    await bench.clock.advance(12_000)
    bench.kill()
    const other = bench.open()
    await change(other.platform, branchId)
    for (let second = 0; second < 30; second++) await bench.clock.advance(1_000)
    await other.platform.idle()
    const { run, results } = await other.platform.agents.testRuns.read(AGENT, id)
    expect(run).toMatchObject({
      status: 'errored',
      attempts: 2,
      error: expect.stringMatching(/edited, merged/),
    })
    expect(results.map(({ name }) => name)).toEqual(['a'])
    await expectNothingLeft(bench)
  })
})

test('TE251 a run on a branch that stays as it is goes on in another process', async () => {
  const SLOW = { greeting: 'Hi', otherwise: [{ type: 'wait', milliseconds: 10_000 }, 'yes'] } as const
  const bench = await createBench({ script: SLOW, testRuns: { casesAtOnce: 1 } })
  const { id: branchId } = await branchWith(bench.platform, aCase('a'), aCase('b'))
  const { id } = await bench.platform.agents.startTestRun(AGENT, { branchId })
  await bench.clock.advance(12_000)
  bench.kill()
  const other = bench.open({ script: TELLING })
  await other.platform.agents.createBranch(AGENT, { branchName: 'another' })
  await bench.clock.advance(16_000)
  await other.platform.idle()
  const { run } = await other.platform.agents.testRuns.read(AGENT, id)
  expect(run).toMatchObject({ status: 'passed', attempts: 2, counts: { passed: 2 } })
})

test('TE20 what cases came to is listed newest run first, in pages by offset and size; of one case, or on one branch', async () => {
  const { platform, clock } = await createBench({ script: TELLING, limits: { sliceBytes: 2_000 } })
  const { agents } = platform
  const merged = await mergeCases(platform, aCase('a'))
  const { id, testCaseIds } = await branchWith(platform, aCase('b'))
  await platform.idle()
  await clock.advance(1)
  const onBranch = await agents.startTestRun(AGENT, { branchId: id })
  await platform.idle()
  const shown = async (query: Parameters<typeof agents.testRuns.history>[1] = {}) => {
    const { results, more } = await agents.testRuns.history(AGENT, query)
    return [
      results.map(({ run, result }) => `${run.id === onBranch.id ? 'branch' : 'main'} ${result.name}`),
      more,
    ]
  }
  const all = ['branch a', 'branch b', 'main a']
  expect(await shown()).toEqual([all, false])
  expect(await shown({ limit: 2 })).toEqual([all.slice(0, 2), true])
  expect(await shown({ limit: 2, offset: 2 })).toEqual([all.slice(2), false])
  expect(await shown({ offset: 9 })).toEqual([[], false])
  expect(await shown({ branchId: id, testCaseId: testCaseIds[0] ?? '' })).toEqual([['branch b'], false])
  expect(await shown({ branchId: 'BRANCH-none' })).toEqual([[], false])
  await agents.startTestRun(AGENT, { deploymentId: merged.id })
  for (const query of [{ limit: 0 }, { limit: 1_001 }, { offset: -1 }])
    await expect(agents.testRuns.history(AGENT, query)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
  await expect(agents.testRuns.history('PROJECT-NONE')).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
})
