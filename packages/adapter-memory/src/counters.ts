import type { AgentId } from '@colloquy/core'
import type { Count, CounterStore } from '@colloquy/core/store'

const keyOf = ({ accountId, agentId, name, minute, value }: Count): string =>
  JSON.stringify([accountId, agentId, name, minute, value])

/** Counters. Every method runs without a pause. */
export function createCounters() {
  const counters = new Map<string, Count>()

  const store: CounterStore = {
    async add(counts) {
      for (const count of counts) {
        const key = keyOf(count)
        counters.set(key, { ...count, count: count.count + (counters.get(key)?.count ?? 0) })
      }
    },
    async sum({ accountId, agentId, name, from }) {
      const sums = new Map<number, number>()
      for (const one of counters.values()) {
        if (one.accountId !== accountId || one.name !== name || one.minute < from) continue
        if (agentId !== undefined && one.agentId !== agentId) continue
        sums.set(one.value, one.count + (sums.get(one.value) ?? 0))
      }
      const values = [...sums].map(([value, count]) => ({ value, count }))
      return values.sort((one, other) => one.value - other.value)
    },
    async forget(before, limit) {
      const old = [...counters].filter(([, { minute }]) => minute < before)
      old.sort(([, one], [, other]) => one.minute - other.minute)
      for (const [key] of old.slice(0, limit)) counters.delete(key)
      return Math.min(old.length, limit)
    },
  }
  return {
    store,
    /** Removes the counters of an agent. */
    forgetAgent(agentId: AgentId): void {
      for (const [key, count] of counters) if (count.agentId === agentId) counters.delete(key)
    },
  }
}
