import type { AccessStore } from './access-store.ts'
import type { AgentStore } from './agent-store.ts'
import type { ConversationStore } from './conversation-store.ts'

/** All that the platform keeps. The three parts share no transaction. */
export interface Store {
  readonly agents: AgentStore
  readonly conversations: ConversationStore
  readonly access: AccessStore
  /** Waits for writes under way and lets go of files and connections. Later calls reject. */
  close(): Promise<void>
}
