import type { Deployment } from '../../domain/agent/agent.ts'
import type { TestRun } from '../../domain/agent/test-run.ts'
import type { AgentId, DeploymentId, RolloutId } from '../../domain/ids.ts'
import type { Rollout } from '../../domain/rollout/rollout.ts'
import type { Outbox } from './outbox.ts'

/** A rollout as it was read, and as it is to be. */
export interface RolloutChange {
  readonly before: Rollout
  readonly after: Rollout
  /** Written with it: what gives the environment to the candidate, and the run of its test cases if there is one. */
  readonly deployed?: { readonly deployment: Deployment; readonly testRun: TestRun | null }
}

/** The filter for a list of an agent's rollouts. All given conditions must hold. */
export interface RolloutFilter {
  readonly agentId: AgentId
  readonly environment?: Rollout['environment']
  /** The deployment that a share was given to. */
  readonly candidateId?: DeploymentId
}

/** The rollouts of agents, at most one in progress for each environment. Part of the agent's aggregate. */
export interface RolloutStore {
  /**
   * Adds a rollout to an agent whose newest deployment has the number `lastNumber`. `stale` when another one was
   * deployed since, one is in progress in the environment, or the agent is gone; nothing is written then.
   */
  start(rollout: Rollout, lastNumber: number, outbox?: Outbox): Promise<'started' | 'stale'>
  find(agentId: AgentId, id: RolloutId): Promise<Rollout | null>
  /** Newest first; at most `limit`. */
  list(filter: RolloutFilter, limit: number): Promise<readonly Rollout[]>
  /** Those in progress, in no particular order. */
  running(agentId: AgentId): Promise<readonly Rollout[]>
  /**
   * Writes a rollout that is still as it was read, and what is deployed with it. Its deployment's number is the newest
   * one's plus one. `stale` when either has changed; nothing is written then.
   */
  change(change: RolloutChange, outbox?: Outbox): Promise<'changed' | 'stale'>
}
