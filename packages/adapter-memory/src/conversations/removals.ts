import type { RemovalStore } from '@colloquy/core/store'
import type { OutboxKeeper } from '../outbox.ts'
import type { HeldConversations } from './held-conversation.ts'
import { selectFinished, selectScopes } from './selections.ts'

/** How conversations go. */
export function removalMethods(
  { conversations, isOver, drop }: HeldConversations,
  keeper: OutboxKeeper,
): RemovalStore {
  return {
    scopes: async () => selectScopes(conversations.values()),
    async removeFinished(scope, finishedBefore, limit) {
      const finished = selectFinished(conversations.values(), scope, finishedBefore).filter(isOver)
      for (const held of finished.slice(0, limit)) drop(held)
      return { removed: Math.min(finished.length, limit), more: finished.length > limit }
    },
    async remove(accountId, agentId, id, outbox) {
      const held = conversations.get(id)
      if (held?.index.accountId !== accountId || held.index.agentId !== agentId) return 'missing'
      if (!isOver(held)) return 'in_progress'
      drop(held)
      keeper.keep(outbox)
      return 'removed'
    },
  }
}
