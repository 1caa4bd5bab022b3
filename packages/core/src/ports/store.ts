import type { AccessStore } from './access-store.ts'
import type { AgentStore } from './agent-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { ConversationStore } from './conversation-store.ts'
import type { WebhookStore } from './webhook-store.ts'

/**
 * All that the platform keeps. The parts share no transaction, but for two things: a conversation's write also keeps the
 * webhook events that it causes, and a write that takes an `entry` of the audit log keeps it with what it changes.
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
