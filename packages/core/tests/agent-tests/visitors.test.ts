import { describe, expect, test } from 'vitest'
import type { TestCase } from '../../src/domain/agent/test-case.ts'
import { createPlatform } from '../../src/index.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import type { TestJudge, TestTalkSoFar, TestVisitor } from '../../src/ports/test-visitor.ts'
import { createFakeClock, createScriptedRuntime, type Script } from '../../src/testing/index.ts'
import { AGENT, type Bench, type BenchOptions, createBench } from './support.ts'

type Profile = NonNullable<TestCase['visitor']>
type GivenProfile = Partial<Profile> & Pick<Profile, 'expectations'>

/** A desk that asks for the room before it says when breakfast is. */
const DESK: Script = {
  greeting: 'Welcome.',
  otherwise({ input }) {
    const text = input.type === 'message' ? input.text : ''
    if (text.includes('room 7')) return 'Breakfast is from 7 to 10.'
    if (text.includes('person')) return [{ type: 'handoff', destination: 'desk', reason: 'asked' }, 'Bye.']
    return 'Which room number do you have?'
  },
}

const GOAL = { goal: 'When is breakfast?', facts: { room: 'I have room 7.' }, wants: ['7 to 10'] }
const REACHED = { expectations: { goal: 'reached' } } as const

const talkedTo = (visitor: GivenProfile) => ({
  name: 'Breakfast',
  visitor: { ...GOAL, ...visitor } as Profile,
})

/** A visitor that answers with whatever a function gives. */
const visitorOf = (say: (talk: TestTalkSoFar, signal: AbortSignal) => unknown): TestVisitor =>
  ({ version: 'own 1', say }) as unknown as TestVisitor

const judgeOf = (judge: TestJudge['judge'] | (() => unknown)): TestJudge =>
  ({ version: 'judge 1', judge }) as unknown as TestJudge

const begin = (options: BenchOptions = {}): Promise<Bench> => createBench({ script: DESK, ...options })

/** Runs a case on a branch, and moves the clock until the run is over. */
async function resultOf(bench: Bench, visitor: GivenProfile) {
  const { clock, platform } = bench
  const { agents } = platform
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'work' })
  await agents.testCases.create(AGENT, branchId, talkedTo(visitor))
  const { id } = await agents.startTestRun(AGENT, { branchId })
  for (let at = 0; at < 40; at++) {
    await clock.settle()
    await clock.advance(500)
  }
  await platform.idle()
  const { run, results } = await agents.testRuns.read(AGENT, id)
  return { run, result: results[0], talk: results[0]?.talks?.[0] }
}

