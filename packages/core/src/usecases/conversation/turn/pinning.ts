import type { Agent, Deployment } from '../../../domain/agent/agent.ts'
import type { Pinning } from '../../../domain/conversation/command.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { AgentContent } from '../../../ports/agent-runtime.ts'
import type { Agents } from '../../agents/agents.ts'

/** The variant of a conversation: the requested one, else the default one; null when the content has neither. */
function chooseVariant(content: AgentContent, wanted: string | null) {
  const variants = [...content.tree.values()].filter(resource => resource.kind === 'variants')
  return variants.find(({ id }) => id === wanted) ?? variants.find(({ value }) => value.isDefault) ?? null
}

/** The pinned deployment and variant of a conversation. */
export async function pinTo(
  agents: Pick<Agents, 'deploymentContent'>,
  agent: Pick<Agent, 'id' | 'name'>,
  deployment: Pick<Deployment, 'id' | 'revision'>,
  variantId: string | null,
): Promise<Pinning> {
  const content = await agents.deploymentContent(agent.id, deployment.id)
  const variant = chooseVariant(content, variantId)
  return {
    deploymentId: deployment.id,
    revision: deployment.revision,
    languageCode: content.responseSettings.languageCode,
    agentName: agent.name,
    agentAvatarUrl: content.responseSettings.avatarUrl ?? '',
    variantId: variant?.id ?? null,
    variantName: variant?.value.name ?? null,
  }
}

/** The pinning of a conversation that starts now; null while no deployment is active in the environment. */
export async function resolvePinning(
  agents: Pick<Agents, 'activeDeployments' | 'deploymentContent' | 'find'>,
  agentId: AgentId,
  environment: Environment,
  variantId: string | null,
): Promise<Pinning | null> {
  const agent = await agents.find(agentId)
  const deployment = agent === null ? null : (await agents.activeDeployments(agentId))[environment]
  return agent === null || deployment === null ? null : pinTo(agents, agent, deployment, variantId)
}
