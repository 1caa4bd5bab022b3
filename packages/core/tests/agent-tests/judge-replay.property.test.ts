import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  factsOf,
  judgeReplay,
  obstacleOf,
  REPLAY_VERDICTS,
  type ReplayedTurn,
  type TurnFacts,
} from '../../src/domain/agent/replay.ts'
import {
  createGathering,
  type PlacedTurn,
  passesOf,
  placeOf,
  type TurnPlace,
} from '../../src/domain/agent/replay-page.ts'
import { erasedResult, isOfGroup, replayCounts, replayResult } from '../../src/domain/agent/replay-report.ts'
import {
  finishedTestRun,
  newReplay,
  type TestCaseResult,
  withResult,
} from '../../src/domain/agent/test-run.ts'
import type { JsonObject } from '../../src/domain/json.ts'
import { aTestRun } from '../../src/testing/fixtures.ts'

const QUIET: TurnFacts = {
  reply: 'Yes.',
  citedTopic: '',
  calls: [],
  handoff: '',
  delayed: false,
  ended: false,
  failed: false,
}
const facts = (values: Partial<TurnFacts> = {}): TurnFacts => ({ ...QUIET, ...values })
const call = (name: string, given: JsonObject = {}) => ({ name, arguments: given })

const anyFacts: fc.Arbitrary<TurnFacts> = fc.record({
  reply: fc.constantFrom('Yes.', 'No.', ' Yes. '),
  citedTopic: fc.constantFrom('', 'Breakfast', 'Parking'),
  calls: fc.array(
    fc.record({ name: fc.constantFrom('price', 'book'), arguments: fc.constantFrom({}, { nights: 2 }) }),
    { maxLength: 2 },
  ),
  handoff: fc.constantFrom('', 'desk', 'bar'),
  delayed: fc.boolean(),
  ended: fc.boolean(),
  failed: fc.boolean(),
})

