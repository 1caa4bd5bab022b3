import type { Deployment } from '../../../domain/agent/agent.ts'
import type { ActingDeps } from '../deps.ts'

/** Notifies the observers of this process of a stored deployment (OB2). */
export function tellDeployed({ context }: ActingDeps, deployment: Deployment): void {
  const { id: deploymentId, accountId, agentId, environment, revision, type } = deployment
  const event = { accountId, agentId, environment, deploymentId, revision, type }
  context.observers.tell({ type: 'deployment.created', event })
}
