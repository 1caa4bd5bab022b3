import type { Pinning } from '../../domain/conversation/command.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Participant } from '../../domain/rollout/rollout.ts'
import { PlatformError } from '../../errors.ts'

/** Whatever chooses the version and the variant of a conversation. */
export interface Pinned {
  /** The variant that speaks; null for the default one. */
  readonly variantId: string | null
  /** Whoever it is with. Null for what authors try: that runs what the environment runs without any rollout. */
  readonly participant: Participant | null
}

/** The dependency of those who begin conversations on the contents of agents. */
export interface PinningParts {
  /** Returns the pinning of a conversation that starts now. Null while no deployment is active in the environment. */
  resolvePinning(agentId: AgentId, environment: Environment, pinned: Pinned): Promise<Pinning | null>
}

/** Returns whoever an existing conversation is with. */
export const participantOf = ({
  deploymentId,
  id,
  text,
  visitor,
}: Pick<ConversationState, 'deploymentId' | 'id' | 'text' | 'visitor'>): Participant => ({
  ...{ conversationId: id, visitor: visitor?.id ?? text?.theirs ?? null, runs: deploymentId },
})

/** The agent's connector, with the variant that usually speaks. */
interface Line {
  readonly agentId: AgentId
  readonly environment: Environment
  readonly variantId: string | null
}

/**
 * Returns the deployment of a conversation over a connector. The given variant speaks, else the connector's.
 * @throws CHAT_DRAFT_NOT_EXIST, VARIANTS_NOT_FOUND
 */
export async function pinningOver(
  { resolvePinning }: PinningParts,
  { agentId, environment, variantId: usual }: Line,
  participant: Participant | null,
  variantId?: string,
): Promise<Pinning> {
  const pinning = await resolvePinning(agentId, environment, { variantId: variantId ?? usual, participant })
  if (pinning === null)
    throw new PlatformError(
      'CHAT_DRAFT_NOT_EXIST',
      `Nothing is deployed in the environment ${environment}. Publish or promote a version first.`,
    )
  if (variantId !== undefined && pinning.variantId !== variantId)
    throw new PlatformError('VARIANTS_NOT_FOUND', `The deployed agent has no variant ${variantId}.`)
  return pinning
}