describe('a talk', () => {
  test('TE82 and TE86 the plain visitor answers what it is asked, and is done when it knows', async () => {
    const { result, run, talk } = await resultOf(await begin(), REACHED)
    expect(talk?.turns.map(({ text, reply }) => [text, reply])).toEqual([
      ['When is breakfast?', 'Which room number do you have?'],
      ['I have room 7.', 'Breakfast is from 7 to 10.'],
    ])
    expect(talk?.verdicts).toEqual([
      { expectation: 'goal', passed: true, expected: 'reached', actual: 'reached' },
    ])
    expect(result).toMatchObject({ status: 'passed', error: null, turns: [] })
    expect(run).toMatchObject({ status: 'passed', testers: { visitor: 'plain 1', judge: null } })
  })

  test('TE86 it asks again while the reply lacks what it wants, and gives up', async () => {
    const { result, talk } = await resultOf(
      await begin({ script: { ...DESK, otherwise: 'Sorry?' } }),
      REACHED,
    )
    expect(talk?.turns.map(({ text }) => text)).toEqual(Array(3).fill('When is breakfast?'))
    expect(result).toMatchObject({ status: 'failed', error: '0 of 1 talks passed, and 1 must.' })
    expect(talk?.verdicts[0]?.actual).toBe('The visitor gave up: No reply contains 7 to 10.')
  })

  test('TE82 a conversation that has ended ends the talk', async () => {
    const bench = await begin()
    const { talk } = await resultOf(bench, {
      ...{ goal: 'I want a person.', expectations: { goal: 'reached', handoff: { destination: 'desk' } } },
    })
    expect(talk?.turns).toHaveLength(1)
    expect(talk?.verdicts.map(({ expectation, passed }) => [expectation, passed])).toEqual([
      ['goal', false],
      ['handoff', true],
    ])
  })

  test.each([
    [
      { goal: 'reached', never: ['7 TO 10'] },
      [
        ['goal', true],
        ['never', false],
      ],
    ],
    [
      { never: ['sorry'], contains: ['from 7'] },
      [
        ['never', true],
        ['contains', true],
      ],
    ],
    [{ contains: ['lunch'] }, [['contains', false]]],
    [{ ends: true }, [['ends', false]]],
    [{ citedTopic: 'Breakfast' }, [['citedTopic', false]]],
  ] as const)('TE83 expectations hold for the talk: %j', async (expectations, expected) => {
    const { result, talk } = await resultOf(await begin(), { expectations } as unknown as GivenProfile)
    expect(talk?.verdicts.map(({ expectation, passed }) => [expectation, passed])).toEqual(expected)
    expect(result?.status).toBe(expected.every(([, passed]) => passed) ? 'passed' : 'failed')
  })

  test('TE83 a visitor who says that it is done has not reached a goal that no reply has met', async () => {
    let said = 0
    const testVisitor = visitorOf(() => (said++ === 0 ? { type: 'text', text: 'Hi' } : { type: 'done' }))
    const { result, talk } = await resultOf(await begin({ testVisitor }), REACHED)
    expect(result?.status).toBe('failed')
    expect(talk?.verdicts[0]?.actual).toBe('The visitor was done, but no reply contains 7 to 10.')
  })

  test('TE83 the judge reads the talk, can fail it, and never rescues it', async () => {
    const heard: unknown[] = []
    const testJudge = judgeOf(({ criteria, lines }) => {
      heard.push(lines.map(({ from }) => from))
      return criteria.map(sentence => ({ passed: !sentence.includes('rude'), reason: 'because' }))
    })
    const bench = await begin({ testJudge })
    const { result, run, talk } = await resultOf(bench, {
      expectations: { goal: 'reached', judge: ['The agent is kind.', 'The agent is rude.'] },
    })
    expect(heard).toEqual([['ai_agent', 'visitor', 'ai_agent', 'visitor', 'ai_agent']])
    expect(talk?.verdicts.slice(1)).toEqual([
      { expectation: 'judge', passed: true, expected: 'The agent is kind.', actual: 'because' },
      { expectation: 'judge', passed: false, expected: 'The agent is rude.', actual: 'because' },
    ])
    expect(result?.status).toBe('failed')
    expect(run.testers).toEqual({ visitor: 'plain 1', judge: 'judge 1' })
    const rescued = await begin({ script: { ...DESK, otherwise: 'Sorry?' }, testJudge })
    const failed = await resultOf(rescued, {
      expectations: { goal: 'reached', judge: ['The agent is kind.'] },
    })
    expect(failed.result?.status).toBe('failed')
  })
})

const VISITORS: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['throws', () => Promise.reject(new Error('no model')), /The visitor failed: no model/],
  ['hangs', () => new Promise(() => undefined), /did not answer within 300 ms/],
  ['says nothing', () => undefined, /The visitor failed/],
  ['is blank', () => ({ type: 'text', text: ' ' }), /must not be blank/],
  ['says too much', () => ({ type: 'text', text: 'x'.repeat(10_001) }), /10000/],
  ['is done at once', () => ({ type: 'done' }), /before it had said anything/],
  ['gives up at once', () => ({ type: 'gives_up' }), /before it had said anything/],
  ['says what is no word', () => ({ type: 'leaves' }), /The visitor failed/],
]