describe('verdicts of a replay', () => {
  test.each<[string, Partial<TurnFacts>, Partial<TurnFacts>, string]>([
    ['the same', {}, {}, 'same same'],
    ['another white space', { reply: 'A  b\n' }, { reply: 'A b' }, 'same same'],
    ['composed otherwise', { reply: 'é' }, { reply: 'e\u0301' }, 'same same'],
    ['another text', {}, { reply: 'No.' }, 'reworded text'],
    ['a reply that comes later', { reply: '', delayed: true }, {}, 'changed delayed'],
    ['a failure', {}, { failed: true }, 'errored agent_failed'],
    ['no failure any more', { failed: true }, {}, 'better error_gone'],
    ['a lost function', { calls: [call('price')] }, {}, 'worse function_lost'],
    ['no topic any more', { citedTopic: 'Bar' }, {}, 'worse no_answer'],
    ['a lost handoff', { handoff: 'desk' }, {}, 'worse handoff_lost'],
    ['a new handoff', {}, { handoff: 'desk' }, 'worse handoff_new'],
    ['a topic where there was none', {}, { citedTopic: 'Bar' }, 'better answered'],
    ['a new function', {}, { calls: [call('price')] }, 'changed function_missing'],
    [
      'other arguments',
      { calls: [call('price', { nights: 2 })] },
      { calls: [call('price', { nights: 3 })] },
      'changed function_arguments',
    ],
    [
      'a call more',
      { calls: [call('price')] },
      { calls: [call('price'), call('price')] },
      'changed function_arguments',
    ],
    ['another topic', { citedTopic: 'Bar' }, { citedTopic: 'Pool' }, 'changed topic'],
    ['another destination', { handoff: 'desk' }, { handoff: 'bar' }, 'changed handoff_destination'],
    ['another end', {}, { ended: true }, 'changed end'],
    ['two at once, the gravest', { citedTopic: 'Bar', calls: [call('price')] }, {}, 'worse function_lost'],
  ])('TE41 %s', (_, before, now, expected) => {
    const { verdict, reason } = judgeReplay(facts(before), facts(now))
    expect(`${verdict} ${reason}`).toBe(expected)
  })

  test('TE41 a turn compared with itself is the same, whatever it is, unless it failed', () => {
    fc.assert(
      fc.property(anyFacts, one => {
        expect(judgeReplay(one, one).verdict).toBe(one.failed ? 'errored' : 'same')
      }),
      { numRuns: runs(200, 2_000) },
    )
  })

  test('TE41 only what is alike both ways is the same or reworded, and no turn is better both ways', () => {
    const alike = ['same', 'reworded']
    fc.assert(
      fc.property(anyFacts, anyFacts, (one, other) => {
        const [there, back] = [judgeReplay(one, other).verdict, judgeReplay(other, one).verdict]
        expect(alike.includes(there) && there !== back).toBe(false)
        expect(there === 'better' && back === 'better').toBe(false)
        if (judgeReplay(one, other).reason === 'no_answer') expect(alike).not.toContain(back)
      }),
      { numRuns: runs(300, 3_000) },
    )
  })

  test('TE41 the facts of a turn are read from its record', () => {
    const turn = {
      record: { agent_response: 'Yes.' },
      details: {
        cited_topic: 'Bar',
        function_events: [{ name: 'price', arguments: { nights: 2 }, result: 1 }],
        handoff_destination: 'desk',
        ends: true,
      },
    }
    expect(factsOf(turn)).toEqual({
      reply: 'Yes.',
      citedTopic: 'Bar',
      calls: [call('price', { nights: 2 })],
      handoff: 'desk',
      delayed: false,
      ended: true,
      failed: false,
    })
    expect(factsOf({ record: {}, details: { error: 'No.' } })).toEqual(facts({ reply: '', failed: true }))
  })

  test.each([
    [{ input_type: 'greeting' }, null],
    [{ input_type: 'message' }, null],
    [{ input_type: 'message', function_events: [{}], function_effects: [[]] }, null],
    [{ input_type: 'message', function_events: [{}] }, 'no_recording'],
    [{}, 'no_recording'],
    [{ input_type: 'message', delayed: true }, null],
    [{ input_type: 'external_event' }, 'external_event'],
    [{ input_type: 'external_event', recording: { event: 'E-1' } }, null],
  ])('TE45 a turn %j is kept from being replayed by %s', (details, reason) => {
    expect(obstacleOf({ record: {}, details })).toBe(reason)
  })
})

const anyTurn: fc.Arbitrary<ReplayedTurn> = fc.record({
  turn: fc.nat(3),
  verdict: fc.constantFrom(...REPLAY_VERDICTS),
  reason: fc.constantFrom('text', 'topic'),
  from: fc.constantFrom('', 'Bar'),
  to: fc.constantFrom('', 'Pool'),
  reply: fc.constantFrom('', 'Yes.'),
})

