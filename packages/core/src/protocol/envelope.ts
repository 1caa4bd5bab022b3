import { payloadText } from '../domain/conversation/decided-event.ts'
import type { CustomMetadata, EventJson } from '../domain/conversation/event.ts'
import type { JsonObject } from '../domain/json.ts'
import { isoTime } from '../domain/time.ts'
import type { EventNames, EventType } from './event-names.ts'

/** An event as a client gets it, before it is text. */
export interface ServerEvent {
  readonly id: string
  /** Null for events that no log keeps. */
  readonly sequence: number | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly type: EventType
  readonly payload: JsonObject
  readonly custom: CustomMetadata | null
}

/** Returns the server's envelope as JSON text (contract/messaging.md, Envelope; MS42). */
export function eventText(event: ServerEvent, names: EventNames): string {
  return envelopeText(event, names, payloadText(event))
}

/** Returns the envelope of a stored event as JSON text: its payload is copied unchanged. */
export function storedEventText(event: EventJson, names: EventNames): string {
  return envelopeText(event, names, event.payload.text)
}

function envelopeText(event: Omit<ServerEvent, 'payload'>, names: EventNames, payload: string): string {
  const { id, sequence, at, type, custom } = event
  const metadata = custom === null ? '' : `,"metadata":{"custom":${JSON.stringify(custom)}}`
  return `{"id":${JSON.stringify(id)},"sequence":${sequence},"timestamp":"${isoTime(at)}","type":${names.quoted(type)},"payload":${payload}${metadata}}`
}

/** Returns an `EVENT_BATCH` of events that are text already. */
export function batchText(
  batch: { readonly id: string; readonly at: number; readonly events: readonly string[] },
  names: EventNames,
): string {
  const head = { id: batch.id, sequence: null, at: batch.at, type: 'EVENT_BATCH', custom: null } as const
  return envelopeText(head, names, `{"events":[${batch.events.join(',')}]}`)
}
