import type { Shares } from '../../domain/agent/share-out.ts'
import type { TestCaseResult, TestRun, TestStatus } from '../../domain/agent/test-run.ts'
import type { AgentId, BranchId, ConversationId, DeploymentId, TestRunId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** The filter for a list of an agent's runs. All given conditions must hold. */
export interface TestRunFilter {
  readonly agentId: AgentId
  /** Only runs of a deployment, or on a branch. */
  readonly deploymentId?: DeploymentId | BranchId
  /** The content hash that was tested. */
  readonly version?: string
  readonly status?: TestStatus
  /** Only replays, or only runs of test cases. */
  readonly replays?: boolean
  /** The newest that meet all other conditions to leave out. @default 0 */
  readonly skip?: number
  /** Only runs that come after that one in the order of the list: `skip` leaves out further ones. */
  readonly after?: Pick<TestRun, 'startedAt' | 'id'>
}

/** A run with the results of the cases that have run. */
export interface TestRunWithResults {
  readonly run: TestRun
  /** In no particular order. */
  readonly results: readonly TestCaseResult[]
}

/** The filter for a list of results of an agent's test cases. All given conditions must hold. */
export interface TestResultFilter extends Pick<TestRunFilter, 'agentId' | 'deploymentId'> {
  readonly testCaseId?: string
}

/** The result of one test case, with its run. */
export interface TestResultOfRun {
  readonly run: TestRun
  readonly result: TestCaseResult
}

/**
 * Test runs of agents, and replays. Part of the agent's aggregate, and deleted with it. The run of a deployment is
 * written with the deployment. A result whose `testCaseId` is a conversation's id is removed with that conversation, in
 * the same write.
 */
export interface TestRunStore {
  /**
   * Adds a run for an existing deployment or branch, whose id is its `deploymentId`. `missing` when its agent is gone,
   * or has neither of that id; `taken` when the agent has a run of its id. A run outlives its branch.
   *
   * @param conversations keys of what a replay replays, newest first: the sample never changes
   */
  create(
    run: TestRun,
    conversations?: readonly ConversationId[],
    outbox?: Outbox,
  ): Promise<'created' | 'missing' | 'taken'>
  /** Null when the agent has no run of that id. */
  find(agentId: AgentId, id: TestRunId): Promise<TestRunWithResults | null>
  /** As `find`, without the results. */
  run(agentId: AgentId, id: TestRunId): Promise<TestRun | null>
  /** Keys of the conversations of a replay, as they were given to `create`. Empty without any. */
  conversationsOf(agentId: AgentId, id: TestRunId): Promise<readonly ConversationId[]>
  /** Results of one run, by `testCaseId`: at most `limit` from that one on, or the first ones. */
  resultsOf(
    run: Pick<TestRun, 'agentId' | 'id'>,
    from: string | null,
    limit: number,
  ): Promise<readonly TestCaseResult[]>
  /** Newest first, then last id first; at most `limit`. */
  list(filter: TestRunFilter, limit: number): Promise<readonly TestRun[]>
  /**
   * The results of test cases, none of replays: those of the newest run first, of runs in the order of `list`, and of
   * one run by `testCaseId`. Leaves out the first `offset`; at most `limit`.
   */
  results(filter: TestResultFilter, offset: number, limit: number): Promise<readonly TestResultOfRun[]>
  /**
   * Claims runs of any agents that are running and whose lease has expired at `now` or lies beyond `claimReach`. For
   * each place `shareOut` chooses an account, whose run with the earliest lease comes first, then by id. Each run gets
   * a lease until `until`, and its `attempts` and `writes` grow by one; it is returned as stored. Each goes to one of
   * several callers.
   *
   * @param shares the accounts of runs that the caller has, and had
   */
  claim(now: number, limit: number, until: number, shares?: Shares): Promise<readonly TestRun[]>
  /**
   * Returns the earliest end of a lease. The lease of a run that nobody has taken yet ends when the run begins.
   * Returns null if none is running.
   */
  nextDue(): Promise<number | null>
  /**
   * Replaces a run, and results of its cases. Of two writes with the same `expectedWrites` one wins; the other, and one
   * of a run that is gone, is `stale` and writes nothing. `next.writes` is `expectedWrites + 1`.
   */
  save(
    expectedWrites: number,
    next: TestRun,
    results: readonly TestCaseResult[],
    outbox?: Outbox,
  ): Promise<'written' | 'stale'>
  /** Removes those of the agent's runs that are not running, with their results. Resolves to the number removed. */
  forget(agentId: AgentId, ids: readonly TestRunId[]): Promise<number>
}
