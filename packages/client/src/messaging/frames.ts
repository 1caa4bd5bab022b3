import { type EventName, isEventName, READERS, type ServerEvent } from './events.ts'
import { type Fields, fieldsOf, list, number, text } from './fields.ts'
import type { ClientPayloads } from './wire.ts'

/** A frame of the server, read. */
export interface Frame {
  /** It is a batch: the first frame of a connection, or more of a long log. */
  readonly isBatch: boolean
  readonly events: readonly ServerEvent[]
}

const PREFIX = 'EVENT_TYPE_'

/** @param brand the word that stands for `AI` in `AI_AGENT` on the wire, in capitals */
export const wireName = (name: EventName | keyof ClientPayloads, brand: string): string =>
  PREFIX + name.replace(/(^|_)AI_AGENT/, `$1${brand}_AGENT`)

function nameOf(type: string, brand: string): string {
  const name = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : ''
  if (brand === 'AI') return name
  const word = `_${brand}_AGENT`
  const at = `_${name}`.indexOf(word)
  return at === -1 ? name : `${name.slice(0, at)}AI_AGENT${name.slice(at + word.length - 1)}`
}

function readEvent(fields: Fields, brand: string): ServerEvent {
  const type = text(fields, 'type')
  const known = nameOf(type, brand)
  const name = isEventName(known) ? known : 'OTHER'
  const event = {
    name,
    type,
    sequence: number(fields, 'sequence'),
    timestamp: text(fields, 'timestamp'),
    clientEventId: text(fieldsOf(fieldsOf(fields.metadata).custom), 'client_event_id'),
    payload: READERS[name](fieldsOf(fields.payload)),
  }
  // The reader belongs to the name.
  return event as ServerEvent
}

/** Null for what is not JSON. */
export function readFrame(json: string, brand: string): Frame | null {
  try {
    const frame = fieldsOf(JSON.parse(json))
    const isBatch = frame.type === `${PREFIX}EVENT_BATCH`
    const events = isBatch ? list(fieldsOf(frame.payload), 'events') : [frame]
    return { isBatch, events: events.map(event => readEvent(event, brand)) }
  } catch {
    return null
  }
}

/** Returns a frame of the client. With an id it takes effect once in its session, however often it is sent. */
export const writeFrame = <Name extends keyof ClientPayloads>(
  name: Name,
  payload: ClientPayloads[Name],
  brand: string,
  id?: string,
): string =>
  JSON.stringify({
    type: wireName(name, brand),
    payload,
    ...(id === undefined ? {} : { metadata: { custom: { client_event_id: id } } }),
  })
