import type { Store } from '@colloquy/core/store'
import { createAccessStore } from './access-store.ts'
import { createAgentStore } from './agent-store.ts'
import { createAuditStore } from './audit-store.ts'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversation-store.ts'
import { createWebhookStore } from './webhook-store.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const audit = createAuditStore()
  const webhooks = createWebhookStore(audit.trail)
  return {
    agents: boundary(createAgentStore(audit.trail), isClosed),
    conversations: boundary(createConversationStore(webhooks.outbox, audit.trail), isClosed),
    access: boundary(createAccessStore(audit.trail), isClosed),
    webhooks: boundary(webhooks.store, isClosed),
    audit: boundary(audit.store, isClosed),
    async close() {
      closed = true
    },
  }
}
