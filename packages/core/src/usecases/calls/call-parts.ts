import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { PinningParts } from '../shared/pinning.ts'

/** The dependencies of outbound calls. */
export interface CallParts extends Context, PinningParts {
  readonly engine: Pick<Engine, 'execute' | 'load' | 'start'>
  /** Returns the numbers from which the connector's agent may call in its environment, the connector's own first. */
  numbersOf(connector: TelephonyConnector): Promise<readonly string[]>
}
