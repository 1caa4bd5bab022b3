import * as z from 'zod'
import { messageIdSchema } from '../../usecases/desk/desk-input.ts'
import type { NewDeskNote } from '../../usecases/desk/notes.ts'

/** The fields of a note for colleagues. */
export const noteFields = {
  /** Empty only beside `changes`: it takes the note back. */
  text: z.string(),
  note_id: messageIdSchema.exactOptional(),
  /** The number of one's own note `note_id`, which gets this text. */
  changes: z.int().min(1).exactOptional(),
}

/** Returns the note of a body, by an author. */
export const noteGiven = (
  { note_id: noteId, ...body }: z.output<z.ZodObject<typeof noteFields>>,
  author: NewDeskNote['author'],
): NewDeskNote => ({ ...body, author, ...(noteId === undefined ? {} : { noteId }) })
