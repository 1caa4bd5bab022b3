import * as z from 'zod'
import {
  JOURNALED_EVENT_TYPES,
  type JournaledEventType,
  TRANSIENT_EVENT_TYPES,
} from '../domain/conversation/event.ts'
import { EVENT_PAYLOADS } from '../domain/conversation/event-payloads.ts'
import { CLIENT_PAYLOADS, metadataSchema } from './client-frame.ts'
import {
  CLIENT_EVENT_TYPES,
  type ClientEventType,
  EVENT_TYPES,
  type EventNames,
  type EventType,
  isUnsaid,
  UNSAID_EVENT_TYPES,
  type UnsaidEventType,
} from './event-names.ts'

/** The events that no visitor is sent. */
const UNSENT: ReadonlySet<EventType> = new Set([
  'USER_TYPING',
  'USER_PRESENCE',
  'DESK_NOTE',
  'DESK_SUMMARY',
  ...UNSAID_EVENT_TYPES,
])

/** The events that a visitor's client is sent. */
export const SERVER_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter(type => !UNSENT.has(type))

const isJournaled = (type: EventType): type is JournaledEventType =>
  JOURNALED_EVENT_TYPES.some(one => one === type)

const isTransient = (type: EventType): boolean => TRANSIENT_EVENT_TYPES.some(one => one === type)

/**
 * Returns a position in the session's log; null for what no log keeps. An incomplete chunk has the one before its
 * reply's.
 */
function sequenceOf(type: EventType): z.ZodType {
  if (!isJournaled(type)) return z.null()
  return isTransient(type) ? z.int().min(0).nullable() : z.int().min(1)
}

const payloadOf = (type: Exclude<EventType, 'EVENT_BATCH' | UnsaidEventType>): z.ZodType =>
  EVENT_PAYLOADS[type]

/** One event that the server sends; of a batch those that it holds. */
function frameOf(type: EventType, names: EventNames, payload: z.ZodType) {
  return z
    .object({
      id: z.uuid(),
      sequence: sequenceOf(type),
      /** ISO 8601 in UTC with milliseconds. */
      timestamp: z.iso.datetime({ precision: 3 }),
      type: z.literal(names.wire(type)),
      payload,
      /** The client's own of the event that this one echoes or answers. */
      metadata: z.object({ custom: z.record(z.string(), z.string()) }).exactOptional(),
    })
    .meta({ id: names.wire(type) })
}

/** Every frame of the server, by short name (contract/messaging.md, Envelope; MS42). */
export function serverFrames(names: EventNames): ReadonlyMap<EventType, z.ZodType> {
  const frames = new Map<EventType, z.ZodType>()
  for (const type of SERVER_EVENT_TYPES)
    if (type !== 'EVENT_BATCH' && !isUnsaid(type)) frames.set(type, frameOf(type, names, payloadOf(type)))
  const kept = [...frames].flatMap(([type, frame]) => (isJournaled(type) ? [frame] : []))
  const batch = z.object({ events: z.array(z.union(kept)).readonly() })
  return new Map([['EVENT_BATCH', frameOf('EVENT_BATCH', names, batch)] as const, ...frames])
}

/** Every frame of a visitor's client, by short name (contract/messaging.md, Envelope; MS42). */
export const clientFrames = (names: EventNames): ReadonlyMap<ClientEventType, z.ZodType> =>
  new Map(
    CLIENT_EVENT_TYPES.map(type => {
      const payload: z.ZodType = CLIENT_PAYLOADS[type]
      const isNeeded = !payload.safeParse({}).success
      const frame = z.object({
        type: z.literal(names.wire(type)),
        payload: isNeeded ? payload : payload.nullish(),
        metadata: metadataSchema,
      })
      return [type, frame.meta({ id: `${names.wire(type)}.client` })] as const
    }),
  )
