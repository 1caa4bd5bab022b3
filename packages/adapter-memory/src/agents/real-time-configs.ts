import type { RealTimeConfigStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import type { HeldAgents } from './held-agent.ts'

/** Real-time configs of the agents that are held. */
export function realTimeConfigMethods(agents: HeldAgents, keeper: OutboxKeeper): RealTimeConfigStore {
  return {
    find: async (agentId, environment) => agents.get(agentId)?.realTimeConfigs.get(environment) ?? null,
    list: async agentId => [...(agents.get(agentId)?.realTimeConfigs.values() ?? [])],
    variables: async (agentId, environment) =>
      agents.get(agentId)?.realTimeConfigs.get(environment)?.variables ?? null,
    async write(expectedVersion, next, outbox) {
      const configs = agents.get(next.agentId)?.realTimeConfigs
      if (configs === undefined || (configs.get(next.environment)?.version ?? 0) !== expectedVersion)
        return 'stale'
      configs.set(next.environment, next)
      keeper.keep(outbox)
      return 'written'
    },
  }
}
