import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { encodeCursor } from '../../src/domain/conversation/cursor.ts'
import { defineFunction } from '../../src/index.ts'
import type { Platform } from '../../src/platform.ts'
import { recorded, refusal, replayed, talk, textOf } from './replay-support.ts'
import { AGENT, aCase, createBench, mergeCases } from './support.ts'

const begin = (platform: Platform, deploymentId: string, last = 50) =>
  platform.agents.startReplay(AGENT, { deploymentId, last, mode: 'live_history' })

const inCourse = (platform: Platform, deploymentId: string) =>
  replayed(platform, { deploymentId, mode: 'live_history' })

describe('replays', () => {
  test('TE40 are of the newest conversations that are over, in one environment, and who began one is in the audit log', async () => {
    const bench = await createBench()
    const { platform } = bench
    const { deploymentId, ids } = await recorded(bench, ['one'], ['two'], ['three'])
    const replay = await begin(platform, deploymentId, 2)
    expect(replay).toMatchObject({
      ...{ deploymentId, status: 'running', conversations: 2, environment: 'live' },
      selection: { last: 2, environment: 'live' },
    })
    await talk(platform, 'four')
    await platform.idle()
    expect(await platform.agents.replay(AGENT, replay.id)).toMatchObject({ status: 'finished', replayed: 2 })
    const { turns } = await platform.agents.replayTurns(AGENT, replay.id)
    expect(new Set(turns.map(({ conversationId }) => conversationId))).toEqual(new Set([ids[2], ids[1]]))
    expect(await platform.agents.replays(AGENT, { deploymentId })).toMatchObject([{ id: replay.id }])
    const { entries } = await platform.audit.list({ action: 'replay.started' })
    expect(entries).toMatchObject([
      { resource: { type: 'replay', id: replay.id }, details: { deploymentId, conversations: 2 } },
    ])
    await expect(
      platform.agents.startReplay(AGENT, { deploymentId, environment: 'pre-release' }),
    ).rejects.toEqual(refusal('CONVERSATIONS_NOT_FOUND'))
    await expect(begin(platform, 'none')).rejects.toEqual(refusal('DEPLOYMENT_NOT_FOUND'))
    for (const last of [0, 1_001, 1.5])
      await expect(begin(platform, deploymentId, last)).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
    await expect(platform.agents.replay(AGENT, 'none')).rejects.toEqual(refusal('TEST_RUN_NOT_FOUND'))
    await expect(platform.agents.replays(AGENT, { limit: 101 })).rejects.toEqual(
      refusal('SCHEMA_VALIDATION_FAILED'),
    )
  })

  test('TE43 show what is otherwise beside what was recorded, and what is replayed is nowhere', async () => {
    let answer = 'Yes.'
    const bench = await createBench({
      script: { greeting: 'Hi.', otherwise: turn => (textOf(turn) === 'b' ? answer : 'Fine.') },
    })
    const { platform, runtime, store } = bench
    const { deploymentId, ids } = await recorded(bench, ['a', 'b'])
    answer = 'No.'
    const { report, turns } = await inCourse(platform, deploymentId)
    expect(report.verdicts).toMatchObject({ same: 2, reworded: 1 })
    expect(turns[0]).toEqual({
      ...{ turn: 2, verdict: 'reworded', reason: 'text', from: '', to: '', reply: 'No.' },
      conversationId: ids[0],
      recorded: { userInput: 'b', reply: 'Yes.' },
    })
    expect(turns.slice(1).map(({ reply }) => reply)).toEqual(['', ''])
    expect(runtime.turns.slice(-3).map(({ kind, channel }) => `${kind} ${channel}`)).toEqual(
      Array(3).fill('test REPLAY'),
    )
    expect(await store.conversations.listOpen(AGENT)).toEqual([])
    const own = runtime.turns.at(-1)?.conversationId ?? ''
    expect(await store.conversations.load(own)).toBeNull()
    const agent = await platform.agents.find(AGENT)
    const filter = { accountId: agent?.accountId ?? '', agentId: AGENT, environment: 'live' } as const
    expect((await store.conversations.records.list(filter, { offset: 0 }, 9)).records).toHaveLength(1)
  })

  test.each([
    [false, 'never executed'],
    [true, 'executed for what was not recorded alone'],
  ])('TE44 with callInTests %s functions answer from the recording and are %s', async callInTests => {
    const executed: string[] = []
    let wanted = 2
    const price = defineFunction({
      description: 'The price of some nights.',
      callInTests,
      parameters: z.object({ nights: z.int() }),
      execute(conversation) {
        executed.push(conversation.conversationId)
        conversation.setVariable('price', 90)
        conversation.say(`It is ${90 + executed.length} pounds.`)
        return executed.length
      },
    })
    const bench = await createBench({
      functions: { price },
      script: {
        greeting: 'Hi.',
        async otherwise(turn) {
          if (textOf(turn) === 'after') return `I said ${String(turn.variables.price)}.`
          const first = await turn.callFunction('price', { nights: wanted })
          const second = await turn.callFunction('price', { nights: wanted })
          return first.error ?? ` ${String(first.result)} and ${String(second.result)}`
        },
      },
    })
    const { platform } = bench
    const { deploymentId } = await recorded(bench, ['how much', 'after'])
    expect(executed).toHaveLength(2)
    expect((await inCourse(platform, deploymentId)).report.verdicts).toMatchObject({ same: 3 })
    wanted = 3
    const { turns } = await inCourse(platform, deploymentId)
    expect(turns[0]).toMatchObject({
      ...{ verdict: 'changed', reason: 'function_arguments' },
      reply: expect.stringMatching(callInTests ? / pounds\./ : /price was not called in a replay/),
    })
    expect(executed.length > 2).toBe(callInTests)
  })

  test('TE45 what follows a handoff or a failure is counted and not judged', async () => {
    let fails = false
    const bench = await createBench({
      script: {
        greeting: 'Hi.',
        otherwise: turn =>
          fails && textOf(turn) === 'b' ? [{ type: 'fail', message: 'No model.' }] : 'Fine.',
      },
    })
    const { platform } = bench
    const { deploymentId } = await recorded(bench, ['a', 'b', 'c'])
    fails = true
    const { report, turns } = await inCourse(platform, deploymentId)
    expect(report.verdicts).toMatchObject({ same: 2, errored: 1, not_replayable: 1 })
    expect(turns.slice(0, 2)).toMatchObject([
      { turn: 2, verdict: 'errored', reason: 'agent_failed' },
      { turn: 3, verdict: 'not_replayable', reason: 'after_error' },
    ])
  })

  test('TE45 where the agent ends earlier than it did the rest is off script', async () => {
    let ends = false
    const bench = await createBench({
      script: {
        greeting: 'Hi.',
        otherwise: turn => (ends && textOf(turn) === 'a' ? ['Bye.', { type: 'end' }] : 'Fine.'),
      },
    })
    const { platform } = bench
    const { deploymentId } = await recorded(bench, ['a', 'b'])
    ends = true
    const { turns } = await inCourse(platform, deploymentId)
    expect(turns).toMatchObject([
      { turn: 1, verdict: 'changed', reason: 'end' },
      { turn: 2, verdict: 'off_script', reason: 'ended' },
      { turn: 0, verdict: 'same' },
    ])
  })

  test('TE43 one whose process is gone is continued by another one, and what is behind it stands', async () => {
    const slow = [{ type: 'wait', milliseconds: 3_000 } as const, 'Yes.']
    const bench = await createBench({
      testRuns: { casesAtOnce: 1 },
      script: { greeting: 'Hi.', otherwise: turn => (turn.kind === 'test' ? slow : 'Yes.') },
    })
    const { deploymentId } = await recorded(bench, ['a'], ['b'])
    const { id } = await begin(bench.platform, deploymentId)
    await bench.clock.advance(4_000)
    expect(await bench.platform.agents.replay(AGENT, id)).toMatchObject({ status: 'running', replayed: 1 })
    bench.kill()
    const other = bench.open({ script: { greeting: 'Hi.', otherwise: 'Yes.' } })
    await bench.clock.advance(20_000)
    await other.platform.idle()
    expect(await other.platform.agents.replay(AGENT, id)).toMatchObject({
      ...{ status: 'finished', replayed: 2 },
      verdicts: { same: 4 },
    })
    // The other process has asked for the second conversation alone: its greeting a second time.
    const again = other.runtime.turns.filter(({ kind }) => kind === 'test')
    expect(again).toHaveLength(2)
    expect(await bench.store.conversations.listOpen(AGENT)).toEqual([])
  })

  test('results that come while one is written are one write, and each is counted once', async () => {
    const bench = await createBench({ testRuns: { casesAtOnce: 4 } })
    const { deploymentId } = await recorded(bench, ...Array(9).fill(['a']))
    const { testRuns } = bench.store.agents
    const { save } = testRuns
    const written: number[] = []
    testRuns.save = async (...input) => {
      if (input[2].length > 0) {
        written.push(input[2].length)
        // Until all other conversations that are replayed at once have ended.
        await bench.clock.settle()
      }
      return save(...input)
    }
    const { report } = await replayed(bench.platform, { deploymentId })
    expect(report).toMatchObject({ status: 'finished', replayed: 9, verdicts: { same: 18 } })
    expect(written).toEqual([1, 3, 1, 3, 1])
  })

  test('TE98 a conversation that is erased before another process goes on is counted once', async () => {
    const slow = [{ type: 'wait', milliseconds: 3_000 } as const, 'No.']
    const bench = await createBench({
      testRuns: { casesAtOnce: 1 },
      script: { greeting: 'Hi.', otherwise: turn => (turn.kind === 'test' ? slow : 'Yes.') },
    })
    const { deploymentId } = await recorded(bench, ['a'], ['b'])
    const { id } = await begin(bench.platform, deploymentId)
    await bench.clock.advance(4_000)
    const before = await bench.platform.agents.replay(AGENT, id)
    expect(before).toMatchObject({ replayed: 1, verdicts: { reworded: 1, same: 1 } })
    const [{ conversationId = '' } = {}] = (await bench.platform.agents.replayTurns(AGENT, id)).turns
    bench.kill()
    const other = bench.open({ script: { greeting: 'Hi.', otherwise: 'Yes.' } })
    const { accountId = '' } = (await other.platform.agents.find(AGENT)) ?? {}
    await other.platform.conversations.remove(accountId, AGENT, conversationId)
    await bench.clock.advance(20_000)
    await other.platform.idle()
    expect(await other.platform.agents.replay(AGENT, id)).toMatchObject({
      ...{ status: 'finished', replayed: 2, erased: 1 },
      verdicts: { ...before.verdicts, same: 3 },
    })
  })

  test('TE43 and TE98 what it has of a conversation goes with that, also of one that is removed meanwhile', async () => {
    let answer = 'Yes.'
    const bench = await createBench({ script: { greeting: 'Hi.', otherwise: () => answer } })
    const { platform, store } = bench
    const { deploymentId, ids } = await recorded(bench, ['secret'], ['b'])
    answer = 'Nothing secret.'
    const { accountId = '' } = (await platform.agents.find(AGENT)) ?? {}
    const { id, report } = await inCourse(platform, deploymentId)
    await platform.conversations.remove(accountId, AGENT, ids[0] ?? '')
    const after = await store.agents.testRuns.find(AGENT, id)
    expect(after?.results).toHaveLength(1)
    const shown = await platform.agents.replay(AGENT, id)
    expect(shown).toEqual({ ...report, erased: 1 })
    const { turns } = await platform.agents.replayTurns(AGENT, id)
    expect(new Set(turns.map(({ conversationId }) => conversationId))).toEqual(new Set([ids[1]]))

    // Its result is written after the conversation is gone.
    const { save } = store.agents.testRuns
    store.agents.testRuns.save = async (...input) => {
      if (input[2].some(({ testCaseId }) => testCaseId === ids[1]))
        await store.conversations.removals.remove(accountId, AGENT, ids[1] ?? '')
      return save(...input)
    }
    const last = await inCourse(platform, deploymentId)
    expect(last.report).toMatchObject({
      ...{ status: 'finished', replayed: 1, erased: 1 },
      verdicts: { not_replayable: 0, reworded: 1, same: 1 },
    })
    expect(JSON.stringify(await store.agents.testRuns.find(AGENT, last.id))).not.toContain('secret')
  })

  test('TE43 nothing of a removed conversation stays in a replay that is given up because its branch changed', async () => {
    let answer = 'Yes.'
    const script = { greeting: 'Hi.', otherwise: () => answer }
    const bench = await createBench({ script, testRuns: { casesAtOnce: 1 } })
    const { platform, store } = bench
    await recorded(bench, ['a'], ['b'], ['c'])
    answer = 'Nothing secret.'
    const { accountId = '' } = (await platform.agents.find(AGENT)) ?? {}
    const branch = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    const { save } = store.agents.testRuns
    let saved = 0
    store.agents.testRuns.save = async (...input) => {
      for (const { testCaseId } of input[2]) {
        // The first result is written after its conversation is gone; the second one ends the run.
        if (saved++ === 0) await store.conversations.removals.remove(accountId, AGENT, testCaseId)
        else if (saved === 2) await platform.agents.updateBehavior(AGENT, branch.id, 'Changed.')
      }
      return save(...input)
    }
    const { id, report } = await replayed(platform, { branchId: branch.id, environment: 'live' })
    expect(report.status).toBe('errored')
    const results = (await store.agents.testRuns.find(AGENT, id))?.results ?? []
    expect(results.map(result => JSON.stringify(result).includes('secret')).sort()).toEqual([false, true])
  })

  test('TE48 a group is accepted with a reason once the replay is over, which the audit log tells', async () => {
    let answer = 'Yes.'
    const bench = await createBench({ script: { greeting: 'Hi.', otherwise: () => answer } })
    const { platform, clock } = bench
    const { deploymentId } = await recorded(bench, ['a', 'b'], ['c'])
    answer = 'No.'
    const early = await begin(platform, deploymentId)
    const group = { verdict: 'reworded', reason: 'text', from: '', to: '' } as const
    await expect(
      platform.agents.acceptReplayGroup(AGENT, early.id, { ...group, why: 'Shorter.' }),
    ).rejects.toEqual(refusal('WRITE_CONFLICT'))
    await platform.idle()
    const { agents } = platform.as({ type: 'person', id: 'u-ada', name: 'Ada', correlationId: null })
    const accept = (why: string, values = {}) =>
      agents.acceptReplayGroup(AGENT, early.id, { ...group, ...values, why })
    expect((await accept('Wrong.')).groups).toHaveLength(1)
    const { groups } = await accept('Shorter.')
    expect(groups).toEqual([
      { ...group, turns: 3, accepted: { why: 'Shorter.', by: 'Ada', at: clock.now() } },
    ])
    expect((await agents.replay(AGENT, early.id)).groups).toEqual(groups)
    const { entries } = await platform.audit.list({ action: 'replay.accepted' })
    expect(entries).toMatchObject([
      { actor: { name: 'Ada' }, details: { why: 'Shorter.', turns: 3 } },
      { details: { why: 'Wrong.' } },
    ])
    await expect(accept('')).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
    await expect(accept('x'.repeat(1_001))).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
    await expect(accept('Why not?', { to: 'Bar' })).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
  })

  test('TE48 turns come in pages, those of one group where it is asked for', async () => {
    const bench = await createBench()
    const { platform } = bench
    const { deploymentId } = await recorded(bench, ['a', 'b'], ['c'])
    const { id } = await inCourse(platform, deploymentId)
    const page = (query = {}) => platform.agents.replayTurns(AGENT, id, query)
    const all = await page()
    expect(all.turns).toHaveLength(5)
    const first = await page({ limit: 2 })
    const second = await page({ limit: 2, cursor: first.cursor ?? '' })
    const third = await page({ limit: 2, cursor: second.cursor ?? '' })
    expect([first, second, third].flatMap(({ turns }) => turns)).toEqual(all.turns)
    expect([all.cursor, third.cursor]).toEqual([null, null])
    for (const cursor of [
      'x',
      encodeCursor({ startedAt: 8_000, id: 'x' }),
      encodeCursor({ startedAt: -1, id: 'x' }),
    ])
      await expect(page({ cursor })).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
    expect(await page({ verdict: 'worse' })).toEqual({ turns: [], cursor: null })
    expect(await page({ verdict: 'same', from: '' })).toEqual(all)
    await expect(page({ limit: 201 })).rejects.toEqual(refusal('SCHEMA_VALIDATION_FAILED'))
  })

  test('TE40 is in no list of test runs, and passes nothing', async () => {
    const bench = await createBench({ requirePassingTests: ['live'] })
    const { platform } = bench
    const merged = await mergeCases(
      platform,
      aCase('fails', { turns: [{ text: '?', expectations: { contains: ['no'] } }] }),
    )
    await platform.idle()
    const { connector } = await platform.access.createConnector({
      ...{ accountId: merged.accountId, agentId: AGENT, environment: 'sandbox', hosts: [] },
    })
    const { conversationId } = await platform.chat.create(connector, {})
    await platform.chat.close(connector, conversationId)
    const { id } = await platform.agents.startReplay(AGENT, {
      deploymentId: merged.id,
      environment: 'sandbox',
    })
    await platform.idle()
    expect(await platform.agents.replay(AGENT, id)).toMatchObject({
      status: 'finished',
      verdicts: { same: 1 },
    })
    expect((await platform.agents.testRuns.list(AGENT)).testRuns).toHaveLength(1)
    await expect(platform.agents.testRuns.read(AGENT, id)).rejects.toEqual(refusal('TEST_RUN_NOT_FOUND'))
    await expect(platform.agents.promote(AGENT, merged.id, { targetEnvironment: 'live' })).rejects.toEqual(
      refusal('DEPLOYMENTS_TESTS_NOT_PASSED'),
    )
  })
})
