import * as z from 'zod'
import { E164, isTextAddress } from '../../domain/telephony/phone-number.ts'
import { TEXT_KEYWORDS, type TextKeyword } from '../../domain/text/text-pair.ts'

/** A number as carriers write it. */
const e164 = z.string().regex(E164, 'expected a number in the E.164 format, such as +12025550100')

/** Names who texts: as carriers name other ends than telephones, too. */
const textAddress = z
  .string()
  .refine(
    isTextAddress,
    'expected a number in the E.164 format, such as +12025550100, a short code of 3 to 8 digits, or an alphanumeric sender of at most 11 characters',
  )

/** A text of a user's, as its carrier hands it over. */
export const inboundTextSchema = z.object({
  id: z.string().min(1).max(200),
  from: textAddress,
  to: z.string().min(1).max(200),
  text: z.string().max(10_000),
  keyword: z.enum(TEXT_KEYWORDS).nullable().exactOptional(),
  channel: z.enum(['SMS', 'RCS']).exactOptional(),
  service: z.string().min(1).max(200).nullable().exactOptional(),
})

/** A text of a user's, as its carrier hands it over. */
export interface InboundText {
  /** The carrier's own id of the text: it takes effect once. */
  readonly id: string
  /** The user's number: E.164, a short code, or an alphanumeric sender, which no reply reaches. */
  readonly from: string
  /** The agent's number, E.164 or a short code; over RCS what the carrier calls its sender. */
  readonly to: string
  /** At most 10,000 characters. */
  readonly text: string
  /** The keyword that the carrier says the text is, in whatever language. @default what the words say (TX31) */
  readonly keyword?: TextKeyword | null
  /** @default "SMS" */
  readonly channel?: 'SMS' | 'RCS'
  /** The carrier's id of the sender that the text came to. @default null */
  readonly service?: string | null
}

/** How a text stands with its carrier. */
export const textStatusSchema = z.object({
  id: z.string().min(1).max(220),
  carrierId: z.string().min(1).max(200),
  status: z.enum(['sent', 'delivered', 'failed']),
})

/** How a text stands with its carrier. */
export interface TextStatusReport {
  /** Ours, as the carrier was told it with `send`. */
  readonly id: string
  readonly carrierId: string
  readonly status: 'sent' | 'delivered' | 'failed'
}

/** A text that opens a session. */
export const outboundTextSchema = z.object({
  to: e164,
  text: z.string().regex(/\S/, 'expected at least one character that is not blank'),
  channel: z.enum(['SMS', 'RCS']).exactOptional(),
  from: textAddress.exactOptional(),
  service: z.string().min(1).max(200).exactOptional(),
})

/** A text that opens a session. */
export interface OutboundText {
  /** The user's number, E.164. */
  readonly to: string
  /** Plain text that is not blank; at most `limits.messageBytes` of UTF-8. */
  readonly text: string
  /** @default "SMS" */
  readonly channel?: 'SMS' | 'RCS'
  /** One of the agent's numbers in the connector's environment; not for RCS. @default one of them */
  readonly from?: string
  /** The carrier's id of the sender; required for RCS. */
  readonly service?: string
}
