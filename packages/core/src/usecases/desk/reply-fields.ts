import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { REPLY_PLACEHOLDERS, unknownPlaceholders } from '../../domain/conversation/shared-reply.ts'

const allowed = Object.keys(REPLY_PLACEHOLDERS)
  .map(name => `{${name}}`)
  .join(', ')

/** The word by which a shared reply is found: 1 to 40 letters, digits, `-` and `_`. */
export const replyCodeSchema = z
  .string()
  .normalize('NFC')
  .regex(/^[\p{L}\p{M}\p{N}_-]{1,40}$/u, 'expected 1 to 40 letters, digits, "-" or "_"')

/** A language tag, 2 to 35 characters; null for any. */
export const replyLanguageSchema = z.string().min(2).max(35).nullable()

/** The fields of a shared reply, as callers give them. */
const replyFields = (length: number) => ({
  code: replyCodeSchema,
  /** With the placeholders `{visitor}`, `{agent}` and `{me}`. */
  text: z
    .string()
    .min(1)
    .max(length)
    .superRefine((text, { addIssue }) => {
      const [unknown] = unknownPlaceholders(text)
      if (unknown === undefined) return
      addIssue({ code: 'custom', message: `{${unknown}} is not a placeholder. Allowed: ${allowed}` })
    }),
  /** The agent whose visitors it is for. @default null, all of the account */
  agentId: z.string().nullable().exactOptional(),
  /** @default null, any */
  language: replyLanguageSchema.exactOptional(),
})

/**
 * The schema of {@link SharedReplyInput}.
 *
 * @param length characters of the text
 */
export const replySchema = (length: number) => z.object(replyFields(length))

/** A shared reply to add. */
export type SharedReplyInput = InputOf<ReturnType<typeof replySchema>>

/**
 * The schema of {@link SharedReplyChange}.
 *
 * @param length characters of the text
 */
export const replyChangeSchema = (length: number) => {
  const { code, text, ...rest } = replyFields(length)
  return z.object({ code: code.exactOptional(), text: text.exactOptional(), ...rest })
}

/** A change of a shared reply. What is left out stays. */
export type SharedReplyChange = InputOf<ReturnType<typeof replyChangeSchema>>
