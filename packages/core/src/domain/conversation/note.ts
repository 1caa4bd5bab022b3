import type { AccountId, ConversationId } from '../ids.ts'

/** A note that colleagues write about a conversation. Visitors and agents never get it (DK549). */
export interface ConversationNote {
  /** The writer's own id of the note, or a new one. */
  readonly id: string
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  /** Position among the notes of the conversation, from 1. A note that its writer changes takes the next one. */
  readonly number: number
  readonly author: { readonly id: string; readonly name: string }
  /** Empty once its writer has taken it back. */
  readonly text: string
  /** Time of writing, milliseconds since the epoch. */
  readonly at: number
  /** Time of the last change by its writer. */
  readonly changedAt?: number
}
