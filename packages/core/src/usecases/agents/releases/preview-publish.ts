import type { Difference } from '../../../domain/agent/conflict.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentId, DeploymentId } from '../../../domain/ids.ts'
import { environmentOf } from '../../shared/environment.ts'
import { type AgentsDeps, noAgent } from '../deps.ts'
import { compareRevisions } from './compare-deployments.ts'
import { activeDeployments } from './deploy.ts'

/** What a publication would change in its environment. */
export interface PublicationPreview {
  /** Main's newest revision and what the environment runs, which a publication may be told to expect (AG121). */
  readonly mainRevision: number
  readonly activeDeploymentId: DeploymentId | null
  /** What main has otherwise than what it runs, whose values are ours and base; null where it runs nothing. */
  readonly changes: readonly Difference[] | null
}

/**
 * What a publication to an environment would change there, without doing it (AG522).
 * @throws PROJECT_NOT_FOUND, DEPLOYMENTS_INVALID_ENVIRONMENT
 */
export async function previewPublish(
  deps: AgentsDeps,
  agentId: AgentId,
  wanted: Environment = 'sandbox',
): Promise<PublicationPreview> {
  const environment = environmentOf(wanted, 'DEPLOYMENTS_INVALID_ENVIRONMENT')
  const running = (await activeDeployments(deps, agentId))[environment]
  const head = await deps.context.store.agents.revisions.head(agentId)
  if (!head) throw noAgent(agentId)
  const changes = running && (await compareRevisions(deps, agentId, head.number, running.revision))
  return { mainRevision: head.number, activeDeploymentId: running?.id ?? null, changes }
}
