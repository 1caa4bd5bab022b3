import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId, TestRunId } from '../ids.ts'
import type { Json } from '../json.ts'
import type { Agent, Branch, Deployment } from './agent.ts'
import type { Expectations } from './expectations.ts'
import type { ReplayedTurn, ReplayNoise, ReplayPlan } from './replay.ts'
import { endedTally, NO_TALLY, tallied } from './replay-tally.ts'
import type { TalkExpectations } from './test-visitor.ts'

/** The status of a run, or of one case of it. `errored`: it could not be finished, so there is no result. */
export type TestStatus = 'running' | 'passed' | 'failed' | 'errored'

/** One expectation, and what came. */
export interface TestVerdict {
  readonly expectation: keyof Expectations
  readonly passed: boolean
  readonly expected: Json
  readonly actual: Json
}

/** The result of one turn of a test. */
export interface TestTurnResult {
  /** The visitor's text. */
  readonly text: string
  readonly reply: string
  /** The one that the reply rests on first. */
  readonly retrievedTopics: readonly string[]
  /** Empty when the reply rests on none. */
  readonly citedTopic: string
  /** Calls of functions, as a conversation's record has them. */
  readonly functionEvents: readonly Json[]
  readonly handoff: { readonly destination: string } | null
  readonly ended: boolean
  readonly verdicts: readonly TestVerdict[]
}

/** One expectation on a talk, and what came. `judge`: one sentence and what the judge said of it. */
export interface TalkVerdict extends Omit<TestVerdict, 'expectation'> {
  readonly expectation: keyof TalkExpectations
}

/** The result of one talk of a visitor who talks back (TE82). */
export interface TestTalk {
  readonly status: Exclude<TestStatus, 'running'>
  /** As in a {@link TestCaseResult}. */
  readonly error: string | null
  /** Its messages and replies, each cut at 2,000 characters; without verdicts. */
  readonly turns: readonly TestTurnResult[]
  readonly verdicts: readonly TalkVerdict[]
}

/** The result of one test case, or of one conversation of a replay. */
export interface TestCaseResult {
  /** In a replay: the key of the recorded conversation, with which the store removes the result (TE43). */
  readonly testCaseId: string
  readonly name: string
  readonly status: Exclude<TestStatus, 'running'>
  /** The reason why it failed beyond its verdicts, or why it could not be run to its end; null: for no such reason. */
  readonly error: string | null
  /** Turns after one that could not be run are left out. */
  readonly turns: readonly TestTurnResult[]
  /** The talks, in place of the turns. Only with a visitor who talks back. */
  readonly talks?: readonly TestTalk[]
  /** The replayed turns. Only in a replay, of a conversation that was still there. */
  readonly replayed?: readonly ReplayedTurn[]
  /** The turns that were also asked with the content that they ran. Only in a replay, of some conversations (TE70). */
  readonly noise?: ReplayNoise
}

/** The number of test cases of a run, in total and by result. */
export interface TestCounts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly errored: number
}

/** The versions of what plays visitors and judges talks. They never change in a run (TE84). */
export interface Testers {
  readonly visitor: string
  /** Null: no sentence can be judged. */
  readonly judge: string | null
}

/** The branch that a run tests or replays. It is written with the run and never changes (TE251). */
export interface BranchUnderTest {
  readonly id: BranchId
  /** The version that the branch has to have throughout (TE251). */
  readonly version: number
  /** Empty in a replay. */
  readonly testCaseIds: readonly string[]
}

/**
 * One run of an agent's test cases or of recorded conversations, against a deployment or a branch. Times are
 * milliseconds since the epoch.
 */
