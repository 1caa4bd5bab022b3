import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { PhoneNumber } from '../../domain/telephony/phone-number.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { PinningParts } from '../shared/pinning.ts'

/** The dependencies of text sessions. */
export interface TextParts extends Context, PinningParts {
  readonly engine: Pick<Engine, 'execute' | 'load' | 'start'>
  /** Returns the connector to which calls and texts of that number go. Null for a number that nobody has imported. */
  connectorOf(number: string): Promise<TelephonyConnector | null>
  /** Returns the agent's number or other sender of that name. Null if no agent has it. */
  senderOf(name: string): Promise<PhoneNumber | null>
  connectorOfId(id: ConnectorId): Promise<TelephonyConnector | null>
  /** Returns the attributes of the number's reservation for that agent. Empty if it is not reserved (TP23). */
  attributesOf(number: string, agentId: AgentId): Promise<JsonObject>
  /** Returns the senders from which the connector's agent may text in its environment, the connector's own first. */
  numbersOf(connector: TelephonyConnector): Promise<readonly string[]>
}
