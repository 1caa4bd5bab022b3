import { ENVIRONMENTS, type Environment } from '../environment.ts'

/** The environment after this one in promotion order; null after `live`. */
export const nextEnvironment = (environment: Environment): Environment | null =>
  ENVIRONMENTS[ENVIRONMENTS.indexOf(environment) + 1] ?? null

/**
 * Where a promotion leads: to `wanted`, or to the next stage when none is named. Null when that is no later stage than
 * the deployment's own (contract/agents.md, Deployments).
 */
export function promotionTarget(from: Environment, wanted: Environment | null): Environment | null {
  const target = wanted ?? nextEnvironment(from)
  return target !== null && ENVIRONMENTS.indexOf(target) > ENVIRONMENTS.indexOf(from) ? target : null
}
