import { type Fields, fieldsOf, flag, list, number, text, type Unread } from './fields.ts'
import type {
  ChatCallAction,
  ResponseSuggestion,
  ServerPayloads,
  Attachment as WireAttachment,
  SentFile as WireFile,
} from './wire.ts'

/** A link or a picture that comes with a message. */
export interface Attachment {
  readonly kind: 'url' | 'image'
  readonly title: string
  readonly url: string
  /** Empty for none. */
  readonly previewUrl: string
  /** The words on the button; empty for none. */
  readonly action: string
}

/** An answer that the visitor may give with one touch. */
export interface Suggestion {
  readonly text: string
}

/** A number to call. */
export interface CallAction {
  readonly title: string
  readonly number: string
}

/** A file that a message names. Its bytes are at an address that `fileAddress` returns. */
export interface SentFile {
  readonly id: string
  readonly name: string
  /** Its media type, such as `image/png`. */
  readonly type: string
  /** Bytes. */
  readonly size: number
}

/** Files that a server takes. */
export interface TakenFiles {
  /** Media types. */
  readonly types: readonly string[]
  /** Bytes of a file. */
  readonly maxBytes: number
  readonly maxPerMessage: number
}

export const fileOf = (fields: Unread<WireFile>): SentFile => ({
  id: text(fields, 'file_id'),
  name: text(fields, 'name'),
  type: text(fields, 'content_type'),
  size: number(fields, 'size') ?? 0,
})

const filesOf = (payload: Unread<{ readonly files?: unknown }>): readonly SentFile[] =>
  list(payload, 'files').map(fileOf)

type Capabilities = ServerPayloads['SESSION_START']['capabilities']

/** Null where a server takes no files. */
function takenOf({ files }: Unread<Capabilities>): TakenFiles | null {
  const taken: Unread<NonNullable<Capabilities['files']>> = fieldsOf(files)
  const { content_types: types } = taken
  const maxBytes = number(taken, 'max_size_bytes')
  return Array.isArray(types) && maxBytes !== null
    ? { types, maxBytes, maxPerMessage: number(taken, 'max_per_message') ?? 1 }
    : null
}

const nothing = () => ({})

const attachmentOf = (fields: Unread<WireAttachment>): Attachment => ({
  kind: text(fields, 'content_type').endsWith('IMAGE') ? 'image' : 'url',
  title: text(fields, 'title'),
  url: text(fields, 'content_url'),
  previewUrl: text(fields, 'preview_image_url'),
  action: text(fields, 'call_to_action_text'),
})

type Said = ServerPayloads['AI_AGENT_MESSAGE' | 'AI_AGENT_MESSAGE_CHUNK' | 'LIVE_AGENT_MESSAGE']

/** Returns the fields that messages of the agent and of live agents share. */
const contentOf = (payload: Unread<Said>) => ({
  messageId: text(payload, 'message_id'),
  text: text(payload, 'text'),
  attachments: list(payload, 'attachments').map(attachmentOf),
  suggestions: list(payload, 'response_suggestions').map(
    (one: Unread<ResponseSuggestion>): Suggestion => ({ text: text(one, 'message_text') }),
  ),
  callActions: list(payload, 'chat_call_actions').map(
    (one: Unread<ChatCallAction>): CallAction => ({
      title: text(one, 'title'),
      number: text(one, 'contact_number'),
    }),
  ),
  name: text(payload, 'agent_name'),
  avatarUrl: text(payload, 'avatar_url'),
  agentId: text(payload, 'agent_id'),
  endsConversation: flag(payload, 'end_conversation'),
})

type Readers = {
  readonly [Name in keyof ServerPayloads]: (payload: Unread<ServerPayloads[Name]>) => object
} & { readonly OTHER: (payload: Fields) => Fields }

/**
 * Reads the payload of each event that a server sends (contract/messaging.md, Events). What is missing or of a wrong
 * type becomes empty: a server cannot make a reader fail. `AI` stands for the brand's word. Names and fields are those
 * of the AsyncAPI document: others do not compile.
 */
