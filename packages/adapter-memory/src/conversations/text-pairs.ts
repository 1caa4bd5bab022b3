import type { AgentId } from '@colloquy/core'
import type { TextPair, TextPairStore } from '@colloquy/core/store'

const keyOf = (ours: string, theirs: string): string => JSON.stringify([ours, theirs])

/** Pairs of numbers. Every method runs without a pause. */
export function createTextPairs() {
  const pairs = new Map<string, TextPair>()
  const store: TextPairStore = {
    find: async (ours, theirs) => pairs.get(keyOf(ours, theirs)) ?? null,
    async save(pair, expectedVersion) {
      const key = keyOf(pair.ours, pair.theirs)
      if ((pairs.get(key)?.version ?? 0) !== expectedVersion) return 'stale'
      pairs.set(key, pair)
      return 'saved'
    },
  }
  return {
    store,
    /** Removes the pairs of an agent. */
    forgetAgent(agentId: AgentId): void {
      for (const [key, pair] of pairs) if (pair.agentId === agentId) pairs.delete(key)
    },
  }
}
