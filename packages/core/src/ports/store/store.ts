import type { AccountStore } from './accounts.ts'
import type { AgentStore } from './agents.ts'
import type { ApiKeyStore } from './api-keys.ts'
import type { AuditStore } from './audit.ts'
import type { ConnectorStore } from './connectors.ts'
import type { ConversationStore } from './conversations.ts'
import type { TokenKeyStore } from './token-keys.ts'
import type { WebhookDeliveryStore } from './webhook-deliveries.ts'
import type { WebhookEndpointStore } from './webhook-endpoints.ts'

/** Accounts and credentials: four groups that share nothing. */
export interface AccessStore {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly connectors: ConnectorStore
  readonly tokenKeys: TokenKeyStore
}

/** Who is told of what happens, and what is on its way. A delivery goes with its endpoint. */
export interface WebhookStore {
  readonly endpoints: WebhookEndpointStore
  readonly deliveries: WebhookDeliveryStore
}

/**
 * All that the platform keeps. The parts share no transaction, but for one thing: a write that takes an `outbox` keeps
 * in it what the audit log and the webhooks are told of it (`Outbox`).
 */
export interface Store {
  readonly agents: AgentStore
  readonly conversations: ConversationStore
  readonly access: AccessStore
  readonly webhooks: WebhookStore
  readonly audit: AuditStore
  /** Waits for writes under way and lets go of files and connections. Later calls reject. */
  close(): Promise<void>
}
