import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { E164, isTextAddress } from '../../domain/telephony/phone-number.ts'
import { TEXT_KEYWORDS } from '../../domain/text/text-pair.ts'

/** A number as carriers write it. */
const e164 = z.string().regex(E164, 'expected a number in the E.164 format, such as +12025550100')

/** Names who texts: as carriers name other ends than telephones, too. */
const textAddress = z
  .string()
  .refine(
    isTextAddress,
    'expected a number in the E.164 format, such as +12025550100, a short code of 3 to 8 digits, or an alphanumeric sender of at most 11 characters',
  )

/** The schema of {@link InboundText}. */
export const inboundTextSchema = z.object({
  /** The carrier's own id of the text: it takes effect once. */
  id: z.string().min(1).max(200),
  /** The user's number: E.164, a short code, or an alphanumeric sender, which no reply reaches. */
  from: textAddress,
  /** The agent's number, E.164 or a short code; over RCS what the carrier calls its sender. */
  to: z.string().min(1).max(200),
  /** At most 10,000 characters. */
  text: z.string().max(10_000),
  /** The keyword that the carrier says the text is, in whatever language. @default what the words say (TX31) */
  keyword: z.enum(TEXT_KEYWORDS).nullable().exactOptional(),
  /** @default "SMS" */
  channel: z.enum(['SMS', 'RCS']).exactOptional(),
  /** The carrier's id of the sender that the text came to. @default null */
  service: z.string().min(1).max(200).nullable().exactOptional(),
})

/** A text of a user's, as its carrier hands it over. */
export type InboundText = InputOf<typeof inboundTextSchema>

/** The schema of {@link TextStatusReport}. */
export const textStatusSchema = z.object({
  /** The platform's id of the text, as passed to `send`. */
  id: z.string().min(1).max(220),
  carrierId: z.string().min(1).max(200),
  status: z.enum(['sent', 'delivered', 'failed']),
})

/** A text's status with its carrier. */
export type TextStatusReport = InputOf<typeof textStatusSchema>

/** The schema of {@link OutboundText}. */
export const outboundTextSchema = z.object({
  /** The user's number, E.164. */
  to: e164,
  /** Plain text that is not blank; at most `limits.messageBytes` of UTF-8. */
  text: z.string().regex(/\S/, 'expected at least one character that is not blank'),
  /** @default "SMS" */
  channel: z.enum(['SMS', 'RCS']).exactOptional(),
  /** One of the agent's numbers in the connector's environment; not for RCS. @default one of them */
  from: textAddress.exactOptional(),
  /** The carrier's id of the sender; required for RCS. */
  service: z.string().min(1).max(200).exactOptional(),
})

/** A text that opens a session. */
export type OutboundText = InputOf<typeof outboundTextSchema>
