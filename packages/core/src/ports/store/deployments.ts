import type { Deployment } from '../../domain/agent/agent.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId, DeploymentId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/**
 * The deployments of agents: pointers to revisions, numbered by agent without a gap. Part of the agent's aggregate.
 */
export interface DeploymentStore {
  /**
   * Adds a deployment, and the run of its test cases if there is one. Its number is the newest deployment's number plus
   * one; of two with the same number one wins. The other, one whose agent is gone, and one in whose environment a
   * rollout runs, is `stale`, and nothing is written.
   */
  create(deployment: Deployment, testRun: TestRun | null, outbox?: Outbox): Promise<'deployed' | 'stale'>
  find(agentId: AgentId, id: DeploymentId): Promise<Deployment | null>
  /** Newest first; at most `limit`. */
  list(agentId: AgentId, environment: Environment, limit: number): Promise<readonly Deployment[]>
  /** The newest deployment of each environment that has one, in no particular order. */
  active(agentId: AgentId): Promise<readonly Deployment[]>
}
