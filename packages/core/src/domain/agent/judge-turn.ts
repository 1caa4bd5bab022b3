import { canonicalJson } from '../canonical-json.ts'
import { isJsonObject, type Json } from '../json.ts'
import { type Expectations, expectationsSchema } from './test-case.ts'
import type { TestCaseResult, TestTurnResult, TestVerdict } from './test-run.ts'

/** The outcome of a turn, without verdicts. */
export type TurnOutcome = Omit<TestTurnResult, 'text' | 'verdicts'>

type Finding = Omit<TestVerdict, 'expectation'>

const folded = (text: string): string => text.toLowerCase()
const isIn = (reply: string) => (text: string) => folded(reply).includes(folded(text))

const callsOf = (name: string, { functionEvents }: TurnOutcome) =>
  functionEvents.filter(isJsonObject).filter(event => event.name === name)

const hasArguments = (wanted: Readonly<Record<string, Json>>, given: Json | undefined): boolean =>
  isJsonObject(given) &&
  Object.entries(wanted).every(([name, value]) => {
    const own = Object.hasOwn(given, name) ? given[name] : undefined
    return own !== undefined && canonicalJson(own) === canonicalJson(value)
  })

const reached = (destination: string | undefined, handoff: TurnOutcome['handoff']): boolean =>
  handoff !== null && (destination === undefined || destination === handoff.destination)

/**
 * The judge of each expectation. It returns null if the expectation is not given. A new expectation does not compile
 * without one.
 */
const JUDGES: Readonly<
  Record<keyof Expectations, (given: Expectations, outcome: TurnOutcome) => Finding | null>
> = {
  topic: ({ topic: expected }, { retrievedTopics: actual }) =>
    expected === undefined ? null : { passed: actual.includes(expected), expected, actual },
  citedTopic: ({ citedTopic: expected }, { citedTopic: actual }) =>
    expected === undefined ? null : { passed: actual === expected, expected, actual },
  contains: ({ contains: expected }, { reply: actual }) =>
    expected === undefined ? null : { passed: expected.every(isIn(actual)), expected, actual },
  notContains: ({ notContains: expected }, { reply: actual }) =>
    expected === undefined ? null : { passed: !expected.some(isIn(actual)), expected, actual },
  function: ({ function: expected }, outcome) => {
    if (expected === undefined) return null
    const calls = callsOf(expected.name, outcome)
    const passed = calls.some(call => hasArguments(expected.arguments ?? {}, call.arguments))
    return { passed, expected, actual: calls.map(call => ({ arguments: call.arguments ?? null })) }
  },
  handoff: ({ handoff: expected }, { handoff: actual }) =>
    expected === undefined ? null : { passed: reached(expected.destination, actual), expected, actual },
  ends: ({ ends: expected }, { ended: actual }) =>
    expected === undefined ? null : { passed: actual === expected, expected, actual },
}

/** One verdict for each expectation that is given (TE12). */
export const judgeTurn = (expectations: Expectations, outcome: TurnOutcome): readonly TestVerdict[] =>
  expectationsSchema.keyof().options.flatMap(expectation => {
    const finding = JUDGES[expectation](expectations, outcome)
    return finding === null ? [] : [{ expectation, ...finding }]
  })

/** A case whose turns were all run: it passed when every verdict of every turn did. */
export const judgedCase = (
  about: Pick<TestCaseResult, 'testCaseId' | 'name'>,
  turns: readonly TestTurnResult[],
): TestCaseResult => ({
  ...about,
  status: turns.every(({ verdicts }) => verdicts.every(({ passed }) => passed)) ? 'passed' : 'failed',
  error: null,
  turns,
})
