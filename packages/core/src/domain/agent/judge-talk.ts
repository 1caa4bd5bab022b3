import type { Expectations } from './expectations.ts'
import { judgeTurn, type TurnOutcome } from './judge-turn.ts'
import { lacking } from './plain-visitor.ts'
import type { JudgeVerdict, TestLine, VisitorWords } from './talk.ts'
import type { TalkVerdict, TestCaseResult, TestTalk } from './test-run.ts'
import type { TestVisitorProfile } from './test-visitor.ts'

/** The end of a talk: on the visitor's word, after `maxTurns` messages, or with the conversation. */
export type TalkEnd = Exclude<VisitorWords, { readonly type: 'text' }> | { readonly type: 'cut' | 'ended' }

/** A talk that is over. */
export interface FinishedTalk {
  readonly end: TalkEnd
  readonly lines: readonly TestLine[]
  readonly outcomes: readonly TurnOutcome[]
}

const ENDS: Readonly<Record<Exclude<TalkEnd['type'], 'done' | 'gives_up'>, string>> = {
  cut: 'The visitor did not come to an end in as many messages as allowed.',
  ended: 'The conversation ended before the visitor was done.',
}

/** Returns what the visitor of a talk came to: `reached`, or why not. */
function goalOf({ wants = [] }: TestVisitorProfile, { end, lines }: FinishedTalk): string {
  if (end.type === 'gives_up')
    return end.reason ? `The visitor gave up: ${end.reason}` : 'The visitor gave up.'
  if (end.type !== 'done') return ENDS[end.type]
  const missing = lacking(wants, lines)
  return missing.length === 0
    ? 'reached'
    : `The visitor was done, but no reply contains ${missing.join(', ')}.`
}

/** One of the expectations on a reply holds for a talk if it holds for one of its replies (TE83). */
function verdictOnReplies(
  expectation: Exclude<keyof Expectations, 'notContains'>,
  expected: Expectations[typeof expectation],
  outcomes: readonly TurnOutcome[],
): readonly TalkVerdict[] {
  const given: Expectations = { [expectation]: expected }
  const verdicts = outcomes.flatMap(outcome => judgeTurn(given, outcome))
  const found = verdicts.find(({ passed }) => passed) ?? verdicts.at(-1)
  return found === undefined ? [] : [{ ...found, expectation }]
}

/** Returns the verdicts on a finished talk, but those of the judge (TE83). */
export function judgeTalk(visitor: TestVisitorProfile, talk: FinishedTalk): readonly TalkVerdict[] {
  const { goal, judge: _, never, ...onReplies } = visitor.expectations
  const verdicts: TalkVerdict[] = []
  if (goal !== undefined) {
    const actual = goalOf(visitor, talk)
    verdicts.push({ expectation: 'goal', passed: actual === goal, expected: goal, actual })
  }
  if (never !== undefined) {
    const said = never.filter(text => lacking([text], talk.lines).length === 0)
    verdicts.push({ expectation: 'never', passed: said.length === 0, expected: never, actual: said })
  }
  for (const expectation of ['topic', 'citedTopic', 'contains', 'function', 'handoff', 'ends'] as const)
    if (onReplies[expectation] !== undefined)
      verdicts.push(...verdictOnReplies(expectation, onReplies[expectation], talk.outcomes))
  return verdicts
}

/** Returns the judge's verdicts in the words of a result. */
export const judgedSentences = (
  criteria: readonly string[],
  verdicts: readonly JudgeVerdict[],
): readonly TalkVerdict[] =>
  criteria.flatMap((expected, at) => {
    const verdict = verdicts[at]
    return verdict === undefined
      ? []
      : [{ expectation: 'judge', passed: verdict.passed, expected, actual: verdict.reason }]
  })

/** Returns a talk with its verdicts. One that was cut has failed, whatever was expected of it (TE84). */
export function judgedTalk(
  { end }: Pick<FinishedTalk, 'end'>,
  turns: TestTalk['turns'],
  verdicts: readonly TalkVerdict[],
): TestTalk {
  const error = end.type === 'cut' ? ENDS.cut : null
  const passed = error === null && verdicts.every(verdict => verdict.passed)
  return { status: passed ? 'passed' : 'failed', error, turns, verdicts }
}

/** A case of talks: it has passed when as many of them have as must, and errored if that cannot be known (TE85). */
export function judgedTalks(
  about: Pick<TestCaseResult, 'testCaseId' | 'name'>,
  { mustPass, talks: wanted }: Pick<TestVisitorProfile, 'talks' | 'mustPass'>,
  talks: readonly TestTalk[],
): TestCaseResult {
  const least = mustPass ?? wanted
  const count = (status: TestTalk['status']): number => talks.filter(talk => talk.status === status).length
  const [passed, errored] = [count('passed'), count('errored')]
  const status = passed >= least ? 'passed' : passed + errored >= least ? 'errored' : 'failed'
  const error = status === 'passed' ? null : `${passed} of ${wanted} talks passed, and ${least} must.`
  return { ...about, status, error, turns: [], talks }
}
