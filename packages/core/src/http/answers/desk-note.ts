import * as z from 'zod'

/** A note of a colleague about a conversation. */
export const deskNote = z
  .object({
    note_id: z.string(),
    number: z.int().min(1),
    author: z.object({ id: z.string(), name: z.string() }),
    text: z.string(),
    at: z.iso.datetime(),
    changed_at: z.iso.datetime().exactOptional(),
  })
  .meta({ id: 'DeskNote' })

/** A summary of a conversation, made by a model. */
export const deskSummary = z
  .object({
    status: z.enum(['pending', 'done', 'failed']),
    text: z.string(),
    failure: z.enum(['timed_out', 'failed']).nullable(),
    at: z.iso.datetime(),
  })
  .meta({ id: 'DeskSummary' })
