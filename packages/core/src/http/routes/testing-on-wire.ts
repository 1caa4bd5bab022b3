import type { TalkVerdict, TestCaseResult, TestRun, TestVerdict } from '../../domain/agent/test-run.ts'
import { isBranchId } from '../../domain/ids.ts'
import { isJsonObject, type Json } from '../../domain/json.ts'
import { isoTime, isoTimeOrNull } from '../../domain/time.ts'

const statusOnWire = ({ status, error }: TestRun): 'running' | 'completed' | 'errored' => {
  if (status === 'running') return status
  return error === null ? 'completed' : 'errored'
}

/**
 * Returns a run in the words of testing. One that came to its end is `completed`, whatever the results of its cases.
 */
export function testingRunOnWire(run: TestRun) {
  const { total, passed, failed, errored } = run.counts
  const isGivenUp = run.error !== null
  return {
    id: run.id,
    agentId: run.agentId,
    status: statusOnWire(run),
    error: run.error,
    // Cases that did not finish because the run was abandoned.
    errorCount: isGivenUp ? total - passed - failed : errored,
    passedCount: passed,
    failedCount: failed,
    testCaseCount: total,
    branchId: isBranchId(run.deploymentId) ? run.deploymentId : null,
    deploymentId: isBranchId(run.deploymentId) ? null : run.deploymentId,
    startedAt: isoTime(run.startedAt),
    finishedAt: isoTimeOrNull(run.finishedAt),
    startedBy: run.startedBy ?? null,
  }
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The text of each expectation about a reply, before the expected value. */
const EXPECTED: Readonly<Record<TestVerdict['expectation'], string>> = {
  topic: 'A retrieved topic is',
  citedTopic: 'The reply rests on the topic',
  contains: 'The reply contains',
  notContains: 'The reply does not contain',
  function: 'A function is called:',
  handoff: 'The agent hands off:',
  ends: 'The conversation ends with the reply:',
}

/** The same for a talk of a visitor who talks back. */
const EXPECTED_OF_TALK: Readonly<Record<TestVerdict['expectation'] | TalkVerdict['expectation'], string>> = {
  ...EXPECTED,
  goal: "The visitor's goal is",
  never: 'No reply contains',
  judge: 'The judge finds:',
}

interface Judged {
  /** The place of the verdict: `Turn 1`, `Talk 1`. */
  readonly at: string
  readonly verdict: TestVerdict | TalkVerdict
}

const judged = ({ talks = [], turns }: TestCaseResult): readonly Judged[] => [
  ...turns.flatMap(({ verdicts }, at) => verdicts.map(verdict => ({ at: `Turn ${at + 1}`, verdict }))),
  ...talks.flatMap(({ verdicts }, at) => verdicts.map(verdict => ({ at: `Talk ${at + 1}`, verdict }))),
]

const isCallFailure = ({ verdict: { expectation, passed } }: Judged): boolean =>
  expectation === 'function' && !passed

const assertionOnWire = ({ at, verdict: { expectation, expected, actual, passed } }: Judged) => ({
  prompt: `${at}: ${EXPECTED_OF_TALK[expectation]} ${shown(expected)}`,
  is_pass: passed,
  reason: passed ? '' : `It was: ${shown(actual)}`,
})

function callFailureOnWire({ at, verdict: { expected, actual } }: Judged) {
  const name = isJsonObject(expected) && typeof expected.name === 'string' ? expected.name : ''
  const failure_reason = `${at} expected ${shown(expected)}. It was: ${shown(actual)}`
  return { name, is_pass: false, failure_reason, error: '' }
}

const callOnWire = (call: Json) => {
  const { name = '', arguments: given = {}, error = '' } = isJsonObject(call) ? call : {}
  return { name: shown(name), arguments: isJsonObject(given) ? given : {}, error: shown(error) }
}

/** Returns the result of one test case, in the words of testing. */
export function testedCaseOnWire({ id, startedAt }: TestRun, result: TestCaseResult) {
  const { testCaseId, name, status, error, talks = [], turns } = result
  const all = judged(result)
  // Why a case failed or errored beyond its verdicts is shown where readers look for reasons.
  const beyond = [
    ...(error === null ? [] : [{ at: '', error }]),
    ...talks.flatMap((talk, at) =>
      talk.error === null ? [] : [{ at: `Talk ${at + 1}: `, error: talk.error }],
    ),
  ].map(({ at, error: reason }) => ({
    ...{ prompt: `${at}The conversation comes to its end`, is_pass: false, reason },
  }))
  return {
    testRunId: id,
    testCaseId,
    testCaseSnapshot: { name },
    status,
    error,
    startedAt: isoTime(startedAt),
    results: {
      prompt_assertion_results: [...all.filter(one => !isCallFailure(one)).map(assertionOnWire), ...beyond],
      function_call_failures: all.filter(isCallFailure).map(callFailureOnWire),
    },
    rawConversation: {
      turns: [...turns, ...talks.flatMap(talk => talk.turns)].map(({ text, reply, functionEvents }) => ({
        user_input: text,
        agent_response: reply,
        function_calls: functionEvents.map(callOnWire),
      })),
    },
  }
}
