import type { Agent, Deployment } from '../../../domain/agent/agent.ts'
import { properName } from '../../../domain/agent/proper-name.ts'
import { isKind, type ResourceOf } from '../../../domain/agent/tree.ts'
import type { Pinning } from '../../../domain/conversation/command.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentId, BranchId, DeploymentId } from '../../../domain/ids.ts'
import {
  isPlacedBy,
  type Participant,
  type RolloutPlacement,
  sideOf,
} from '../../../domain/rollout/rollout.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import { readBranchContent } from '../../agents/content/branch-content.ts'
import { type ContentDeps, deployedContent } from '../../agents/content/content.ts'
import type { ReadingDeps } from '../../agents/deps.ts'
import type { Pinned } from '../../shared/pinning.ts'

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

interface Found {
  readonly deployment: Deployment | undefined
  readonly rollout?: RolloutPlacement
}

/** Returns the deployment that somebody gets who asks now: the candidate's if a rollout runs and has chosen so. */
async function deploymentFor(
  { context: { store } }: ContentDeps,
  agentId: AgentId,
  environment: Environment,
  participant: Participant | null,
): Promise<Found> {
  const { deployments, rollouts } = store.agents
  const running = participant === null ? [] : await rollouts.running(agentId)
  const [active] = await deployments.list(agentId, environment, 1)
  const rollout = running.find(one => one.environment === environment)
  if (participant === null || rollout === undefined) return { deployment: active }
  const wanted = sideOf(rollout, participant)
  const candidate = wanted === 'base' ? null : await deployments.find(agentId, rollout.candidate.deploymentId)
  const placement: RolloutPlacement = { id: rollout.id, side: candidate === null ? 'base' : 'candidate' }
  return {
    deployment: candidate ?? active,
    ...(isPlacedBy(rollout, participant) && { rollout: placement }),
  }
}

/** See `PinningParts`. */
export async function resolvePinning(
  deps: ContentDeps,
  agentId: AgentId,
  environment: Environment,
  { variantId, participant }: Pinned,
): Promise<Pinning | null> {
  const found = deploymentFor(deps, agentId, environment, participant)
  const [agent, { deployment, rollout }] = await Promise.all([deps.context.store.agents.find(agentId), found])
  if (agent === null || deployment === undefined) return null
  const pinning = pinTo(await deployedContent(deps, deployment), agent, deployment, variantId)
  return rollout === undefined ? pinning : { ...pinning, rollout }
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
