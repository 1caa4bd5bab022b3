import { describe, expect, test } from 'vitest'
import { createPlatform } from '../../src/platform.ts'
import { contextOf } from '../../src/platform-context.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { AGENT, aCase, createBench, mergeCases, runOf } from './support.ts'

const requirePassingTests = ['live'] as const
const refused = (message: string) => ({
  code: 'DEPLOYMENTS_TESTS_NOT_PASSED',
  message: expect.stringContaining(message),
})
const slow = {
  greeting: 'Hi',
  otherwise: [{ type: 'wait' as const, milliseconds: 10_000 }, 'Yes.'],
}
const wrong = { turns: [{ text: 'Is it?', expectations: { contains: ['no'] } }] }

describe('required tests', () => {
  test('TE30 let a version go where they are required once a run of it has passed, in whatever environment', async () => {
    const { platform } = await createBench({ requirePassingTests })
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a'))
    await platform.idle()
    const live = await agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })
    expect((await agents.activeDeployments(AGENT)).live?.id).toBe(live.id)
    await mergeCases(platform, aCase('b'))
    await platform.idle()
    const published = await agents.publish(AGENT, { environment: 'live' })
    expect((await agents.activeDeployments(AGENT)).live?.id).toBe(published.id)
  })

  test('TE30 are not asked for anywhere else, and by default nowhere', async () => {
    const { platform } = await createBench({ requirePassingTests })
    const merged = await mergeCases(platform, aCase('a', wrong))
    await platform.idle()
    await platform.agents.promote(AGENT, merged.id, { targetEnvironment: 'pre-release' })
    const free = await createBench()
    const failing = await mergeCases(free.platform, aCase('a', wrong))
    await free.platform.idle()
    await free.platform.agents.promote(AGENT, failing.id, { targetEnvironment: 'live' })
  })

  test('TE30 refuse a run that is running, failed or errored, and say which', async () => {
    const { platform, clock } = await createBench({ requirePassingTests, script: slow })
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a', wrong))
    const id = runOf(merged)
    const promote = () => agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })
    const publish = () => agents.publish(AGENT, { environment: 'live' })
    for (const attempt of [promote, publish]) {
      await expect(attempt()).rejects.toMatchObject(refused(`${id}, is still running`))
    }
    await clock.advance(11_000)
    await platform.idle()
    for (const attempt of [promote, publish]) {
      await expect(attempt()).rejects.toMatchObject({
        ...refused(
          `What goes to live must have passed its tests: the newest run of this version, ${id}, has failed.`,
        ),
        details: { body: { testRunId: id } },
      })
    }
    expect((await agents.activeDeployments(AGENT)).live).toBeNull()
    expect((await agents.testRuns.list(AGENT)).testRuns).toHaveLength(1)
    const broken = await createBench({ requirePassingTests, script: { greeting: 'Hi' } })
    const errored = await mergeCases(broken.platform, aCase('a'))
    await broken.platform.idle()
    const attempt = broken.platform.agents.promote(AGENT, errored.id, { targetEnvironment: 'live' })
    await expect(attempt).rejects.toMatchObject(refused('could not be brought to an end'))
  })

  test('TE30 refuse a version of which there is no run, and one without active test cases', async () => {
    const { platform, store } = await createBench({ requirePassingTests })
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a'))
    await platform.idle()
    await store.agents.testRuns.forget(AGENT, [runOf(merged)])
    const promote = () => agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })
    await expect(promote()).rejects.toMatchObject({
      ...refused('there is no run of this version'),
      details: { body: { testRunId: null } },
    })
    await agents.startTestRun(AGENT, { deploymentId: merged.id })
    await platform.idle()
    await promote()
    const branch = await agents.createBranch(AGENT, { branchName: 'none' })
    const [testCase] = await agents.testCases.list(AGENT, branch.id)
    await agents.testCases.delete(AGENT, branch.id, testCase?.id ?? '')
    const { deployment } = await agents.merge(AGENT, branch.id)
    await expect(agents.promote(AGENT, deployment.id, { targetEnvironment: 'live' })).rejects.toMatchObject(
      refused('this version has no active test case'),
    )
  })

  test('TE30 a run of other tests of the same topics is none of this version', async () => {
    const { platform } = await createBench({ requirePassingTests })
    const { agents } = platform
    await mergeCases(platform, aCase('a'))
    const stricter = await mergeCases(platform, aCase('b', wrong))
    await platform.idle()
    await expect(agents.promote(AGENT, stricter.id, { targetEnvironment: 'live' })).rejects.toMatchObject(
      refused('has failed'),
    )
  })

  test('TE30 do not stand in the way of a rollback, and cannot be required of sandbox', async () => {
    const bench = await createBench()
    const { agents } = bench.platform
    const merged = await mergeCases(bench.platform, aCase('a', wrong))
    await bench.platform.idle()
    const live = await agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })
    const strict = bench.open({ requirePassingTests })
    const back = await strict.platform.agents.rollback(AGENT, live.id)
    expect((await strict.platform.agents.activeDeployments(AGENT)).live?.id).toBe(back.id)
    const settings: Partial<Settings> = JSON.parse('{"requirePassingTests":["live","sandbox"]}')
    const { store, runtime } = contextOf(strict.platform)
    expect(() => createPlatform({ store, runtime, ...settings })).toThrow(
      'requirePassingTests[1] must be "pre-release" or "live", not "sandbox".',
    )
  })

  test('TE30 whatever is promoted while runs pass and fail, only what has passed is ever live', async () => {
    const bench = await createBench({ requirePassingTests, script: slow })
    const other = bench.open({ requirePassingTests, script: slow })
    const good = await mergeCases(bench.platform, aCase('a'))
    const bad = await mergeCases(bench.platform, aCase('b', wrong))
    const attempts = async (at: number) => {
      const { agents } = at % 2 === 0 ? bench.platform : other.platform
      return agents.promote(AGENT, (at % 3 === 0 ? bad : good).id, { targetEnvironment: 'live' }).then(
        ({ version }) => version,
        (error: unknown) => error,
      )
    }
    const outcomes: unknown[] = []
    for (let round = 0; round < 8; round++) {
      const racing = Promise.all([0, 1, 2, 3, 4, 5].map(attempts))
      await bench.clock.advance(2_000)
      outcomes.push(...(await racing))
    }
    const versions = outcomes.filter(outcome => typeof outcome === 'string')
    expect(new Set(versions)).toEqual(new Set([good.version]))
    const refusals = outcomes.filter(outcome => typeof outcome !== 'string')
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'DEPLOYMENTS_TESTS_NOT_PASSED' })
    expect(refusals.length).toBeGreaterThan(versions.length / 2)
    const live = await bench.platform.agents.deployments(AGENT, 'live')
    expect(live).toHaveLength(versions.length)
    expect(new Set(live.map(({ version }) => version))).toEqual(new Set([good.version]))
  })
})
