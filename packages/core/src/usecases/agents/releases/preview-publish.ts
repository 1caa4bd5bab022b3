import type { Difference } from '../../../domain/agent/conflict.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentId, DeploymentId } from '../../../domain/ids.ts'
import { environmentOf } from '../../shared/environment.ts'
import { type AgentsDeps, requireMain } from '../deps.ts'
import { compareRevisions } from './compare-deployments.ts'

/** The changes that a publication would make in its environment. */
export interface PublicationPreview {
  /**
   * Main's newest revision and the environment's active one, which a publication can pass as the expected ones (AG121).
   */
  readonly mainRevision: number
  readonly activeDeploymentId: DeploymentId | null
  /** The differences of main from the running deployment, whose values are ours and base. Null if nothing runs. */
  readonly changes: readonly Difference[] | null
}

/**
 * Returns the changes of a publication to an environment, without publishing (AG19).
 * @throws PROJECT_NOT_FOUND, DEPLOYMENTS_INVALID_ENVIRONMENT
 */
export async function previewPublish(
  deps: AgentsDeps,
  agentId: AgentId,
  wanted: Environment = 'sandbox',
): Promise<PublicationPreview> {
  const environment = environmentOf(wanted, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
  const [running] = await deps.context.store.agents.deployments.list(agentId, environment, 1)
  const { head } = await requireMain(deps, agentId)
  const changes = running ? await compareRevisions(deps, agentId, head.number, running.revision) : null
  return { mainRevision: head.number, activeDeploymentId: running?.id ?? null, changes }
}
