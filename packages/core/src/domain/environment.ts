/** The environments of deployments, in promotion order (contract/agents.md, Deployments). */
export const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'] as const

/** One of `sandbox`, `pre-release`, `live`. */
export type Environment = (typeof ENVIRONMENTS)[number]

/** True for the three environment names, exactly as written. */
export const isEnvironment = (value: string): value is Environment =>
  ENVIRONMENTS.some(environment => environment === value)
