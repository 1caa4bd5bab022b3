import type { Environment } from '../../../domain/environment.ts'
import type { AgentId, RolloutId } from '../../../domain/ids.ts'
import type { Rollout } from '../../../domain/rollout/rollout.ts'
import { PlatformError } from '../../../errors.ts'
import { type AgentsDeps, requireAgent } from '../deps.ts'

/**
 * Refuses to change what an environment runs while two versions share it (RO5). @throws ROLLOUTS_RUNNING, whose body
 * names the rollout
 */
export async function refuseDuringRollout(
  { context }: Pick<AgentsDeps, 'context'>,
  agentId: AgentId,
  environment: Environment,
): Promise<void> {
  const running = await context.store.agents.rollouts.running(agentId)
  const found = running.find(rollout => rollout.environment === environment)
  if (found === undefined) return
  const message = `The rollout ${found.id} runs in ${environment}. End it first, or change its share.`
  throw new PlatformError('ROLLOUTS_RUNNING', message, { body: { rolloutId: found.id } })
}

/** Returns the agent's rollout. @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND */
export async function requireRollout(deps: AgentsDeps, agentId: AgentId, id: RolloutId): Promise<Rollout> {
  const rollout = await deps.context.store.agents.rollouts.find(agentId, id)
  if (rollout !== null) return rollout
  await requireAgent(deps, agentId)
  throw new PlatformError('ROLLOUT_NOT_FOUND', `The agent has no rollout ${id}.`)
}

/** Returns the agent's rollout, which is in progress. @throws PROJECT_NOT_FOUND, ROLLOUT_NOT_FOUND, ROLLOUTS_ENDED */
export async function requireRunning(deps: AgentsDeps, agentId: AgentId, id: RolloutId): Promise<Rollout> {
  const rollout = await requireRollout(deps, agentId, id)
  if (rollout.end === null) return rollout
  throw new PlatformError('ROLLOUTS_ENDED', `The rollout ${id} has ended: the ${rollout.end.winner} has won.`)
}
