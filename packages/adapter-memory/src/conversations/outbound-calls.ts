import type { AgentId, ConversationId, OutboundCall } from '@colloquy/core'
import type { OutboundCallStore } from '@colloquy/core/store'

/** Calls that agents make. Every method runs without a pause. */
export function createOutboundCalls() {
  const calls = new Map<string, OutboundCall>()
  const store: OutboundCallStore = {
    find: async id => calls.get(id) ?? null,
    async save(call, expectedVersion) {
      if ((calls.get(call.id)?.version ?? 0) !== expectedVersion) return 'stale'
      calls.set(call.id, call)
      return 'saved'
    },
    async due(now, limit) {
      const due = [...calls.values()].filter(({ dueAt }) => dueAt <= now)
      return due.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, limit)
    },
    async remove(id, expectedVersion) {
      return calls.get(id)?.version === expectedVersion && calls.delete(id)
    },
  }
  return {
    store,
    /** Removes the calls of an agent. */
    forgetAgent(agentId: AgentId): void {
      for (const [id, call] of calls) if (call.agentId === agentId) calls.delete(id)
    },
    /** Removes the call that became a conversation. */
    forgetConversation: (id: ConversationId): void => void calls.delete(id),
  }
}
