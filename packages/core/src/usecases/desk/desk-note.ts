import type { ConversationNote } from '../../domain/conversation/note.ts'

/** A note that colleagues wrote about a conversation (DK549). */
export interface DeskNote {
  readonly noteId: string
  /** Position among the notes of the conversation, from 1. */
  readonly number: number
  readonly author: { readonly id: string; readonly name: string }
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A note as colleagues get it. */
export const noteOf = ({ at, author, id, number, text: words }: ConversationNote): DeskNote => ({
  ...{ noteId: id, number, author, text: words, at },
})
