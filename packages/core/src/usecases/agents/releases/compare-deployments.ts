import type { Difference } from '../../../domain/agent/conflict.ts'
import { previewMerge } from '../../../domain/agent/merge.ts'
import { applyChanges } from '../../../domain/agent/tree.ts'
import type { AgentId, DeploymentId } from '../../../domain/ids.ts'
import { sparseTree } from '../branches/merge-sides.ts'
import { type AgentsDeps, requireDeployment } from '../deps.ts'

/**
 * Returns the differences of a revision of main from another one, field by field. The values of the other one are ours
 * and base. The cost is that of the changes between the two (AG19).
 */
export async function compareRevisions(
  { context }: AgentsDeps,
  agentId: AgentId,
  revision: number,
  other: number,
): Promise<readonly Difference[]> {
  const { revisions } = context.store.agents
  const isLater = revision >= other
  const [earlier, later] = isLater ? [other, revision] : [revision, other]
  // Differences are handed out.
  const changes = structuredClone(await revisions.changesBetween(agentId, earlier, later))
  const before = await sparseTree(filter => revisions.resourcesAt(agentId, earlier, filter), changes)
  const after = applyChanges(before, changes)
  const [ours, theirs] = isLater ? [before, after] : [after, before]
  return previewMerge({ base: ours, ours, theirs }).changes
}

/** Returns the differences of a deployment from another one (AG19). @throws DEPLOYMENT_NOT_FOUND */
export async function compareDeployments(
  deps: AgentsDeps,
  agentId: AgentId,
  deploymentId: DeploymentId,
  otherId: DeploymentId,
): Promise<readonly Difference[]> {
  const deployment = await requireDeployment(deps, agentId, deploymentId)
  const other = await requireDeployment(deps, agentId, otherId)
  return compareRevisions(deps, agentId, deployment.revision, other.revision)
}