export const READERS = {
  SESSION_START(payload) {
    const capabilities: Unread<ServerPayloads['SESSION_START']['capabilities']> = fieldsOf(
      payload.capabilities,
    )
    return {
      streaming: flag(capabilities, 'streaming'),
      maxMessageBytes: number(capabilities, 'max_message_size_bytes'),
      maxReconnectAttempts: number(capabilities, 'max_reconnect_attempts'),
      heartbeatSeconds: number(capabilities, 'heartbeat_interval_seconds'),
      contextId: text(payload, 'context_id'),
      files: takenOf(capabilities),
    }
  },
  REQUEST_AI_AGENT_JOIN: nothing,
  USER_MESSAGE: payload => ({
    messageId: text(payload, 'message_id'),
    text: text(payload, 'text'),
    files: filesOf(payload),
  }),
  USER_END_SESSION: nothing,
  AI_AGENT_JOINED: payload => ({
    name: text(payload, 'agent_name'),
    avatarUrl: text(payload, 'agent_avatar_url'),
  }),
  AI_AGENT_THINKING: nothing,
  AI_AGENT_MESSAGE: contentOf,
  AI_AGENT_MESSAGE_CHUNK: payload => ({
    ...contentOf(payload),
    index: number(payload, 'chunk_index') ?? 0,
    isComplete: flag(payload, 'is_complete'),
  }),
  AI_AGENT_TRIGGERED_HANDOFF: nothing,
  AI_AGENT_LEFT: nothing,
  HANDOFF_ACCEPTED: payload => ({ queue: text(payload, 'queue_name') }),
  HANDOFF_QUEUE_STATUS: payload => ({
    queue: text(payload, 'queue_name'),
    /** From 1; null when it is not known. */
    position: number(payload, 'position_in_queue'),
    /** Null when it is not known. */
    estimatedWaitSeconds: number(payload, 'estimated_wait_seconds'),
    /** Words for the visitor; empty for none. */
    message: text(payload, 'display_message'),
  }),
  HANDOFF_FAILED: payload => ({ reason: text(payload, 'reason') }),
  HANDOFF_TIMEOUT: nothing,
  CLIENT_HANDOFF_REQUIRED: payload => ({
    reason: text(payload, 'reason'),
    queue: text(payload, 'queue_name'),
    route: text(payload, 'route'),
  }),
  LIVE_AGENT_JOINED(payload) {
    const agent: Unread<ServerPayloads['LIVE_AGENT_JOINED']['agent']> = fieldsOf(payload.agent)
    return { id: text(agent, 'id'), name: text(agent, 'name'), avatarUrl: text(agent, 'avatar_url') }
  },
  LIVE_AGENT_MESSAGE: payload => ({ ...contentOf(payload), files: filesOf(payload) }),
  LIVE_AGENT_TYPING: payload => ({
    agentId: text(payload, 'agent_id'),
    typing: /started$/i.test(text(payload, 'state')),
  }),
  LIVE_AGENT_LEFT: payload => ({ reason: text(payload, 'reason') }),
  LANGUAGE_CHANGED: payload => ({ language: text(payload, 'language_code') }),
  SYSTEM_MESSAGE: payload => ({
    level: levelOf(text(payload, 'level')),
    message: text(payload, 'message'),
  }),
  SESSION_IDLE_WARNING: nothing,
  SESSION_END: payload => ({ reason: text(payload, 'reason') }),
  HEARTBEAT: nothing,
  /** An event that this version does not know. */
  OTHER: (payload: Fields) => payload,
} satisfies Readers

/** Severity of a message of the server. */
export type Level = 'info' | 'warning' | 'error'

const levelOf = (wire: string): Level =>
  wire.endsWith('ERROR') ? 'error' : wire.endsWith('WARNING') ? 'warning' : 'info'

/** The names of events, without `EVENT_TYPE_`. */
export type EventName = keyof typeof READERS

/** Payload of each event. */
export type EventPayloads = { readonly [Name in EventName]: ReturnType<(typeof READERS)[Name]> }

/** Events of a conversation, by name. */
export type ServerEvents = {
  readonly [Name in EventName]: {
    readonly name: Name
    /** The name on the wire. */
    readonly type: string
    /** The event's place in the session's log, from 1; null for what is not kept. */
    readonly sequence: number | null
    /** ISO 8601, by the server's clock. */
    readonly timestamp: string
    /** The id that a client gave the event which this one echoes or answers; empty for none. */
    readonly clientEventId: string
    readonly payload: EventPayloads[Name]
  }
}

/** An event that a server sent, read. */
export type ServerEvent<Name extends EventName = EventName> = ServerEvents[Name]

export const isEventName = (name: string): name is EventName => Object.hasOwn(READERS, name)
