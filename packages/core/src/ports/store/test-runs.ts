import type { TestCaseResult, TestRun, TestStatus } from '../../domain/agent/test-run.ts'
import type { AgentId, DeploymentId, TestRunId } from '../../domain/ids.ts'

/** Which runs of an agent to list. All given conditions must hold. */
export interface TestRunFilter {
  readonly agentId: AgentId
  readonly deploymentId?: DeploymentId
  /** The content hash that was tested. */
  readonly version?: string
  readonly status?: TestStatus
  /** Only runs that come after that one in the order of the list. */
  readonly after?: Pick<TestRun, 'startedAt' | 'id'>
}

/** A run with the cases that are behind it. */
export interface TestRunWithResults {
  readonly run: TestRun
  /** In no particular order. */
  readonly results: readonly TestCaseResult[]
}

/**
 * Test runs of agents: part of the agent's aggregate, and gone with it. A run that goes with a deployment is written
 * with it.
 */
export interface TestRunStore {
  /**
   * Adds a run of a deployment that is there already. `missing` when its agent is gone, or has no deployment of that
   * id.
   */
  create(run: TestRun): Promise<'created' | 'missing'>
  /** Null when the agent has no run of that id. */
  find(agentId: AgentId, id: TestRunId): Promise<TestRunWithResults | null>
  /** Newest first, then last id first; at most `limit`. */
  list(filter: TestRunFilter, limit: number): Promise<readonly TestRun[]>
  /**
   * Takes runs, of whatever agents, that are running and whose lease is not after `now` or beyond `claimReach`, those
   * with the earliest lease first, then by id: each with its lease until `until`, one attempt and one write more, as it
   * is returned. Of several callers one gets each of them.
   */
  claim(now: number, limit: number, until: number): Promise<readonly TestRun[]>
  /**
   * Writes a run over what it was, and results of its cases over earlier ones of the same cases. Of two writes with the
   * same `expectedWrites` one wins; the other, and one of a run that is gone, is `stale` and writes nothing.
   * `next.writes` is `expectedWrites + 1`.
   */
  save(
    expectedWrites: number,
    next: TestRun,
    results: readonly TestCaseResult[],
  ): Promise<'written' | 'stale'>
  /**
   * Removes the agent's runs, with their results, that are not running and not among its newest `keep`. Resolves to how
   * many.
   */
  forget(agentId: AgentId, keep: number): Promise<number>
}
