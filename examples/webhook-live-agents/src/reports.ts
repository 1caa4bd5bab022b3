import { z } from 'zod'

const about = { handoff_id: z.string().min(1).max(200), account_id: z.string().min(1).max(200) }
const address = z.url({
  protocol: /^https?$/,
  error: 'expected an address that begins with https:// or http://',
})

const attachmentSchema = z.object({
  title: z.string().max(500),
  content_type: z.enum(['ATTACHMENT_CONTENT_TYPE_URL', 'ATTACHMENT_CONTENT_TYPE_IMAGE']),
  content_url: address.max(2_000),
})

/** Reports of the other system about a handoff: its callbacks, by their names in `LiveAgentCallbacks`. */
export const reportSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted'), ...about }),
  z.object({
    type: z.literal('queue_status'),
    ...about,
    position: z.int().positive().nullable(),
    estimated_wait_seconds: z.int().nonnegative().nullable(),
  }),
  z.object({
    type: z.literal('joined'),
    ...about,
    agent: z.object({
      id: z.string().min(1).max(200),
      name: z.string().min(1).max(200),
      avatar_url: address.max(2_048).or(z.literal('')),
    }),
  }),
  z.object({ type: z.literal('typing'), ...about, state: z.enum(['started', 'stopped']) }),
  z.object({
    type: z.literal('message'),
    ...about,
    /** Taken once, however often it is reported. */
    message_id: z
      .string()
      .regex(/^[\w.:-]{1,128}$/, 'expected 1 to 128 letters, digits, ".", "_", ":" or "-"'),
    text: z.string().min(1),
    attachments: z.array(attachmentSchema).max(20).exactOptional(),
  }),
  z.object({ type: z.literal('left'), ...about, reason: z.string().max(500).exactOptional() }),
  z.object({ type: z.literal('failed'), ...about, reason: z.string().max(500).exactOptional() }),
])
export type Report = z.output<typeof reportSchema>
