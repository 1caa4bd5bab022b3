import { ENVIRONMENTS, type Environment } from '../environment.ts'

/** Returns the environment after this one in promotion order; null after `live`. */
export const nextEnvironment = (environment: Environment): Environment | null =>
  ENVIRONMENTS[ENVIRONMENTS.indexOf(environment) + 1] ?? null

/**
 * Returns the target of a promotion: `wanted`, or the next stage by default. Returns null if that is not a later
 * stage than the deployment's own (contract/agents.md, Deployments).
 */
export function promotionTarget(from: Environment, wanted: Environment | null): Environment | null {
  const target = wanted ?? nextEnvironment(from)
  return target !== null && ENVIRONMENTS.indexOf(target) > ENVIRONMENTS.indexOf(from) ? target : null
}
