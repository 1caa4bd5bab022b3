import * as z from 'zod'

/** A note of a colleague about a conversation. */
export const deskNote = z
  .object({
    note_id: z.string(),
    number: z.int().min(1),
    author: z.object({ id: z.string(), name: z.string() }),
    text: z.string(),
    at: z.iso.datetime(),
  })
  .meta({ id: 'DeskNote' })
