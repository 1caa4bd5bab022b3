import type { Deployment } from '../../domain/agent/agent.ts'
import { changed } from '../guarded.ts'
import { AGENT, DEPLOYMENT, type HeldAgent } from '../kinds.ts'

/** Returns what is written with a new deployment of an agent. */
export const newDeployment = (agent: HeldAgent, deployment: Deployment) => [
  { kind: AGENT, value: changed<HeldAgent>(agent, { deployment: deployment.number }) },
  { kind: DEPLOYMENT, value: deployment },
]
