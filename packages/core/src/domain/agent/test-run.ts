import type { Environment } from '../environment.ts'
import type { AccountId, AgentId, BranchId, DeploymentId, TestRunId } from '../ids.ts'
import type { Json } from '../json.ts'
import type { Agent, Branch, Deployment } from './agent.ts'
import type { ReplayedTurn, ReplayPlan } from './replay.ts'
import type { Expectations } from './test-case.ts'

/** How a run, or one case of it, stands. `errored`: it could not be brought to an end, so nothing is known. */
export type TestStatus = 'running' | 'passed' | 'failed' | 'errored'

/** One expectation, and what came. */
export interface TestVerdict {
  readonly expectation: keyof Expectations
  readonly passed: boolean
  readonly expected: Json
  readonly actual: Json
}

/** What one turn of a test came to. */
export interface TestTurnResult {
  /** What the visitor said. */
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

/** What one test case came to, or one conversation of a replay. */
export interface TestCaseResult {
  /** Of a replay: the key of the recorded conversation, with which the store removes the result (TE47). */
  readonly testCaseId: string
  readonly name: string
  readonly status: Exclude<TestStatus, 'running'>
  /** Why it failed beyond its verdicts, or why it could not be run to its end; null: for no such reason. */
  readonly error: string | null
  /** Turns after one that could not be run are left out. */
  readonly turns: readonly TestTurnResult[]
  /** Of a replay alone: its turns. */
  readonly replayed?: readonly ReplayedTurn[]
}

/** How many test cases a run has, and how many of them came to what. */
export interface TestCounts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly errored: number
}

/** What a run on a branch tests. It is written with the run, and does not change (TE251). */
export interface BranchUnderTest {
  readonly id: BranchId
  /** The version that the branch has to have throughout (TE252). */
  readonly version: number
  readonly testCaseIds: readonly string[]
}

/**
 * One run of an agent's test cases, against a deployment or a branch, or of recorded conversations, against a
 * deployment. Times are milliseconds since the epoch.
 */
export interface TestRun {
  readonly id: TestRunId
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** Of a run on a branch: the branch's id. */
  readonly deploymentId: DeploymentId | BranchId
  readonly environment: Environment
  /** Of a run on a branch: the revision that its changes are on top of. */
  readonly revision: number
  /** The deployment's content hash: what has passed. Empty for a branch, which is nothing that could be deployed. */
  readonly version: string
  readonly status: TestStatus
  /** Why it errored; null: for no reason beyond its cases. */
  readonly error: string | null
  readonly counts: TestCounts
  readonly startedAt: number
  readonly finishedAt: number | null
  /** Until when a process has it; after that any process may take it. */
  readonly leaseUntil: number
  /** How often a process has taken it. */
  readonly attempts: number
  /** Grows with every write and guards it. */
  readonly writes: number
  /** Of a replay alone: what it replays, in place of test cases. */
  readonly replay?: ReplayPlan
  /** Of a run on a branch alone. */
  readonly branch?: BranchUnderTest
  /** Who started it, or made the deployment with which it was written; left out where nobody knows. */
  readonly startedBy?: string
}

/** What a run tests. */
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

/** A run that no process has taken yet, of a deployment with `total` active test cases. */
export function newTestRun(id: TestRunId, deployment: Deployment, total: number, now: number): TestRun {
  const { accountId, agentId, id: deploymentId, environment, revision, version } = deployment
  return begun(id, { accountId, agentId, deploymentId, environment, revision, version }, total, now)
}

/**
 * A run that no process has taken yet, of these test cases of a branch. What a branch holds is deployed nowhere: its
 * conversations have the real-time config of sandbox, where a merge would bring it.
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

/** The same run taken by a process, until then. */
export const takenTestRun = (run: TestRun, until: number): TestRun => ({
  ...run,
  leaseUntil: until,
  attempts: run.attempts + 1,
  writes: run.writes + 1,
})

/** A run with one more case behind it. */
export const withResult = (run: TestRun, { status }: TestCaseResult): TestRun => ({
  ...run,
  counts: { ...run.counts, [status]: run.counts[status] + 1 },
})

/** A run whose cases are all behind it: one that failed outweighs one that errored. */
export const finishedTestRun = (run: TestRun, now: number): TestRun => {
  const { failed, errored, passed, total } = run.counts
  const status = failed > 0 ? 'failed' : errored > 0 || passed < total ? 'errored' : 'passed'
  return { ...run, status, finishedAt: now }
}

/** A run that is given up. */
export const givenUpTestRun = (run: TestRun, error: string, now: number): TestRun => ({
  ...run,
  status: 'errored',
  error,
  finishedAt: now,
})
