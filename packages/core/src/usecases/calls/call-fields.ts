import * as z from 'zod'
import { CALL_ENCRYPTIONS, CALL_ID, type CallEncryption } from '../../domain/call/outbound-call.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AgentId, ConnectorId } from '../../domain/ids.ts'
import { phoneNumberSchema } from '../../domain/telephony/phone-number.ts'
import { jsonBytes } from '../../domain/utf8-bytes.ts'
import { environmentSchema } from '../shared/environment.ts'

/** As base64, metadata is shorter than that: it travels in headers. */
const METADATA_BASE64 = 26 * 1_024

/** The characters of a value's JSON as base64. */
const base64Length = (value: unknown): number => 4 * Math.ceil(jsonBytes(value) / 3)

/** What the one who asks for a call says of it. */
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

/** A call that an agent is to make. */
export const outboundCallSchema = z.object({
  agentId: z.string().min(1).max(200),
  environment: environmentSchema,
  connectorId: z.string().min(1).max(200).exactOptional(),
  variantId: z.string().min(1).max(200).exactOptional(),
  to: phoneNumberSchema,
  country: callCountry.exactOptional(),
  encryption: z.enum(CALL_ENCRYPTIONS).exactOptional(),
  metadata: callMetadata.exactOptional(),
})

/** A call that an agent is to make. */
export interface OutboundCallInput {
  readonly agentId: AgentId
  readonly environment: Environment
  /**
   * One of the agent's telephony connectors in the environment.
   * @default the variant's, else one without a variant, else the oldest
   */
  readonly connectorId?: ConnectorId
  /** A variant of the deployed agent. @default the connector's, else the default one */
  readonly variantId?: string
  /** E.164, or as it is written in `country`. */
  readonly to: string
  /** ISO 3166-1 alpha-2: `to` may be written as it is there. @default none */
  readonly country?: string
  /** @default "tls_srtp" */
  readonly encryption?: CallEncryption
  /** Handed on to the provider, and the conversation's attributes; below 26 KiB as base64 of its JSON. @default {} */
  readonly metadata?: Readonly<Record<string, string>>
}

/** Why a call came to nothing. */
export const callReason = z.string().min(1).max(1_000)

/** A report that says nothing beside whose it is. */
export const callReportSchema = z.object({ id: callId })

/** Names a call. */
export interface CallNamed {
  /** Ours, as the provider was told it with `place`. */
  readonly id: string
}

export const callEndedSchema = callReportSchema.extend({
  reason: callReason.exactOptional(),
  answered: z.boolean().exactOptional(),
})

/** The end of a call. */
export interface CallEnded extends CallNamed {
  /** Why, where nobody had answered; 1 to 1,000 characters. @default "The call was not answered." */
  readonly reason?: string
  /** The provider says that somebody had answered, whether or not that was reported. @default false */
  readonly answered?: boolean
}

export const callFailedSchema = callReportSchema.extend({ reason: callReason })

/** A call that came to nothing. */
export interface CallFailed extends CallNamed {
  /** 1 to 1,000 characters. */
  readonly reason: string
}
