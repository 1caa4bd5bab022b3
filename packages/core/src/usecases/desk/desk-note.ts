import type { ConversationNote } from '../../domain/conversation/note.ts'

/** A note that colleagues wrote about a conversation (DK549). */
export interface DeskNote {
  readonly noteId: string
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

/** A note as colleagues get it. */
export const noteOf = ({ accountId: _, conversationId: __, id, ...note }: ConversationNote): DeskNote => ({
  ...note,
  noteId: id,
})