describe('the report of a replay', () => {
  const keys = ['one', 'two', 'three']
  const selection = { last: 3, environment: 'live', days: null } as const
  const run = newReplay(aTestRun(1), { selection, mode: 'live_history', accepted: [] }, keys.length)
  const plan = run.replay
  if (plan === undefined) throw new Error('The run is no replay.')
  const planOf = (results: readonly TestCaseResult[]) => results.reduce(withResult, run).replay ?? plan

  test('TE48 every turn is counted once, and each that is not the same stands in one group; the gravest come first', () => {
    const conversations = fc.tuple(...keys.map(() => fc.array(anyTurn, { minLength: 1, maxLength: 5 })))
    fc.assert(
      fc.property(conversations, found => {
        const results = found.map((turns, at) => replayResult(keys[at] ?? '', turns))
        const { verdicts, groups, replayed } = replayCounts(planOf(results))
        const all = found.flat()
        expect(replayed).toBe(3)
        expect(Object.values(verdicts).reduce((sum, count) => sum + count)).toBe(all.length)
        const inGroups = groups.reduce((sum, group) => sum + group.turns, 0)
        expect(inGroups).toBe(all.length - verdicts.same)
        const names = groups.map(({ verdict, reason, from, to }) => [verdict, reason, from, to].join())
        expect(new Set(names).size).toBe(names.length)
        const order = (turns: readonly { verdict: ReplayedTurn['verdict'] }[]) =>
          turns.map(({ verdict }) => REPLAY_VERDICTS.indexOf(verdict))
        const places = order(groups)
        expect(places).toEqual([...places].sort((a, b) => a - b))
      }),
      { numRuns: runs(100, 1_000) },
    )
  })

  test('TE48 pages of any length hold every turn of a group once, the gravest first, also where conversations are erased between them', () => {
    const conversation = fc.tuple(fc.array(anyTurn, { maxLength: 5 }), fc.boolean())
    const conversations = fc.array(conversation, { maxLength: 6 })
    const group = fc.record(
      { verdict: fc.constantFrom('same', 'worse'), from: fc.constantFrom('', 'Bar') } as const,
      {
        requiredKeys: [],
      },
    )
    fc.assert(
      fc.property(conversations, group, fc.integer({ min: 1, max: 4 }), (found, wanted, limit) => {
        const results = found.map(([turns], at) =>
          replayResult(
            `C${at}`,
            turns.map((turn, place) => ({ ...turn, turn: place })),
          ),
        )
        const isErased = (key: string) => found[Number(key.slice(1))]?.[1] === true
        const { verdicts } = replayCounts(planOf(results))
        const paged: PlacedTurn[] = []
        let left: readonly TestCaseResult[] = results
        for (let after: TurnPlace | null = null; ; ) {
          const page: PlacedTurn[] = []
          for (const pass of passesOf(wanted, verdicts, after)) {
            const gathering = createGathering(pass, wanted, limit - page.length)
            for (const result of left)
              if (result.testCaseId >= (pass.after?.key ?? '') && !gathering.isFull) gathering.add(result)
            page.push(...gathering.turns)
            if (page.length === limit) break
          }
          paged.push(...page)
          const last = page.at(-1)
          if (last === undefined) break
          after = placeOf(last)
          left = results.filter(({ testCaseId }) => !isErased(testCaseId))
        }
        const all = results.flatMap(({ testCaseId: key, replayed = [] }) =>
          replayed.map(turn => ({ key, turn })),
        )
        const expected = REPLAY_VERDICTS.flatMap(verdict =>
          all.filter(({ turn }) => turn.verdict === verdict && isOfGroup(wanted)(turn)),
        )
        const isKept = ({ key }: PlacedTurn) => !isErased(key)
        expect(paged.filter(isKept)).toEqual(expected.filter(isKept))
        expect(new Set(paged).size).toBe(paged.length)
      }),
      { numRuns: runs(200, 2_000) },
    )
  })

  test('TE45 a conversation that was gone before it was replayed is counted as not replayable at the end', () => {
    const result = replayResult('two', [])
    const begun = withResult(withResult(run, result), erasedResult('one'))
    expect(replayCounts(begun.replay ?? plan).verdicts.not_replayable).toBe(0)
    const ended = finishedTestRun(begun, 9)
    const { verdicts, groups, ...more } = replayCounts(ended.replay ?? plan)
    expect(verdicts.not_replayable).toBe(2)
    expect(groups).toMatchObject([{ reason: 'erased', turns: 2 }])
    expect(more).toMatchObject({ replayed: 1 })
  })

  test('TE98 a tally has a bounded number of groups, and every turn is in one', () => {
    const results = Array.from({ length: 1_500 }, (_, at) => {
      const verdict = at === 1_400 ? 'worse' : 'changed'
      const turn = { turn: 0, reason: 'topic', from: `Topic ${at}`, to: 'Bar', reply: '' } as const
      return replayResult(`${at}`, [{ ...turn, verdict }])
    })
    const { groups, verdicts } = replayCounts(planOf(results))
    expect(verdicts).toMatchObject({ changed: 1_499, worse: 1 })
    expect(groups).toHaveLength(1_002)
    expect(groups.slice(0, 2)).toEqual([
      { verdict: 'worse', reason: 'topic', from: '…', to: '…', turns: 1, accepted: null },
      { verdict: 'changed', reason: 'topic', from: '…', to: '…', turns: 499, accepted: null },
    ])
  })
})
