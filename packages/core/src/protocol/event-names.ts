import {
  JOURNALED_EVENT_TYPES,
  type JournaledEventType,
  TRANSIENT_EVENT_TYPES,
  type TransientEventType,
} from '../domain/conversation/event.ts'

/** The events that a visitor's client may send, by short names. */
export const CLIENT_EVENT_TYPES = [
  'HEARTBEAT',
  'REQUEST_AI_AGENT_JOIN',
  'USER_MESSAGE',
  'USER_TYPING',
  'USER_END_SESSION',
  'SET_CONTEXT',
  'LINK_TO_WEBRTC_CONVERSATION',
] as const
export type ClientEventType = (typeof CLIENT_EVENT_TYPES)[number]

/** Events of a client that no log keeps and nobody is sent. */
export const UNSAID_EVENT_TYPES = ['SET_CONTEXT', 'LINK_TO_WEBRTC_CONVERSATION'] as const
export type UnsaidEventType = (typeof UNSAID_EVENT_TYPES)[number]

/** The short name of anything that goes over the socket. */
export type EventType = JournaledEventType | TransientEventType | 'EVENT_BATCH' | UnsaidEventType

/** All events of the socket. */
export const EVENT_TYPES: readonly EventType[] = [
  'EVENT_BATCH',
  ...new Set<EventType>([...JOURNALED_EVENT_TYPES, ...TRANSIENT_EVENT_TYPES, ...UNSAID_EVENT_TYPES]),
]

/** Short names of events and their names on the wire, for one brand (MS42). */
export interface EventNames {
  /** `EVENT_TYPE_…`, with the brand's word in place of `AI` in `AI_AGENT`. */
  wire(type: EventType): string
  /** Returns the name as JSON, which every frame has. */
  quoted(type: EventType): string
  /** Null for a name that no event has. */
  short(wire: string): EventType | null
}

/** @param word the brand's word for events, spelt in capitals on the wire */
export function createEventNames(word: string): EventNames {
  const agent = `${word.toUpperCase()}_AGENT`
  const wireNames = new Map(EVENT_TYPES.map(type => [type, `EVENT_TYPE_${brandName(type, agent)}`]))
  const quotedNames = new Map([...wireNames].map(([type, name]) => [type, JSON.stringify(name)]))
  const shortNames = new Map([...wireNames].map(([type, name]) => [name, type]))
  return {
    wire: type => wireNames.get(type) ?? `EVENT_TYPE_${type}`,
    quoted: type => quotedNames.get(type) ?? JSON.stringify(`EVENT_TYPE_${type}`),
    short: wire => shortNames.get(wire) ?? null,
  }
}

/** `AI_AGENT` at the start of a name or behind an underscore: the one place of the brand's word. */
const brandName = (type: EventType, agent: string): string => type.replace(/(^|_)AI_AGENT/, `$1${agent}`)

/** True for what a client may send. */
export const isClientEventType = (type: EventType): type is ClientEventType =>
  CLIENT_EVENT_TYPES.some(allowed => allowed === type)

/** True for what is sent by clients alone, and kept in no log. */
export const isUnsaid = (type: EventType): type is UnsaidEventType =>
  UNSAID_EVENT_TYPES.some(one => one === type)
