import * as z from 'zod'
import type { CustomMetadata } from '../domain/conversation/event.ts'
import { type ClientEventType, type EventNames, isClientEventType } from './event-names.ts'
import { PROTOCOL_LIMITS } from './limits.ts'
import { FRAME_ERROR_TEXTS, notAllowedText } from './system-messages.ts'

/** The metadata that a client may add to any event. The answer echoes `custom`. */
export const metadataSchema = z.object({ custom: z.record(z.string(), z.string()).nullish() }).nullish()

const emptySchema = z.object({})

/** Flat, because what is echoed must not be able to exhaust the stack. */
const flatSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** The payload of each event that a client may send (contract/messaging.md, Events; MS2). */
export const CLIENT_PAYLOADS = {
  HEARTBEAT: flatSchema,
  REQUEST_AI_AGENT_JOIN: emptySchema,
  /** With files the text may be left out (FI8). */
  USER_MESSAGE: z
    .object({
      text: z.string().default(''),
      file_ids: z.array(z.string().min(1).max(64)).max(20).exactOptional(),
    })
    .refine(({ file_ids: ids = [], text }) => text !== '' || ids.length > 0),
  USER_TYPING: z.object({
    state: z.enum(['TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED', 'started', 'stopped']),
  }),
  USER_END_SESSION: emptySchema,
  SET_CONTEXT: z.object({ token: z.string().nullable() }),
  /** Long enough that nobody guesses it: the call with this id speaks in the session. */
  LINK_TO_WEBRTC_CONVERSATION: z.object({ call_sid: z.string().regex(/^[\w-]{16,128}$/) }),
} as const satisfies Record<ClientEventType, z.ZodType>

/** An event of a visitor's client, checked: what its payload's schema lets through. */
export type ClientEvent = {
  readonly [Type in ClientEventType]: {
    readonly type: Type
    readonly payload: Readonly<z.output<(typeof CLIENT_PAYLOADS)[Type]>>
    readonly custom: CustomMetadata | null
  }
}[ClientEventType]

/** Both the enum's names on the wire and short ones are taken. */
export const typingState = ({
  payload: { state },
}: Extract<ClientEvent, { type: 'USER_TYPING' }>): 'started' | 'stopped' =>
  /started$/i.test(state) ? 'started' : 'stopped'

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
  const envelope = parseJson(frame)
  if (!isFields(envelope)) return { error: FRAME_ERROR_TEXTS.invalid, custom: null }
  const { type: wireType, metadata: given } = envelope
  const payload = envelope.payload ?? {}
  if (typeof wireType !== 'string' || !isFields(payload))
    return { error: FRAME_ERROR_TEXTS.invalid, custom: null }
  if (isFields(given) && isFields(given.custom) && isLong(given.custom))
    return { error: FRAME_ERROR_TEXTS.tooLarge, custom: null }
  const metadata = metadataSchema.safeParse(given)
  if (!metadata.success) return { error: FRAME_ERROR_TEXTS.invalid, custom: null }
  const custom = metadata.data?.custom ?? null
  const type = names.short(wireType)
  if (type === null) return { error: FRAME_ERROR_TEXTS.invalid, custom }
  if (!isClientEventType(type)) return { error: notAllowedText(wireType), custom }
  return readEvent(type, payload, custom, limits.messageBytes)
}

function readEvent(
  type: ClientEventType,
  given: Readonly<Record<string, unknown>>,
  custom: CustomMetadata | null,
  messageBytes: number,
): ClientEvent | FrameError {
  // The others are read by the names of their fields, and what else is there is passed over.
  if (type === 'HEARTBEAT' && isLong(given)) return { error: FRAME_ERROR_TEXTS.tooLarge, custom }
  const payload = CLIENT_PAYLOADS[type].safeParse(given)
  if (!payload.success) return { error: FRAME_ERROR_TEXTS.invalid, custom }
  // The schema belongs to the type.
  const event = { type, payload: payload.data, custom } as ClientEvent
  if (event.type === 'USER_MESSAGE' && utf8LengthOver(event.payload.text, messageBytes))
    return { error: FRAME_ERROR_TEXTS.tooLarge, custom }
  return event
}

/**
 * Returns the client's own ids of an event, null if it gave none (contract/messaging.md, Once only). Each begins with
 * its name: a `client_event_id` is not the same as a `local_id` that looks like it, nor as any id of the platform's.
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

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for fields that are more than comes back to a client: found out without a look at most of them. */
function isLong(fields: Fields): boolean {
  let length = 0
  for (const name in fields) {
    const value = fields[name]
    length += name.length + (typeof value === 'string' ? value.length : 0)
    if (length > PROTOCOL_LIMITS.customLength) return true
  }
  return false
}

/** A character of a string is one to three bytes of UTF-8, so most texts need no counting. */
function utf8LengthOver(text: string, limit: number): boolean {
  if (text.length > limit) return true
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit
}
