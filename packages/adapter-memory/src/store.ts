import type { Store } from '@colloquy/core/store'
import { createAccountStore } from './access/accounts.ts'
import { createApiKeyStore } from './access/api-keys.ts'
import { createConnectorStore } from './access/connectors.ts'
import { createTokenKeyStore } from './access/token-keys.ts'
import { createAgentStore } from './agents/agents.ts'
import { createAuditStore } from './audit.ts'
import { boundary } from './boundary.ts'
import { createConversationStore } from './conversations/conversations.ts'
import { holdWebhooks } from './webhooks/held-webhooks.ts'
import { deliveryMethods } from './webhooks/webhook-deliveries.ts'
import { endpointMethods } from './webhooks/webhook-endpoints.ts'

/** A store that keeps everything in this process's memory, for tests and first steps. Nothing outlives it. */
export function createMemoryStore(): Store {
  let closed = false
  const isClosed = () => closed
  const { store: audit, trail } = createAuditStore()
  const webhooks = holdWebhooks()
  const access = {
    accounts: createAccountStore(trail),
    apiKeys: createApiKeyStore(trail),
    connectors: createConnectorStore(trail),
    tokenKeys: createTokenKeyStore(trail),
  }
  return {
    agents: boundary(createAgentStore(trail), isClosed),
    conversations: boundary(createConversationStore(webhooks.outbox, trail), isClosed),
    access: boundary(access, isClosed),
    webhooks: boundary(
      { endpoints: endpointMethods(webhooks, trail), deliveries: deliveryMethods(webhooks) },
      isClosed,
    ),
    audit: boundary(audit, isClosed),
    async close() {
      closed = true
    },
  }
}
