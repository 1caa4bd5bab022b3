import type { RealTimeConfigStore } from '../../ports/store/real-time-configs.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { AGENT, REAL_TIME_CONFIG } from '../kinds.ts'

/** Returns the store of agents' real-time configs. */
export function realTimeConfigsOver({ decided, one, scan }: Guarded): RealTimeConfigStore {
  const find: RealTimeConfigStore['find'] = (agentId, environment) =>
    one(REAL_TIME_CONFIG, idOf(agentId, environment))
  return {
    find,
    list: agentId => scan(REAL_TIME_CONFIG, 'agent', { prefix: [agentId] }),
    variables: (agentId, environment) => find(agentId, environment).then(config => config?.variables ?? null),
    write: (version, next, outbox) =>
      decided(async () => {
        const agent = await one(AGENT, next.agentId)
        if (agent === null) return { result: 'stale' }
        return {
          when: [{ kind: REAL_TIME_CONFIG, id: REAL_TIME_CONFIG.id(next), version }, unchanged(AGENT, agent)],
          put: [{ kind: REAL_TIME_CONFIG, value: next }],
          outbox,
          result: 'written',
          refused: place => (place === 0 ? 'stale' : undefined),
        }
      }),
  }
}
