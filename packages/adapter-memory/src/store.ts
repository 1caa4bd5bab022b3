import { groupsOver, type Store } from '@colloquy/core/store'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversations/conversations.ts'
import { createDocuments } from './documents.ts'
import { holdWebhooks } from './webhooks/held-webhooks.ts'
import { deliveryMethods } from './webhooks/webhook-deliveries.ts'
import { endpointMethods } from './webhooks/webhook-endpoints.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const webhooks = holdWebhooks()
  const keeper = createDocuments(webhooks)
  const { outboundCalls, textPairs, close, ...groups } = groupsOver(keeper.documents)
  return {
    ...groups,
    conversations: boundary(createConversationStore(keeper, { outboundCalls, textPairs }), isClosed),
    webhooks: boundary(
      { endpoints: endpointMethods(webhooks, keeper), deliveries: deliveryMethods(webhooks) },
      isClosed,
    ),
    async close() {
      closed = true
      await close()
    },
  }
}