const JUDGES: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['throws', () => Promise.reject(new Error('no model')), /The judge failed: no model/],
  ['hangs', () => new Promise(() => undefined), /did not answer within 300 ms/],
  ['gives too few verdicts', () => [], /it gave 0 verdicts on 1 sentences/],
  ['gives too many', () => Array(2).fill({ passed: true, reason: '' }), /it gave 2 verdicts on 1/],
  ['lies about the type', () => [{ passed: 'yes', reason: '' }], /The judge failed/],
  ['says nothing', () => undefined, /The judge failed/],
]

describe('visitors and judges that fail', () => {
  test.each(VISITORS)('TE84 a visitor that %s: the case has errored', async (_, say, message) => {
    const bench = await begin({ testVisitor: visitorOf(say), testRuns: { answerDeadline: 300 } })
    const { result, run, talk } = await resultOf(bench, REACHED)
    expect(result?.status).toBe('errored')
    expect(talk?.error).toMatch(message)
    expect(run.status).toBe('errored')
  })

  test.each(JUDGES)('TE84 a judge that %s: the case has errored', async (_, judge, message) => {
    const bench = await begin({ testJudge: judgeOf(judge), testRuns: { answerDeadline: 300 } })
    const { result, talk } = await resultOf(bench, {
      expectations: { goal: 'reached', judge: ['The agent is kind.'] },
    })
    expect(result?.status).toBe('errored')
    expect(talk?.error).toMatch(message)
  })

  test('TE84 without a judge, sentences to judge are no pass', async () => {
    const { result, talk } = await resultOf(await begin(), {
      expectations: { judge: ['The agent is kind.'] },
    })
    expect(result?.status).toBe('errored')
    expect(talk?.error).toMatch(/no testJudge/)
  })

  test('TE84 a visitor that never stops has failed, whatever else holds', async () => {
    const testVisitor = visitorOf(() => ({ type: 'text', text: 'And then?' }))
    const { result, talk } = await resultOf(await begin({ testVisitor }), {
      ...{ maxTurns: 3, expectations: { contains: ['room'] } },
    })
    expect(talk?.turns).toHaveLength(3)
    expect(talk).toMatchObject({ status: 'failed', error: expect.stringContaining('as many messages') })
    expect(result?.status).toBe('failed')
  })

  test('TE84 an agent that fails is no verdict', async () => {
    const script: Script = { ...DESK, otherwise: [{ type: 'fail', message: 'no line' }] }
    const { result, talk } = await resultOf(await begin({ script }), REACHED)
    expect(result?.status).toBe('errored')
    expect(talk?.error).toMatch(/./)
  })
})

describe('repeated talks', () => {
  test.each([
    [3, 2, 'passed', null],
    [3, 3, 'failed', '2 of 3 talks passed, and 3 must.'],
  ] as const)('TE85 of %i talks %i must pass: %s', async (talks, mustPass, status, error) => {
    let talk = 0
    const testVisitor = visitorOf(({ lines }) => {
      if (lines.some(({ from }) => from === 'visitor')) return { type: 'done' }
      return { type: 'text', text: ++talk === 2 ? 'Hello' : 'I have room 7.' }
    })
    const bench = await begin({ testVisitor })
    const { result } = await resultOf(bench, { ...REACHED, talks, mustPass })
    expect(result).toMatchObject({ status, error })
    expect(result?.talks?.map(one => one.status)).toEqual(['passed', 'failed', 'passed'])
  })

  test('TE85 errored talks that could have made the difference leave the case errored', async () => {
    let talk = 0
    const testVisitor = visitorOf(({ lines }) => {
      if (lines.some(({ from }) => from === 'visitor')) return { type: 'done' }
      if (++talk === 2) throw new Error('no model')
      return { type: 'text', text: 'I have room 7.' }
    })
    const { result } = await resultOf(await begin({ testVisitor }), { ...REACHED, talks: 2 })
    expect(result).toMatchObject({ status: 'errored', error: '1 of 2 talks passed, and 2 must.' })
  })

  test('TE82 nothing of the talks stays but their result', async () => {
    const bench = await begin()
    const { run } = await resultOf(bench, { ...REACHED, talks: 3 })
    const id = `${run.id}.${(await bench.platform.agents.testRuns.read(AGENT, run.id)).results[0]?.testCaseId}.1`
    expect(await bench.store.conversations.load(id)).toBeNull()
  })
})

