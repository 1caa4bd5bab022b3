import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import { CALL_ENCRYPTIONS, CALL_ID } from '../../domain/call/outbound-call.ts'
import { phoneNumberSchema } from '../../domain/telephony/phone-number.ts'
import { jsonBytes } from '../../domain/utf8-bytes.ts'
import { environmentSchema } from '../shared/environment.ts'

/** As base64, metadata is shorter than that: it travels in headers. */
const METADATA_BASE64 = 26 * 1_024

/** Returns the characters of a value's JSON as base64. */
const base64Length = (value: unknown): number => 4 * Math.ceil(jsonBytes(value) / 3)

/** The caller's metadata for a call. */
export const callMetadata = z
  .record(z.string(), z.string())
  .refine(
    metadata => base64Length(metadata) < METADATA_BASE64,
    `expected less than ${METADATA_BASE64} bytes as base64 of its JSON`,
  )

/** ISO 3166-1 alpha-2. */
export const callCountry = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'expected two letters as in ISO 3166-1, such as GB')

/** The id of a call. */
const callId = z.string().regex(CALL_ID, 'expected the id of a call, "OUT-" and a UUID')

/** The schema of {@link OutboundCallInput}. */
export const outboundCallSchema = z.object({
  agentId: z.string().min(1).max(200),
  environment: environmentSchema,
  /**
   * One of the agent's telephony connectors in the environment.
   * @default the variant's, else one without a variant, else the oldest
   */
  connectorId: z.string().min(1).max(200).exactOptional(),
  /** A variant of the deployed agent. @default the connector's, else the default one */
  variantId: z.string().min(1).max(200).exactOptional(),
  /** E.164, or as it is written in `country`. */
  to: phoneNumberSchema,
  /** ISO 3166-1 alpha-2: `to` may be written as it is there. @default none */
  country: callCountry.exactOptional(),
  /** @default "tls_srtp" */
  encryption: z.enum(CALL_ENCRYPTIONS).exactOptional(),
  /** Handed on to the provider, and the conversation's attributes; below 26 KiB as base64 of its JSON. @default {} */
  metadata: callMetadata.exactOptional(),
})

/** A call that an agent is to make. */
export type OutboundCallInput = InputOf<typeof outboundCallSchema>

/** The reason why a call came to nothing. */
export const callReason = z.string().min(1).max(1_000)

/** The schema of {@link CallOfAgent}. */
export const callOfAgentSchema = z.object({
  agentId: z.string(),
  /** `OUT-` and a UUID. */
  id: callId,
  /** The environment of the call; in another one there is no such call. @default whichever it has */
  environment: environmentSchema.exactOptional(),
})

/** Names a call of an agent. */
export type CallOfAgent = InputOf<typeof callOfAgentSchema>

/** A report that says nothing beside whose it is. */
export const callReportSchema = z.object({
  /** The platform's id of the call, as passed to `place`. */
  id: callId,
})

/** Names a call. */
export type CallNamed = InputOf<typeof callReportSchema>

/** The schema of {@link CallEnded}. */
export const callEndedSchema = callReportSchema.extend({
  /** Why, where nobody had answered; 1 to 1,000 characters. @default "The call was not answered." */
  reason: callReason.exactOptional(),
  /** The provider says that somebody had answered, whether or not that was reported. @default false */
  answered: z.boolean().exactOptional(),
})

/** The end of a call. */
export type CallEnded = InputOf<typeof callEndedSchema>

/** The schema of {@link CallFailed}. */
export const callFailedSchema = callReportSchema.extend({
  /** 1 to 1,000 characters. */
  reason: callReason,
})

/** A call that came to nothing. */
export type CallFailed = InputOf<typeof callFailedSchema>
