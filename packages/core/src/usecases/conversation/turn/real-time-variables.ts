import type { Environment } from '../../../domain/environment.ts'
import type { AgentId } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { Context } from '../../context.ts'
import { createFresh } from '../../shared/fresh.ts'
import { createLastUsed } from '../../shared/last-used.ts'

/** Reads the real-time config of an agent as it is after the call; an object of the caller's own. */
export type RealTimeVariables = (agentId: AgentId, environment: Environment) => Promise<JsonObject>

/** The most agents and environments of which it is remembered that they are being read. */
const MOST = 1_000

/**
 * Turns of one agent that begin at the same time share one read. Nothing is kept from one to the next: another process
 * may have written the config since.
 */
export function createRealTimeVariables({ store }: Pick<Context, 'store'>): RealTimeVariables {
  const reads = createLastUsed<string, () => Promise<JsonObject | null>>(MOST)
  return (agentId, environment) => {
    const key = `${environment} ${agentId}`
    let read = reads.get(key)
    if (read === undefined) {
      read = createFresh(() => store.agents.realTimeConfigs.variables(agentId, environment))
      reads.set(key, read)
    }
    return read().then(ownOf)
  }
}

const ownOf = (variables: JsonObject | null): JsonObject =>
  variables === null ? {} : structuredClone(variables)
