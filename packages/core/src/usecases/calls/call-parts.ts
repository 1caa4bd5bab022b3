import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Pinning } from '../../domain/conversation/command.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'

/** The dependencies of outbound calls. */
export interface CallParts extends Context {
  readonly engine: Pick<Engine, 'execute' | 'load' | 'start'>
  resolvePinning(
    agentId: AgentId,
    environment: Environment,
    variantId: string | null,
  ): Promise<Pinning | null>
  /** Returns the numbers from which the connector's agent may call in its environment, the connector's own first. */
  numbersOf(connector: TelephonyConnector): Promise<readonly string[]>
}
