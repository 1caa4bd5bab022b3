import type { Pinning } from '../../domain/conversation/command.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'

/** The dependencies of turn-based chats. */
export interface ChatParts extends Context {
  readonly engine: Engine
  resolvePinning(
    agentId: AgentId,
    environment: Environment,
    variantId: string | null,
  ): Promise<Pinning | null>
}
