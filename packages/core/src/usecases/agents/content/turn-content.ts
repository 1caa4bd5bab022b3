import type { ConversationState } from '../../../domain/conversation/state.ts'
import { type BranchId, type DeploymentId, isBranchId } from '../../../domain/ids.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { type ReadingDeps, requireDeployment } from '../deps.ts'
import { readBranchContent } from './branch-content.ts'
import { deployedContent, readDeploymentContent } from './content.ts'

/** Conversations that end with their agent, so that their deployment is what it was. */
const endsWithAgent = ({ kind }: Pick<ConversationState, 'kind'>): boolean =>
  kind === 'messaging' || kind === 'chat' || kind === 'text'

/**
 * Returns the content for a turn if it was read before and is in memory. Null if {@link readTurnContent} has to read.
 */
export function turnContentAtHand(
  deps: Pick<ReadingDeps, 'contents' | 'deployments'>,
  state: Pick<ConversationState, 'kind' | 'agentId'>,
  deploymentId: DeploymentId | BranchId,
): AgentContent | null {
  if (isBranchId(deploymentId) || !endsWithAgent(state)) return null
  const known = deps.deployments.get(deploymentId)
  return known?.agentId === state.agentId ? (deps.contents.get(known.contentKey) ?? null) : null
}

/**
 * Reads the content for a turn. Most conversations end with their agent: for these, a process reads the deployment
 * once. A debug chat on a branch runs the branch's current content (DC8).
 *
 * @throws DEPLOYMENT_NOT_FOUND, BRANCH_NOT_FOUND, PROJECT_NOT_FOUND
 */
export async function readTurnContent(
  deps: ReadingDeps,
  state: Pick<ConversationState, 'kind' | 'agentId'>,
  deploymentId: DeploymentId | BranchId,
): Promise<AgentContent> {
  const { agentId } = state
  if (isBranchId(deploymentId)) return (await readBranchContent(deps, agentId, deploymentId)).content
  if (!endsWithAgent(state)) return readDeploymentContent(deps, agentId, deploymentId)
  const known = deps.deployments.get(deploymentId)
  if (known?.agentId === agentId) return deployedContent(deps, known)
  const deployment = await requireDeployment(deps, agentId, deploymentId)
  const content = await deployedContent(deps, deployment)
  deps.deployments.set(deploymentId, { ...deployment, contentKey: content.key })
  return content
}
