import type { JsonObject } from '../json.ts'
import type { StoredJson } from '../stored-json.ts'

/**
 * The events that a conversation's log holds, by their short names (contract/messaging.md, Events).
 * `AI_AGENT` stands for the brand word's agent; the wire name is made at the edge.
 */
export const JOURNALED_EVENT_TYPES = [
  'SESSION_START',
  'REQUEST_AI_AGENT_JOIN',
  'USER_MESSAGE',
  'USER_END_SESSION',
  'AI_AGENT_JOINED',
  'AI_AGENT_MESSAGE',
  'AI_AGENT_MESSAGE_CHUNK',
  'AI_AGENT_TRIGGERED_HANDOFF',
  'AI_AGENT_LEFT',
  'HANDOFF_ACCEPTED',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'CLIENT_HANDOFF_REQUIRED',
  'LIVE_AGENT_JOINED',
  'LIVE_AGENT_MESSAGE',
  'LIVE_AGENT_LEFT',
  'LANGUAGE_CHANGED',
  'SESSION_END',
] as const

/** Events without a sequence: never kept, never replayed (contract/messaging.md, Envelope). */
export const TRANSIENT_EVENT_TYPES = [
  'HEARTBEAT',
  'USER_TYPING',
  'USER_PRESENCE',
  'DESK_NOTE',
  'DESK_SUMMARY',
  'AI_AGENT_THINKING',
  'AI_AGENT_MESSAGE_CHUNK',
  'HANDOFF_QUEUE_STATUS',
  'LIVE_AGENT_TYPING',
  'SYSTEM_MESSAGE',
  'SESSION_IDLE_WARNING',
] as const

export type JournaledEventType = (typeof JOURNALED_EVENT_TYPES)[number]
export type TransientEventType = (typeof TRANSIENT_EVENT_TYPES)[number]

/** `metadata.custom` of a client's event: kept and echoed unchanged. */
export type CustomMetadata = Readonly<Record<string, string>>

/** An event on its way into the log. Its sequence is given by its position there. */
export interface NewEvent {
  /** UUID. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly type: JournaledEventType
  /** As on the wire; a finished stream carries `chunks`, the texts before its last chunk, which the edge unfolds. */
  readonly payload: JsonObject
  readonly custom: CustomMetadata | null
  /** The client's own id of the event: at most one event of a conversation carries it. */
  readonly clientEventId: string | null
  /**
   * A second such id, for clients that give two: sent again with either of them, the event is the same. @default null
   */
  readonly localId?: string | null
}

const NO_IDS: readonly string[] = []

/** Returns the ids under which a client may send an event again; at most one event of a conversation carries each. */
export function clientIds({
  clientEventId,
  localId = null,
}: Pick<NewEvent, 'clientEventId' | 'localId'>): readonly string[] {
  if (clientEventId === null) return localId === null ? NO_IDS : [localId]
  return localId === null || localId === clientEventId ? [clientEventId] : [clientEventId, localId]
}

/** An event of the log. Sequences of a conversation start at 1 and have no gap. */
export interface ConversationEvent extends NewEvent {
  readonly sequence: number
}

/** An event as a store hands it on: its payload is not parsed where only its text is needed. */
export interface EventJson extends Omit<ConversationEvent, 'payload'> {
  readonly payload: StoredJson<JsonObject>
}

/** Returns the event of a store's. */
export const eventOf = ({ payload, ...event }: EventJson): ConversationEvent => ({
  ...event,
  payload: payload.value,
})

/** An event that a decision adds to the log; the engine gives it time, sequence and, unless it has one, its id. */
export interface EventDraft {
  readonly type: JournaledEventType
  readonly payload: JsonObject
  readonly custom: CustomMetadata | null
  readonly clientEventId: string | null
  readonly localId?: string | null
  /** @default a fresh one */
  readonly id?: string
}

/** An event for the connections that are open now. */
export interface TransientEvent {
  readonly type: TransientEventType
  readonly payload: JsonObject
  readonly custom: CustomMetadata | null
  /** The one connection it is for; null: every connection of the conversation. */
  readonly to: string | null
  /**
   * Connections that came after this event of the log get it as well: the addressed one may have come back as one of
   * them. If omitted, none does.
   */
  readonly orSince?: number
}
