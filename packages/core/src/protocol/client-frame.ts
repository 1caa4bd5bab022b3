import * as z from 'zod'
import type { CustomMetadata } from '../domain/conversation/event.ts'
import type { JsonObject } from '../domain/json.ts'
import { type ClientEventType, type EventNames, isClientEventType } from './event-names.ts'
import { PROTOCOL_LIMITS } from './limits.ts'
import { FRAME_ERROR_TEXTS, notAllowedText } from './system-messages.ts'

const envelopeSchema = z.object({
  type: z.string(),
  payload: z.record(z.string(), z.unknown()).nullish(),
  metadata: z.unknown().optional(),
})

const metadataSchema = z.object({ custom: z.record(z.string(), z.string()).nullish() }).nullish()

const emptySchema = z.object({})

/** Flat, because what is echoed must not be able to exhaust the stack. */
const flatSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

const TYPING_STATES = {
  TYPING_STATE_STARTED: 'started',
  TYPING_STATE_STOPPED: 'stopped',
  started: 'started',
  stopped: 'stopped',
} as const

/** The payload of each event that a client may send (contract/messaging.md, Events; MS2). */
const CLIENT_PAYLOAD_SCHEMAS = {
  HEARTBEAT: flatSchema,
  REQUEST_AI_AGENT_JOIN: emptySchema,
  USER_MESSAGE: z.object({ text: z.string().min(1) }),
  USER_TYPING: z.object({
    state: z.enum(['TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED', 'started', 'stopped']),
  }),
  USER_END_SESSION: emptySchema,
} as const satisfies Record<ClientEventType, z.ZodType>

/** An event of a visitor's client, checked. */
export type ClientEvent = { readonly custom: CustomMetadata | null } & (
  | { readonly type: 'HEARTBEAT'; readonly payload: JsonObject }
  | { readonly type: 'REQUEST_AI_AGENT_JOIN' | 'USER_END_SESSION' }
  | { readonly type: 'USER_MESSAGE'; readonly text: string }
  | { readonly type: 'USER_TYPING'; readonly state: 'started' | 'stopped' }
)

/** A frame that cannot be taken: what its sender reads, and the metadata that goes back with it. */
export interface FrameError {
  readonly error: string
  readonly custom: CustomMetadata | null
}

/** Reads one text frame. Never throws; unknown fields are ignored. */
export function parseClientFrame(
  frame: string,
  names: EventNames,
  limits: { readonly messageBytes: number },
): ClientEvent | FrameError {
  const envelope = envelopeSchema.safeParse(parseJson(frame))
  if (!envelope.success) return { error: FRAME_ERROR_TEXTS.invalid, custom: null }
  const metadata = metadataSchema.safeParse(envelope.data.metadata)
  if (!metadata.success) return { error: FRAME_ERROR_TEXTS.invalid, custom: null }
  const custom = metadata.data?.custom ?? null
  if (customLength(custom) > PROTOCOL_LIMITS.customLength)
    return { error: FRAME_ERROR_TEXTS.tooLarge, custom: null }
  const type = names.short(envelope.data.type)
  if (type === null) return { error: FRAME_ERROR_TEXTS.invalid, custom }
  if (!isClientEventType(type)) return { error: notAllowedText(envelope.data.type), custom }
  return readEvent(type, envelope.data.payload ?? {}, custom, limits.messageBytes)
}

function readEvent(
  type: ClientEventType,
  payload: Readonly<Record<string, unknown>>,
  custom: CustomMetadata | null,
  messageBytes: number,
): ClientEvent | FrameError {
  switch (type) {
    case 'HEARTBEAT': {
      const heartbeat = CLIENT_PAYLOAD_SCHEMAS.HEARTBEAT.safeParse(payload)
      if (!heartbeat.success) return { error: FRAME_ERROR_TEXTS.invalid, custom }
      return { type, payload: heartbeat.data, custom }
    }
    case 'REQUEST_AI_AGENT_JOIN':
    case 'USER_END_SESSION':
      return { type, custom }
    case 'USER_MESSAGE': {
      const message = CLIENT_PAYLOAD_SCHEMAS.USER_MESSAGE.safeParse(payload)
      if (!message.success) return { error: FRAME_ERROR_TEXTS.invalid, custom }
      const { text } = message.data
      if (utf8LengthOver(text, messageBytes)) return { error: FRAME_ERROR_TEXTS.tooLarge, custom }
      return { type, text, custom }
    }
    case 'USER_TYPING': {
      const typing = CLIENT_PAYLOAD_SCHEMAS.USER_TYPING.safeParse(payload)
      if (!typing.success) return { error: FRAME_ERROR_TEXTS.invalid, custom }
      return { type, state: TYPING_STATES[typing.data.state], custom }
    }
  }
}

/**
 * The client's own ids of an event, null where it gave none (contract/messaging.md, Once only). Each begins with its
 * name: a `client_event_id` is not the same as a `local_id` that looks like it, nor as any id of the platform's.
 */
export const clientIdsOf = (
  custom: CustomMetadata | null,
): { readonly clientEventId: string | null; readonly localId: string | null } => ({
  clientEventId: own(custom, 'client_event_id'),
  localId: own(custom, 'local_id'),
})

function own(custom: CustomMetadata | null, name: string): string | null {
  const id = custom !== null && Object.hasOwn(custom, name) ? custom[name] : undefined
  return id ? `${name}:${id}` : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function customLength(custom: CustomMetadata | null): number {
  let length = 0
  for (const [name, value] of Object.entries(custom ?? {})) length += name.length + value.length
  return length
}

/** A character of a string is one to three bytes of UTF-8, so most texts need no counting. */
function utf8LengthOver(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}
