/** The environments, in the order in which a release goes through them. */
export const ENVIRONMENTS = ['sandbox', 'pre-release', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** Returns the environment of this name, or `otherwise` if there is none. */
export const environmentOf = (name: string | undefined, otherwise: Environment): Environment =>
  ENVIRONMENTS.find(one => one === name) ?? otherwise
