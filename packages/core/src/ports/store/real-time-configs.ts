import type { Environment } from '../../domain/environment.ts'
import type { AgentId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { RealTimeConfig } from '../../domain/real-time-config/real-time-config.ts'
import type { Outbox } from './outbox.ts'

/**
 * Values that conversations read at every turn, one config for each environment of an agent. Part of the agent's
 * aggregate.
 */
export interface RealTimeConfigStore {
  /** Null until it is first written. */
  find(agentId: AgentId, environment: Environment): Promise<RealTimeConfig | null>
  /** Returns the configs that were written, in no particular order. */
  list(agentId: AgentId): Promise<readonly RealTimeConfig[]>
  /** Only the variables of the config: every turn reads them. */
  variables(agentId: AgentId, environment: Environment): Promise<JsonObject | null>
  /**
   * Writes the whole config over the earlier one. Of two writes with the same `expectedVersion` (0 before the first
   * write) one wins; the other, and one whose agent is gone, is `stale` and writes nothing. `next.version` is
   * `expectedVersion + 1`.
   */
  write(expectedVersion: number, next: RealTimeConfig, outbox?: Outbox): Promise<'written' | 'stale'>
}
