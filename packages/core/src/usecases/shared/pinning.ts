import type { Pinning } from '../../domain/conversation/command.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'

/** The dependency of those who begin conversations on the contents of agents. */
export interface PinningParts {
  /** Returns the pinning of a conversation that starts now. Null while no deployment is active in the environment. */
  resolvePinning(
    agentId: AgentId,
    environment: Environment,
    variantId: string | null,
  ): Promise<Pinning | null>
}

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
  variantId?: string,
): Promise<Pinning> {
  const pinning = await resolvePinning(agentId, environment, variantId ?? usual)
  if (pinning === null)
    throw new PlatformError(
      'CHAT_DRAFT_NOT_EXIST',
      `Nothing is deployed in the environment ${environment}. Publish or promote a version first.`,
    )
  if (variantId !== undefined && pinning.variantId !== variantId)
    throw new PlatformError('VARIANTS_NOT_FOUND', `The deployed agent has no variant ${variantId}.`)
  return pinning
}
