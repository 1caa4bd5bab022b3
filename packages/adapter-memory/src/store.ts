import type { Store } from '@colloquy/core'
import { createAccessStore } from './access-store.ts'
import { createAgentStore } from './agent-store.ts'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversation-store.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  return {
    agents: boundary(createAgentStore(), isClosed),
    conversations: boundary(createConversationStore(), isClosed),
    access: boundary(createAccessStore(), isClosed),
    async close() {
      closed = true
    },
  }
}
