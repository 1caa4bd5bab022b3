import type { ConversationId } from '@colloquy/core'
import type { Outbox } from '@colloquy/core/store'

/** What writes need to keep what they tell of themselves. */
export interface OutboxKeeper {
  /** Keeps all of it, if there is any. */
  keep(outbox: Outbox | undefined): void
  /** Removes what goes with a conversation. */
  forget(conversationId: ConversationId): void
}
