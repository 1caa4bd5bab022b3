import { type CallsOf, callsWith } from '../../../calls/call.ts'
import type { Deployment } from '../../../domain/agent/agent.ts'
import type { AgentId, RolloutId } from '../../../domain/ids.ts'
import type { Rollout } from '../../../domain/rollout/rollout.ts'
import { agentId, text } from '../../shared/arguments.ts'
import { type ActingDeps, type AgentsDeps, requireDeployment } from '../deps.ts'
import {
  endRollout,
  type RolloutEndInput,
  rolloutEndSchema,
  type ShareInput,
  setShare,
  shareSchema,
} from './change-rollout.ts'
import {
  listRollouts,
  type RolloutQuery,
  type RolloutReport,
  readRollout,
  rolloutQuerySchema,
} from './read-rollouts.ts'
import { type NewRollout, newRolloutSchema, startRollout } from './start-rollout.ts'

/** Two versions of an agent in one environment: a share of the conversations tries the candidate. */
export interface Rollouts {
  /**
   * Starts to share an environment between the version that it runs and a candidate (RO1).
   * @throws PROJECT_NOT_FOUND, DEPLOYMENT_NOT_FOUND, ROLLOUTS_INVALID_CANDIDATE, ROLLOUTS_RUNNING,
   *   DEPLOYMENTS_PRE_RELEASE_REQUIRED, DEPLOYMENTS_TESTS_NOT_PASSED, DEPLOYMENTS_REPLAY_NOT_PASSED,
   *   ALERT_RULE_NOT_FOUND
   */
  start(agentId: AgentId, input: NewRollout): Promise<Rollout>
  /** Lists rollouts, newest first. @throws PROJECT_NOT_FOUND, SCHEMA_VALIDATION_FAILED */
  list(agentId: AgentId, query?: RolloutQuery): Promise<readonly Rollout[]>
  /** Returns a rollout with the figures of both sides (RO7). @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND */
  read(agentId: AgentId, rolloutId: RolloutId): Promise<RolloutReport>
  /**
   * Sets the candidate's share of the conversations that start from now on (RO3).
   * @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND, ROLLOUTS_ENDED
   */
  setShare(agentId: AgentId, rolloutId: RolloutId, input: ShareInput): Promise<Rollout>
  /**
   * Ends a rollout: the winner gets every conversation that starts from now on (RO4).
   * @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND, ROLLOUTS_ENDED
   */
  end(agentId: AgentId, rolloutId: RolloutId, input: RolloutEndInput): Promise<Rollout>
}

/** The dependencies of calls about rollouts. */
export interface RolloutDeps extends AgentsDeps {
  /** Lets the runtime prepare a deployment. */
  readonly prepare: (deployment: Deployment) => void
}

const { call, act } = callsWith<RolloutDeps, RolloutDeps & ActingDeps>()

const rolloutId = ['rolloutId', text] as const

/** The implementations of the calls about rollouts. */
export const rolloutCalls = {
  start: act(
    () => [agentId, newRolloutSchema],
    async (deps, agent, input) => {
      const rollout = await startRollout(deps, agent, input)
      deps.prepare(await requireDeployment(deps, agent, rollout.candidate.deploymentId))
      return rollout
    },
  ),
  list: call(() => [agentId, rolloutQuerySchema], listRollouts),
  read: call(() => [agentId, rolloutId], readRollout),
  setShare: act(() => [agentId, rolloutId, shareSchema], setShare),
  end: act(() => [agentId, rolloutId, rolloutEndSchema], endRollout),
} satisfies CallsOf<Rollouts, RolloutDeps>
