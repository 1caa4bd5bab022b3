import type { Store } from '@colloquy/core'
import { createAccessStore } from './access-store.ts'
import { createAgentStore } from './agent-store.ts'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversation-store.ts'
import { createWebhookStore } from './webhook-store.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const webhooks = createWebhookStore()
  return {
    agents: boundary(createAgentStore(), isClosed),
    conversations: boundary(createConversationStore(webhooks.outbox), isClosed),
    access: boundary(createAccessStore(), isClosed),
    webhooks: boundary(webhooks.store, isClosed),
    async close() {
      closed = true
    },
  }
}
