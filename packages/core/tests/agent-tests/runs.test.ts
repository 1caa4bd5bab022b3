import { wakesAt } from '@colloquy/test-support/stored'
import { describe, expect, test } from 'vitest'
import type { ConversationId } from '../../src/domain/ids.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { ScriptedStep } from '../../src/testing/index.ts'
import { AGENT, aCase, createBench, mergeCases, runOf, statusOf } from './support.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const SLOW: readonly ScriptedStep[] = [{ type: 'wait', milliseconds: 10_000 }, 'Yes.']
const slow = { script: { greeting: 'Hi', otherwise: SLOW } }

describe('test runs', () => {
  test('TE20 begin with each deployment, however it comes about, and their ids are told', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a'), aCase('b', { isActive: false }))
    const promoted = await agents.promote(AGENT, merged.id)
    const published = await agents.publish(AGENT, { environment: 'live' })
    const back = await agents.rollback(AGENT, published.id)
    const made = [back, published, promoted, merged]
    await platform.idle()
    const { testRuns } = await agents.testRuns.list(AGENT)
    expect(new Set(testRuns.map(({ id }) => id))).toEqual(new Set(made.map(runOf)))
    for (const deployment of made) {
      const [run, ...others] = (await agents.testRuns.list(AGENT, { deploymentId: deployment.id })).testRuns
      expect(others).toEqual([])
      expect(run).toMatchObject({
        deploymentId: deployment.id,
        environment: deployment.environment,
        version: deployment.version,
        revision: 2,
        status: 'passed',
        counts: { total: 1, passed: 1, failed: 0, errored: 0 },
      })
    }
  })

  test('TE20 are none without active test cases', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const merged = await mergeCases(platform, aCase('a', { isActive: false }))
    const promoted = await agents.promote(AGENT, merged.id)
    expect([merged.testRunIds, promoted.testRunIds]).toEqual([[], []])
    expect(await agents.testRuns.list(AGENT)).toEqual({ testRuns: [], cursor: null })
    await expect(agents.startTestRun(AGENT, { deploymentId: merged.id })).rejects.toEqual(
      refusal('TEST_RUN_WITHOUT_TEST_CASES'),
    )
  })

  test('TE20 are those of the cases that were deployed, whatever main holds by now', async () => {
    const { platform } = await createBench()
    const { agents } = platform
    const first = await mergeCases(platform, aCase('a'))
    await mergeCases(platform, aCase('b', { turns: [{ text: '?', expectations: { contains: ['no'] } }] }))
    const { id } = await agents.startTestRun(AGENT, { deploymentId: first.id })
    await platform.idle()
    const { run, results } = await agents.testRuns.read(AGENT, id)
    expect([run.status, results.map(({ name }) => name)]).toEqual(['passed', ['a']])
  })

  test('TE21 go on in the background: nobody waits for them', async () => {
    const { platform, clock } = await createBench(slow)
    const merged = await mergeCases(platform, aCase('a'))
    expect(await statusOf(platform, runOf(merged))).toBe('running')
    await clock.advance(11_000)
    await platform.idle()
    expect(await statusOf(platform, runOf(merged))).toBe('passed')
  })

  test('TE21 are so many at a time in a process, with so many cases at a time', async () => {
    const testRuns = { concurrency: 2, casesAtOnce: 3 }
    const { platform, runtime, clock } = await createBench({ testRuns, ...slow })
    const first = await mergeCases(platform, ...Array.from({ length: 7 }, (_, at) => aCase(`case ${at}`)))
    const others = [
      await platform.agents.promote(AGENT, first.id),
      await platform.agents.rollback(AGENT, first.id),
    ]
    const atOnce: number[] = []
    for (let second = 0; second < 100; second++) {
      await clock.advance(1_000)
      atOnce.push(runtime.turns.length - runtime.finished.length)
    }
    expect(Math.max(...atOnce)).toBe(6)
    for (const deployment of [first, ...others])
      expect(await statusOf(platform, runOf(deployment))).toBe('passed')
  })

  test('TE21 take turns by account: who begins many keeps nobody else waiting', async () => {
    const { platform, clock } = await createBench({ testRuns: { concurrency: 1 }, ...slow })
    const { access, agents } = platform
    const first = await mergeCases(platform, aCase('a'))
    const many = [first]
    many.push(await agents.promote(AGENT, first.id), await agents.rollback(AGENT, first.id))
    const { id: accountId } = await access.createAccount({ slug: 'two', name: 'Two' })
    const { id: other } = await agents.create({ accountId, name: 'Other', greeting: 'Hi' })
    const branch = await agents.createBranch(other, { branchName: 'cases' })
    await agents.testCases.create(other, branch.id, aCase('b'))
    const { testRunIds } = await agents.merge(other, branch.id)
    await clock.advance(25_000)
    const theirs = await agents.testRuns.read(other, runOf({ testRunIds }))
    const own = await Promise.all(many.map(deployment => statusOf(platform, runOf(deployment))))
    expect([own, theirs.run.status]).toEqual([['passed', 'running', 'running'], 'passed'])
  })

  test('TE21 whose process is gone are begun again when the lease is over; the cases behind them stand', async () => {
    const bench = await createBench({ testRuns: { casesAtOnce: 1 }, ...slow })
    const { clock, platform } = bench
    const id = runOf(await mergeCases(platform, aCase('a'), aCase('b')))
    await clock.advance(12_000)
    expect((await platform.agents.testRuns.read(AGENT, id)).results.map(({ name }) => name)).toEqual(['a'])
    bench.kill()
    const other = bench.open()
    await clock.advance(9_000)
    expect(await statusOf(other.platform, id)).toBe('running')
    await clock.advance(8_000)
    await other.platform.idle()
    const { run, results } = await other.platform.agents.testRuns.read(AGENT, id)
    expect(run).toMatchObject({ status: 'passed', attempts: 2, counts: { total: 2, passed: 2 } })
    expect(results.map(({ name }) => name)).toEqual(['a', 'b'])
    // The one that was cut off has another conversation: only its own, and what the dead one left, were answered.
    const cases = other.runtime.turns.map(({ conversationId }) => conversationId.split('.')[1])
    expect(new Set(cases)).toEqual(new Set([results[1]?.testCaseId]))
  })

  test('TE10 and TE21 whoever takes a run over removes the conversations that dead processes left, the open and the ended', async () => {
    const bench = await createBench({ testRuns: { casesAtOnce: 2 }, ...slow })
    const { store } = bench
    const { conversations } = store
    const { create } = conversations
    const begun: ConversationId[] = []
    conversations.create = async (write, ...rest) => {
      begun.push(write.state.id)
      return create(write, ...rest)
    }
    const { remove } = conversations.removals
    // The first process dies between the end of a conversation and its removal.
    conversations.removals.remove = async (...about) => {
      bench.kill()
      return begun.length === 2 ? 'missing' : remove(...about)
    }
    const id = runOf(await mergeCases(bench.platform, aCase('a'), aCase('b')))
    await bench.clock.advance(12_000)
    conversations.removals.remove = remove
    expect(begun).toHaveLength(2)
    const kept = async () =>
      (await Promise.all(begun.map(one => conversations.load(one)))).filter(found => found !== null)
    expect(await kept()).toHaveLength(2)
    const other = bench.open()
    await bench.clock.advance(16_000)
    await other.platform.idle()
    expect(await statusOf(other.platform, id)).toBe('passed')
    expect(begun).toHaveLength(4)
    expect(await kept()).toEqual([])
  })

  test('TE21 a process that takes long keeps its run: the lease is renewed', async () => {
    const bench = await createBench({
      script: { greeting: 'Hi', otherwise: [{ type: 'wait', milliseconds: 50_000 }, 'Yes.'] },
    })
    const id = runOf(await mergeCases(bench.platform, aCase('a')))
    await bench.clock.advance(20)
    const other = bench.open()
    for (let passed = 0; passed < 51; passed++) await bench.clock.advance(1_000)
    await bench.platform.idle()
    const { run } = await bench.platform.agents.testRuns.read(AGENT, id)
    expect(run).toMatchObject({ status: 'passed', attempts: 1 })
    expect(other.runtime.turns).toEqual([])
  })

  test('TE21 that no process brings to an end have errored, and never run for ever', async () => {
    const bench = await createBench(slow)
    const id = runOf(await mergeCases(bench.platform, aCase('a')))
    await bench.clock.advance(1_000)
    bench.kill()
    for (let attempt = 2; attempt <= 3; attempt++) {
      const next = bench.open(slow)
      await bench.clock.advance(16_000)
      expect((await bench.store.agents.testRuns.find(AGENT, id))?.run).toMatchObject({
        status: 'running',
        attempts: attempt,
      })
      next.kill()
    }
    const last = bench.open()
    await bench.clock.advance(16_000)
    expect((await last.platform.agents.testRuns.read(AGENT, id)).run).toMatchObject({
      status: 'errored',
      error: expect.stringMatching(/did not come to its end in 3 attempts/),
      finishedAt: expect.any(Number),
    })
    // Nor do they leave a conversation (TE10).
    expect(await bench.store.conversations.listOpen(AGENT)).toEqual([])
  })

  test('TE21 of many processes one has the run', async () => {
    const bench = await createBench()
    const others = [bench.open(), bench.open(), bench.open()]
    const made = await mergeCases(bench.platform, aCase('a'))
    await Promise.all([bench, ...others].map(({ platform }) => platform.idle()))
    await bench.clock.advance(1_000)
    const asked = [bench, ...others].map(({ runtime }) => runtime.turns.length)
    expect(asked.filter(turns => turns > 0)).toEqual([2])
    expect(await statusOf(bench.platform, runOf(made))).toBe('passed')
  })

  test('TE21 a process that closes gives its run back, and the next one goes on at once', async () => {
    const bench = await createBench({ drainTimeout: 0, ...slow })
    const id = runOf(await mergeCases(bench.platform, aCase('a')))
    await bench.clock.advance(1_000)
    expect(bench.runtime.turns).toHaveLength(2)
    const closed = bench.platform.close()
    await bench.clock.advance(0)
    await closed
    expect((await bench.store.agents.testRuns.find(AGENT, id))?.run).toMatchObject({
      status: 'running',
      attempts: 0,
      leaseUntil: bench.clock.now(),
    })
    const next = bench.open()
    await next.platform.idle()
    expect((await next.platform.agents.testRuns.read(AGENT, id)).run).toMatchObject({
      status: 'passed',
      attempts: 1,
    })
    expect(bench.errors).toEqual([])
  })

  test('TE24 an agent keeps the newest ones', async () => {
    const { platform, clock } = await createBench({ testRuns: { kept: 2 } })
    const made = await mergeCases(platform, aCase('a'))
    const ids = [runOf(made)]
    for (let count = 0; count < 3; count++) {
      await platform.idle()
      await clock.advance(1)
      ids.push((await platform.agents.startTestRun(AGENT, { deploymentId: made.id })).id)
    }
    await platform.idle()
    const { testRuns } = await platform.agents.testRuns.list(AGENT)
    expect(testRuns.map(({ id }) => id)).toEqual([ids[3], ids[2]])
    await expect(platform.agents.testRuns.read(AGENT, ids[0] ?? 'none')).rejects.toEqual(
      refusal('TEST_RUN_NOT_FOUND'),
    )
  })

  test('TE24 the runs that are kept are not read to find those that go', async () => {
    const store = createMemoryStore()
    const { testRuns } = store.agents
    const seen: string[] = []
    const list: typeof testRuns.list = async (filter, limit) => {
      const found = await testRuns.list(filter, limit)
      seen.push(...found.map(({ id }) => id))
      return found
    }
    const watched = { ...store, agents: { ...store.agents, testRuns: { ...testRuns, list } } }
    const { platform, clock } = await createBench({ testRuns: { kept: 2 } }, watched)
    const made = await mergeCases(platform, aCase('a'))
    for (let count = 0; count < 3; count++) {
      await platform.idle()
      await clock.advance(1)
      await platform.agents.startTestRun(AGENT, { deploymentId: made.id })
    }
    seen.length = 0
    await platform.idle()
    expect(seen).toHaveLength(1)
    expect(await platform.agents.testRuns.read(AGENT, runOf(made)).catch(({ code }) => code)).toBe(
      'TEST_RUN_NOT_FOUND',
    )
  })

  test('TE20 pages come newest first, and do not shift', async () => {
    const { platform, clock } = await createBench()
    const { testRuns } = platform.agents
    const made = await mergeCases(platform, aCase('a'))
    const ids = [runOf(made)]
    for (let count = 0; count < 4; count++) {
      await clock.advance(1)
      ids.unshift((await platform.agents.startTestRun(AGENT, { deploymentId: made.id })).id)
    }
    const first = await testRuns.list(AGENT, { limit: 2 })
    await platform.agents.startTestRun(AGENT, { deploymentId: made.id })
    const second = await testRuns.list(AGENT, { limit: 2, cursor: first.cursor ?? '' })
    const third = await testRuns.list(AGENT, { limit: 2, cursor: second.cursor ?? '' })
    const listed = [first, second, third].map(page => page.testRuns.map(({ id }) => id))
    expect(listed).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    expect(third.cursor).toBeNull()
    for (const query of [{ limit: 0 }, { limit: 1_001 }, { limit: 1.5 }, { cursor: 'none' }])
      await expect(testRuns.list(AGENT, query)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
  })

  test('TE24 go with their agent, and nothing is left of them', async () => {
    const { platform, clock, errors, store } = await createBench(slow)
    const id = runOf(await mergeCases(platform, aCase('a'), aCase('b')))
    await clock.advance(1_000)
    await platform.agents.delete(AGENT)
    await clock.advance(30_000)
    await platform.idle()
    expect(await store.agents.testRuns.find(AGENT, id)).toBeNull()
    expect(await store.agents.testRuns.claim(clock.now() + 1e9, 9, clock.now() + 2e9)).toEqual([])
    expect(await wakesAt(store.conversations, null)).toBe(true)
    expect(errors).toEqual([])
    await expect(platform.agents.testRuns.list(AGENT)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
    await expect(platform.agents.testRuns.read(AGENT, id)).rejects.toEqual(refusal('PROJECT_NOT_FOUND'))
  })

  test('TE21 a store that fails for a while costs an attempt, not the run', async () => {
    const bench = await createBench()
    const { save } = bench.store.agents.testRuns
    let failures = 1
    bench.store.agents.testRuns.save = async (...input) => {
      if (failures-- > 0) throw new Error('The disk is full')
      return save(...input)
    }
    const id = runOf(await mergeCases(bench.platform, aCase('a')))
    await bench.platform.idle()
    expect(await statusOf(bench.platform, id)).toBe('running')
    expect(bench.errors).toEqual([expect.objectContaining({ message: 'The disk is full' })])
    await bench.clock.advance(16_000)
    expect((await bench.platform.agents.testRuns.read(AGENT, id)).run).toMatchObject({
      status: 'passed',
      attempts: 2,
    })
  })
})
