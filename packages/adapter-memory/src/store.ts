import { groupsOver, type Store } from '@colloquy/core/store'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversations/conversations.ts'
import { createDocuments } from './documents.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const keeper = createDocuments()
  const { outboundCalls, textPairs, close, ...groups } = groupsOver(keeper.documents)
  return {
    ...groups,
    conversations: boundary(createConversationStore(keeper, { outboundCalls, textPairs }), isClosed),
    async close() {
      closed = true
      await close()
    },
  }
}
