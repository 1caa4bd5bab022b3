import type { ConversationId } from '@colloquy/core'
import { groupsOver, type Store } from '@colloquy/core/store'
import { createAuditStore } from './audit.ts'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversations/conversations.ts'
import { createDocuments } from './documents.ts'
import { createOutboxKeeper } from './outbox.ts'
import { holdWebhooks } from './webhooks/held-webhooks.ts'
import { deliveryMethods } from './webhooks/webhook-deliveries.ts'
import { endpointMethods } from './webhooks/webhook-endpoints.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const { store: audit, trail } = createAuditStore()
  const webhooks = holdWebhooks()
  const keeper = createOutboxKeeper(trail, webhooks)
  const held = createDocuments(keeper)
  const { access, agents, alerts, outboundCalls, textPairs, close } = groupsOver(held.documents)
  const forgetting = {
    ...keeper,
    forget(id: ConversationId): void {
      keeper.forget(id)
      held.forgetConversation(id)
    },
  }
  return {
    agents,
    conversations: boundary(createConversationStore(forgetting, { outboundCalls, textPairs }), isClosed),
    access,
    webhooks: boundary(
      { endpoints: endpointMethods(webhooks, keeper), deliveries: deliveryMethods(webhooks) },
      isClosed,
    ),
    alerts,
    audit: boundary(audit, isClosed),
    async close() {
      closed = true
      await close()
    },
  }
}
