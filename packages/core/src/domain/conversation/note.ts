import type { AccountId, ConversationId } from '../ids.ts'

/** A note that colleagues write about a conversation. Visitors and agents never get it (DK549). */
export interface ConversationNote {
  /** The writer's own id of the note, or a new one. */
  readonly id: string
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  /** Position among the notes of the conversation, from 1, in the order in which they were written. */
  readonly number: number
  readonly author: { readonly id: string; readonly name: string }
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}
