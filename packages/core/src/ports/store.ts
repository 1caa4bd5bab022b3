import type { AccessStore } from './access-store.ts'
import type { AgentStore } from './agent-store.ts'
import type { ConversationStore } from './conversation-store.ts'
import type { WebhookStore } from './webhook-store.ts'

/**
 * All that the platform keeps. The parts share no transaction, but for one thing: a conversation's write also keeps the
 * webhook events that it causes.
 */
export interface Store {
  readonly agents: AgentStore
  readonly conversations: ConversationStore
  readonly access: AccessStore
  readonly webhooks: WebhookStore
  /** Waits for writes under way and lets go of files and connections. Later calls reject. */
  close(): Promise<void>
}