describe('what is written', () => {
  const written = async (value: object) => {
    const { platform } = await begin()
    const { id } = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    return platform.agents.testCases.create(AGENT, id, { name: 'One', ...value })
  }

  test.each([
    [{}, /"turns"/],
    [{ turns: [] }, /"turns"/],
    [
      { turns: [{ text: 'Hi', expectations: {} }], visitor: { goal: 'x', expectations: { ends: true } } },
      /"turns"/,
    ],
    [{ visitor: null }, /"turns"/],
    [{ visitor: { goal: '', expectations: { ends: true } } }, /visitor\.goal/],
    [{ visitor: { goal: 'x', expectations: {} } }, /at least one expectation/],
    [{ visitor: { goal: 'x', expectations: { notContains: ['y'] } } }, /notContains/],
    [{ visitor: { goal: 'x', expectations: { goal: 'lost' } } }, /visitor\.expectations\.goal/],
    [{ visitor: { goal: 'x', maxTurns: 51, expectations: { ends: true } } }, /visitor\.maxTurns/],
    [{ visitor: { goal: 'x', maxTurns: 50, talks: 5, expectations: { ends: true } } }, /200 messages/],
    [{ visitor: { goal: 'x', talks: 2, mustPass: 3, expectations: { ends: true } } }, /number of talks/],
    [{ visitor: { goal: 'x', mood: 'bad', expectations: { ends: true } } }, /mood/],
    [
      {
        visitor: {
          ...{ goal: 'x', expectations: { ends: true } },
          facts: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`t${at}`, 'x'])),
        },
      },
      /at most 20 facts/,
    ],
  ])('TE80 and TE81 %j is refused', async (value, message) => {
    await expect(written(value)).rejects.toMatchObject({ code: 'SCHEMA_VALIDATION_FAILED' })
    await expect(written(value)).rejects.toThrow(message)
  })

  test('TE80 turns and a visitor replace each other', async () => {
    const { platform } = await begin()
    const { testCases } = platform.agents
    const { id: branchId } = await platform.agents.createBranch(AGENT, { branchName: 'work' })
    const { id } = await testCases.create(AGENT, branchId, talkedTo(REACHED))
    expect(await testCases.read(AGENT, branchId, id)).toMatchObject({
      ...{ turns: [], visitor: { ...GOAL, ...REACHED, maxTurns: 10, talks: 1 } },
    })
    const turns = [{ text: 'Hi', expectations: {} }]
    await expect(testCases.update(AGENT, branchId, id, { turns })).rejects.toThrow(/"turns"/)
    expect(await testCases.update(AGENT, branchId, id, { turns, visitor: null })).not.toHaveProperty(
      'visitor',
    )
  })

  test('TE84 a tester without a version is refused', () => {
    const options = { store: createMemoryStore(), runtime: createScriptedRuntime({}, createFakeClock()) }
    const nameless = { say: () => ({ type: 'done' }) } as unknown as TestVisitor
    expect(() => createPlatform({ ...options, testVisitor: nameless })).toThrow(
      /testVisitor must have a version/,
    )
  })
})

test('TE84 a run is not continued with another visitor', async () => {
  const bench = await begin({ testVisitor: visitorOf(() => new Promise(() => undefined)) })
  const { agents } = bench.platform
  const { id: branchId } = await agents.createBranch(AGENT, { branchName: 'work' })
  await agents.testCases.create(AGENT, branchId, talkedTo(REACHED))
  const { id } = await agents.startTestRun(AGENT, { branchId })
  await bench.clock.settle()
  bench.kill()
  const other = bench.open({ script: DESK })
  await bench.clock.advance(bench.platform.settings.turnLease * 2)
  await other.platform.idle()
  const { run } = await other.platform.agents.testRuns.read(AGENT, id)
  expect(run).toMatchObject({ status: 'errored', error: expect.stringContaining('Start another run') })
})