export interface TestRun {
  readonly id: TestRunId
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** In a run on a branch: the branch's id. */
  readonly deploymentId: DeploymentId | BranchId
  readonly environment: Environment
  /** In a run on a branch: the revision that its changes are based on. */
  readonly revision: number
  /**
   * The content hash: what has passed. Empty for test cases on a branch. A replay with a branch has the hash of what a
   * merge to an unchanged main deploys (TE60).
   */
  readonly version: string
  readonly status: TestStatus
  /** The reason why it errored; null: for no reason beyond its cases. */
  readonly error: string | null
  readonly counts: TestCounts
  readonly startedAt: number
  readonly finishedAt: number | null
  /** The end of the lease of the process that has it. After that any process may take it. */
  readonly leaseUntil: number
  /** The number of times that a process has taken it. */
  readonly attempts: number
  /** Grows with every write and guards it. */
  readonly writes: number
  /** The plan of a replay, instead of test cases. Only in a replay. */
  readonly replay?: ReplayPlan
  /** The tested branch. Only in a run on a branch. */
  readonly branch?: BranchUnderTest
  /** The visitor and judge. Only in a run with a visitor who talks back (TE84). */
  readonly testers?: Testers
  /** The actor that started the run, or made the deployment with which it was written. Absent if unknown. */
  readonly startedBy?: string
}

/** The deployment or branch that a run tests. */
type Tested = Pick<TestRun, 'accountId' | 'agentId' | 'deploymentId' | 'environment' | 'revision' | 'version'>

const begun = (id: TestRunId, tested: Tested, total: number, now: number): TestRun => ({
  id,
  ...tested,
  status: 'running',
  error: null,
  counts: { total, passed: 0, failed: 0, errored: 0 },
  startedAt: now,
  finishedAt: null,
  leaseUntil: now,
  attempts: 0,
  writes: 1,
})

/** Returns a run that no process has taken yet, of a deployment with `total` active test cases. */
export function newTestRun(id: TestRunId, deployment: Deployment, total: number, now: number): TestRun {
  const { accountId, agentId, id: deploymentId, environment, revision, version } = deployment
  return begun(id, { accountId, agentId, deploymentId, environment, revision, version }, total, now)
}

/**
 * Returns a run that no process has taken yet, of these test cases of a branch. What a branch holds is deployed
 * nowhere: its conversations have the real-time config of sandbox, where a merge would bring it.
 */
export function newBranchTestRun(
  id: TestRunId,
  { accountId }: Pick<Agent, 'accountId'>,
  { branch, testCaseIds }: { readonly branch: Branch; readonly testCaseIds: readonly string[] },
  now: number,
): TestRun {
  const { agentId, id: deploymentId, baseRevision: revision, version } = branch
  const tested = { accountId, agentId, deploymentId, environment: 'sandbox', revision, version: '' } as const
  return { ...begun(id, tested, testCaseIds.length, now), branch: { id: deploymentId, version, testCaseIds } }
}

/** Returns a run that no process has taken yet, which replays `total` conversations. */
export function newReplay(run: TestRun, plan: Omit<ReplayPlan, 'tally'>, total: number): TestRun {
  const counts = { ...run.counts, total }
  return { ...run, counts, replay: { ...plan, tally: NO_TALLY } }
}

/** Returns the same run taken by a process, until then. */
export const takenTestRun = (run: TestRun, until: number): TestRun => ({
  ...run,
  leaseUntil: until,
  attempts: run.attempts + 1,
  writes: run.writes + 1,
})

/** Returns a run with one more case behind it. */
export function withResult(run: TestRun, { status, noise, replayed }: TestCaseResult): TestRun {
  const next = { ...run, counts: { ...run.counts, [status]: run.counts[status] + 1 } }
  if (run.replay === undefined || replayed === undefined) return next
  const tally = tallied(run.replay.tally, { replayed, ...(noise && { noise }) })
  return { ...next, replay: { ...run.replay, tally } }
}

/** A run whose cases are all behind it: one that failed outweighs one that errored. */
export const finishedTestRun = (run: TestRun, now: number): TestRun => {
  const { failed, errored, passed, total } = run.counts
  const status = failed > 0 ? 'failed' : errored > 0 || passed < total ? 'errored' : 'passed'
  const replay = run.replay && { ...run.replay, tally: endedTally(run.replay.tally, total) }
  return { ...run, status, finishedAt: now, ...(replay && { replay }) }
}

/** Returns a run as abandoned, with its error. */
export const givenUpTestRun = (run: TestRun, error: string, now: number): TestRun => ({
  ...run,
  status: 'errored',
  error,
  finishedAt: now,
})
