import type { AgentId, ConversationId } from '@colloquy/core'
import { groupsOver, type Store } from '@colloquy/core/store'
import { createAccountStore } from './access/accounts.ts'
import { createApiKeyStore } from './access/api-keys.ts'
import { createAudioCache } from './access/audio-cache.ts'
import { createConnectors } from './access/connectors.ts'
import { createNumberPool } from './access/number-pool.ts'
import { createTokenKeyStore } from './access/token-keys.ts'
import { createAgentStore } from './agents/agents.ts'
import { createAlertRules } from './alerts/alert-rules.ts'
import { createCounters } from './alerts/counters.ts'
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
  const { outboundCalls, textPairs, voices } = groupsOver(held.documents)
  const connectors = createConnectors(keeper)
  const numberPool = createNumberPool(keeper)
  const audioCache = createAudioCache(keeper)
  const access = {
    accounts: createAccountStore(keeper),
    apiKeys: createApiKeyStore(keeper),
    connectors: connectors.store,
    tokenKeys: createTokenKeyStore(keeper),
    phoneNumbers: connectors.numbers.store,
    numberPool: numberPool.store,
    voices,
    audioCache: audioCache.store,
  }
  const rules = createAlertRules(keeper)
  const counters = createCounters()
  const forgetAgent = (agentId: AgentId): void => {
    held.forgetAgent(agentId)
    rules.forgetAgent(agentId)
    counters.forgetAgent(agentId)
    connectors.numbers.forgetAgent(agentId)
    numberPool.forgetAgent(agentId)
    audioCache.forgetAgent(agentId)
  }
  const agents = createAgentStore(keeper, forgetAgent)
  const forgetting = {
    ...keeper,
    forget(id: ConversationId): void {
      keeper.forget(id)
      agents.forgetConversation(id)
      held.forgetConversation(id)
    },
  }
  return {
    agents: boundary(agents.store, isClosed),
    conversations: boundary(createConversationStore(forgetting, { outboundCalls, textPairs }), isClosed),
    access: boundary(access, isClosed),
    webhooks: boundary(
      { endpoints: endpointMethods(webhooks, keeper), deliveries: deliveryMethods(webhooks) },
      isClosed,
    ),
    alerts: boundary({ rules: rules.store, counters: counters.store }, isClosed),
    audit: boundary(audit, isClosed),
    async close() {
      closed = true
    },
  }
}
