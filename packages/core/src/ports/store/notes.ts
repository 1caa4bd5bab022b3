import type { ConversationNote } from '../../domain/conversation/note.ts'
import type { ConversationId } from '../../domain/ids.ts'

/** A note that has no number yet. */
export type NewNote = Omit<ConversationNote, 'number'>

/** The result of adding a note. */
export type AddedNote =
  | { readonly status: 'added' | 'duplicate'; readonly note: ConversationNote }
  | { readonly status: 'missing' }
  | { readonly status: 'full' }

/** The result of changing a note: `stale` when it has another number, `foreign` when somebody else wrote it. */
export type ChangedNote =
  | { readonly status: 'changed'; readonly note: ConversationNote }
  | { readonly status: 'missing' | 'stale' | 'foreign' }

/**
 * Notes of colleagues about conversations. Every method reads or writes at one instant. Values are copied in and out.
 * Removing a conversation removes its notes at the same instant.
 */
export interface NoteStore {
  /**
   * Adds a note with the next number of its conversation. A note of the same conversation and id is a `duplicate`, and
   * the stored one is returned. `missing` when the account has no such conversation; `full` when it has `most` notes.
   */
  add(note: NewNote, most: number): Promise<AddedNote>
  /**
   * Gives the note of that conversation, id, account and author the text, and the next number. The same again is
   * written once.
   *
   * @param number the one that it has
   */
  change(note: NewNote, number: number): Promise<ChangedNote>
  /** Notes of a conversation with a number after `after`, in their order, at most `limit`. */
  list(conversationId: ConversationId, after: number, limit: number): Promise<readonly ConversationNote[]>
  /** The number of the newest note. 0 without any. */
  last(conversationId: ConversationId): Promise<number>
}
