import type { Agent, Deployment } from '../../../domain/agent/agent.ts'
import { properName } from '../../../domain/agent/proper-name.ts'
import { isKind, type ResourceOf } from '../../../domain/agent/tree.ts'
import type { Pinning } from '../../../domain/conversation/command.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentId, BranchId, DeploymentId } from '../../../domain/ids.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { readBranchContent } from '../../agents/content/branch-content.ts'
import { type ContentDeps, deployedContent } from '../../agents/content/content.ts'
import type { ReadingDeps } from '../../agents/deps.ts'

/** The variants of contents that are in memory: found once, since a content may hold thousands of topics. */
const variantsIn = new WeakMap<AgentContent, readonly ResourceOf<'variants'>[]>()

function variantsOf(content: AgentContent): readonly ResourceOf<'variants'>[] {
  const known = variantsIn.get(content)
  if (known !== undefined) return known
  const variants = [...content.tree.values()].filter(isKind('variants'))
  variantsIn.set(content, variants)
  return variants
}

/**
 * Returns the variant of a conversation: the requested one, else the default one. Null when the content has neither.
 */
function chooseVariant(content: AgentContent, wanted: string | null) {
  const variants = variantsOf(content)
  return variants.find(({ id }) => id === wanted) ?? variants.find(({ value }) => value.isDefault) ?? null
}

/** Returns the pinned deployment and variant of a conversation. */
export function pinTo(
  content: AgentContent,
  agent: Pick<Agent, 'name'>,
  deployment: Pick<Deployment, 'revision'> & { readonly id: DeploymentId | BranchId },
  variantId: string | null,
): Pinning {
  const variant = chooseVariant(content, variantId)
  return {
    deploymentId: deployment.id,
    revision: deployment.revision,
    languageCode: content.responseSettings.languageCode,
    agentName: agent.name,
    agentAvatarUrl: content.responseSettings.avatarUrl ?? '',
    variantId: variant?.id ?? null,
    variantName: variant === null ? null : properName(variant.value.name),
  }
}

/** Returns the pinning of a conversation that starts now. Null while no deployment is active in the environment. */
export async function resolvePinning(
  deps: ContentDeps,
  agentId: AgentId,
  environment: Environment,
  variantId: string | null,
): Promise<Pinning | null> {
  const { agents } = deps.context.store
  const agent = await agents.find(agentId)
  if (agent === null) return null
  const active = await agents.deployments.active(agentId)
  const deployment = active.find(one => one.environment === environment)
  if (deployment === undefined) return null
  return pinTo(await deployedContent(deps, deployment), agent, deployment, variantId)
}

/** Returns the pinning of a debug chat on a branch, as the branch is now (DC8). @throws BRANCH_NOT_FOUND */
export async function resolveBranchPinning(
  deps: ReadingDeps,
  agent: Pick<Agent, 'id' | 'name'>,
  branchId: BranchId,
  variantId: string | null,
): Promise<Pinning> {
  const { content, branch } = await readBranchContent(deps, agent.id, branchId)
  return pinTo(content, agent, { id: branchId, revision: branch.baseRevision }, variantId)
}
