import * as z from 'zod'
import type { JsonObject } from '../json.ts'
import type { JournaledEventType, TransientEventType } from './event.ts'

const none = z.object({})

/** An attachment of a message. */
const attachment = z
  .object({
    title: z.string(),
    content_type: z.enum(['ATTACHMENT_CONTENT_TYPE_URL', 'ATTACHMENT_CONTENT_TYPE_IMAGE']),
    content_url: z.string(),
    preview_image_url: z.string(),
    call_to_action_text: z.string(),
  })
  .meta({ id: 'Attachment' })

/** An answer that the visitor may give with a tap. */
const suggestion = z
  .object({ message_text: z.string(), payload: z.string().exactOptional() })
  .meta({ id: 'ResponseSuggestion' })

/** A number to call. */
const callAction = z.object({ title: z.string(), contact_number: z.string() }).meta({ id: 'ChatCallAction' })

/** A file that a message names. Its bytes are at an address that expires (FI13). */
export const sentFileSchema = z
  .object({
    file_id: z.string(),
    name: z.string(),
    content_type: z.string(),
    size: z.int().min(0),
  })
  .meta({ id: 'SentFile' })

const files = z.array(sentFileSchema).readonly().exactOptional()

const besideText = {
  attachments: z.array(attachment).readonly(),
  response_suggestions: z.array(suggestion).readonly(),
}

const said = {
  message_id: z.string(),
  text: z.string(),
  ...besideText,
  chat_call_actions: z.array(callAction).readonly().exactOptional(),
}

const speaker = { agent_name: z.string().exactOptional(), avatar_url: z.string().exactOptional() }

const typingState = z.enum(['TYPING_STATE_STARTED', 'TYPING_STATE_STOPPED'])

/**
 * The payload of every event of a conversation, as it goes over the socket (contract/messaging.md, Events). The types
 * of events derive from here. Documents and tests read the schemas; a server that sends events needs neither.
 */
export const EVENT_PAYLOADS = {
  SESSION_START: z.object({
    /** The `sub` of every context token of the conversation. Present if the connector has a context key (MS49). */
    context_id: z.string().exactOptional(),
    capabilities: z.object({
      streaming: z.boolean(),
      /** The largest size of a text as UTF-8. */
      max_message_size_bytes: z.int().min(0),
      max_reconnect_attempts: z.int().min(0),
      heartbeat_interval_seconds: z.number(),
      /** Files that the host takes. Present if it takes any (FI1). */
      files: z
        .object({
          content_types: z.array(z.string()).readonly(),
          max_size_bytes: z.int().min(1),
          max_per_message: z.int().min(1),
        })
        .exactOptional(),
    }),
  }),
  REQUEST_AI_AGENT_JOIN: none,
  USER_MESSAGE: z.object({ message_id: z.string(), text: z.string(), files }),
  USER_END_SESSION: none,
  AI_AGENT_JOINED: z.object({ agent_name: z.string(), agent_avatar_url: z.string(), avatar: z.string() }),
  AI_AGENT_MESSAGE: z.object({ ...said, ...speaker, end_conversation: z.literal(true).exactOptional() }),
  AI_AGENT_MESSAGE_CHUNK: z.object({
    ...said,
    chunk_index: z.int().min(1),
    is_complete: z.boolean(),
    end_conversation: z.literal(true).exactOptional(),
  }),
  AI_AGENT_TRIGGERED_HANDOFF: none,
  AI_AGENT_LEFT: none,
  HANDOFF_ACCEPTED: z.object({ queue_name: z.string() }),
  HANDOFF_FAILED: z.object({ reason: z.string().exactOptional() }),
  HANDOFF_TIMEOUT: none,
  CLIENT_HANDOFF_REQUIRED: z.object({
    reason: z.literal('AGENT_DECISION'),
    queue_name: z.string(),
    route: z.string().exactOptional(),
  }),
  LIVE_AGENT_JOINED: z.object({
    agent: z.object({ id: z.string(), name: z.string(), avatar_url: z.string() }),
  }),
  LIVE_AGENT_MESSAGE: z.object({ ...said, agent_id: z.string(), ...speaker, files }),
  LIVE_AGENT_LEFT: z.object({ reason: z.string().exactOptional() }),
  LANGUAGE_CHANGED: z.object({ language_code: z.string() }),
  SESSION_END: z.object({
    reason: z.enum(['REASON_USER_END', 'REASON_USER_ABANDONED', 'REASON_NATURAL_END']),
  }),
  HEARTBEAT: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  USER_TYPING: z.object({ state: typingState }),
  /** Only between processes: a desk asks whether the visitor has a connection, and gets an answer. */
  USER_PRESENCE: z.object({ state: z.enum(['asked', 'here', 'gone']) }),
  /** Between processes alone: a colleague has written a note, which stands in the store. */
  DESK_NOTE: none,
  DESK_SUMMARY: none,
  AI_AGENT_THINKING: none,
  HANDOFF_QUEUE_STATUS: z.object({
    queue_name: z.string(),
    position_in_queue: z.int().min(1).exactOptional(),
    estimated_wait_seconds: z.int().min(0).exactOptional(),
    display_message: z.string().exactOptional(),
  }),
  LIVE_AGENT_TYPING: z.object({ state: typingState, agent_id: z.string() }),
  SYSTEM_MESSAGE: z.object({
    level: z.enum([
      'SYSTEM_MESSAGE_LEVEL_INFO',
      'SYSTEM_MESSAGE_LEVEL_WARNING',
      'SYSTEM_MESSAGE_LEVEL_ERROR',
    ]),
    message: z.string(),
  }),
  SESSION_IDLE_WARNING: none,
} as const satisfies Record<JournaledEventType | TransientEventType, z.ZodType>

/** The payload of each event, as the socket carries it. */
export type EventPayloads = {
  readonly [Type in keyof typeof EVENT_PAYLOADS]: Readonly<z.output<(typeof EVENT_PAYLOADS)[Type]>>
}

/** Payloads as the log has them: a finished stream also has the texts of its chunks before the last one. */
export interface LoggedPayloads extends Omit<EventPayloads, 'AI_AGENT_MESSAGE_CHUNK' | 'USER_MESSAGE'> {
  /**
   * In a turn-based chat also what is for the functions of its turn, and the SHA-256 of its request; no socket follows
   * a chat.
   */
  readonly USER_MESSAGE: EventPayloads['USER_MESSAGE'] & {
    readonly metadata?: JsonObject
    readonly request?: string
  }
  readonly AI_AGENT_MESSAGE_CHUNK: EventPayloads['AI_AGENT_MESSAGE_CHUNK'] & {
    readonly chunks: readonly string[]
  }
}

/** The severity of a `SYSTEM_MESSAGE`. */
export type SystemMessageLevel = EventPayloads['SYSTEM_MESSAGE']['level']

/** Beside the text of a message, as on the wire. */
export type WireAttachment = Readonly<z.output<typeof attachment>>
export type SentFile = Readonly<z.output<typeof sentFileSchema>>
export type WireSuggestion = Readonly<z.output<typeof suggestion>>
export type WireCallAction = Readonly<z.output<typeof callAction>>

/** The speaker of a message. */
export type Speaker = Pick<EventPayloads['AI_AGENT_MESSAGE'], 'agent_name' | 'avatar_url'>
