import type { ConversationState } from '../../../domain/conversation/state.ts'
import { type BranchId, type DeploymentId, isBranchId } from '../../../domain/ids.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { type ReadingDeps, requireDeployment } from '../deps.ts'
import { readBranchContent } from './branch-content.ts'
import { deployedContent, readDeploymentContent } from './content.ts'

/**
 * The content for a turn. Of a conversation that ends with its agent, as most do, a process reads the deployment once
 * (AG74). A debug chat on a branch runs what the branch holds now (DC17).
 * @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND, PROJECT_NOT_FOUND
 */
export async function readTurnContent(
  deps: ReadingDeps,
  { kind, agentId }: Pick<ConversationState, 'kind' | 'agentId'>,
  deploymentId: DeploymentId | BranchId,
): Promise<AgentContent> {
  if (isBranchId(deploymentId)) return (await readBranchContent(deps, agentId, deploymentId)).content
  if (kind !== 'messaging' && kind !== 'chat' && kind !== 'text')
    return readDeploymentContent(deps, agentId, deploymentId)
  const known = deps.deployments.get(deploymentId)
  if (known?.agentId === agentId) return deployedContent(deps, known)
  const deployment = await requireDeployment(deps, agentId, deploymentId)
  const content = await deployedContent(deps, deployment)
  deps.deployments.set(deploymentId, deployment)
  return content
}
