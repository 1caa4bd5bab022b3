import { createFieldClient } from '@colloquy/core/testing'
import { z } from 'zod'

/** An event as the server promises it (contract/messaging.md, Envelope). */
const eventSchema = z.strictObject({
  id: z.uuid(),
  sequence: z.int().positive().nullable(),
  timestamp: z.iso.datetime({ precision: 3 }),
  type: z.string().startsWith('EVENT_TYPE_'),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.strictObject({ custom: z.record(z.string(), z.string()) }).exactOptional(),
})
export type WireEvent = z.output<typeof eventSchema>

const batchSchema = z.object({ events: z.array(eventSchema) })
const chunkSchema = z.object({ message_id: z.string(), text: z.string(), chunk_index: z.int().positive() })

/** The events that a frame carries: those of a batch, or the one that it is. */
export function readFrame(text: string): { readonly events: readonly WireEvent[]; readonly batch: boolean } {
  const event = eventSchema.parse(JSON.parse(text))
  if (event.type !== 'EVENT_TYPE_EVENT_BATCH') return { events: [event], batch: false }
  return { events: batchSchema.parse(event.payload).events, batch: true }
}

/** The client's own id of an event that it sent. */
export const clientEventIdOf = (event: WireEvent): string | null =>
  event.metadata?.custom.client_event_id ?? null

/** Everything that a visitor was sent of a session, and every promise that was broken on the way. */
export interface Journal {
  /** The log as far as it came, in order. */
  readonly events: readonly WireEvent[]
  /** Number of replies of the AI agent among them. */
  readonly replyCount: number
  /** The stated failures of what the visitor has sent and the log has not, by its own id. */
  readonly failures: ReadonlyMap<string, string>
  /** In words; empty when all is well. */
  readonly faults: readonly string[]
  /** Echoes that came once more because the event was sent once more. */
  readonly echoesAgain: number
  /** Takes an event. @param resent the ids of the events that were sent again over this connection */
  take(event: WireEvent, resent: ReadonlySet<string>): void
  /** The texts of the agent's replies, the streamed ones put together by index. */
  replies(): readonly string[]
  /** The same as a client of the field has them, which puts them together in its own way. */
  fieldReplies(): readonly string[]
  /** Takes a frame for that client. */
  takeFrame(text: string): void
}

/** An empty journal. Long because each fault that a journal can have is one check. */
export function createJournal(): Journal {
  const events: WireEvent[] = []
  const failures = new Map<string, string>()
  const faults: string[] = []
  const streams = new Map<string, Map<number, string>>()
  const field = createFieldClient()
  let echoesAgain = 0
  let replyCount = 0

  const takeChunk = (event: WireEvent): void => {
    const { message_id, text, chunk_index } = chunkSchema.parse(event.payload)
    const chunks = streams.get(message_id) ?? new Map<number, string>()
    const known = chunks.get(chunk_index)
    if (known !== undefined && known !== text)
      faults.push(`chunk ${chunk_index} of ${message_id} was ${known} and is now ${text}`)
    streams.set(message_id, chunks.set(chunk_index, text))
  }

  const takeKnown = (event: WireEvent, known: WireEvent, resent: ReadonlySet<string>): void => {
    if (event.id !== known.id) faults.push(`event ${event.sequence} was ${known.id} and is now ${event.id}`)
    if (resent.has(clientEventIdOf(event) ?? '')) echoesAgain += 1
    else faults.push(`event ${event.sequence} (${event.type}) came twice`)
  }

  const assemble = (event: WireEvent): string => {
    if (event.type === 'EVENT_TYPE_AI_AGENT_MESSAGE') return String(event.payload.text)
    const { message_id, chunk_index } = chunkSchema.parse(event.payload)
    const chunks = streams.get(message_id)
    return Array.from({ length: chunk_index }, (_, index) => chunks?.get(index + 1) ?? '<missing>').join('')
  }

  return {
    events,
    failures,
    faults,
    get replyCount() {
      return replyCount
    },
    get echoesAgain() {
      return echoesAgain
    },
    take(event, resent) {
      if (event.type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK') takeChunk(event)
      if (event.type === 'EVENT_TYPE_SYSTEM_MESSAGE')
        failures.set(clientEventIdOf(event) ?? '', String(event.payload.message))
      // A chunk of a reply that goes on carries the sequence of an event before it, and is in no log.
      if (event.sequence === null || event.payload.is_complete === false) return
      const known = events[event.sequence - 1]
      if (known !== undefined) takeKnown(event, known, resent)
      else if (event.sequence === events.length + 1) {
        events.push(event)
        failures.delete(clientEventIdOf(event) ?? '')
        if (isReply(event)) replyCount += 1
      } else faults.push(`event ${event.sequence} came after ${events.length}`)
    },
    replies: () => events.filter(isReply).map(assemble),
    fieldReplies: () =>
      events
        .filter(isReply)
        .map(({ type, payload }) =>
          type === 'EVENT_TYPE_AI_AGENT_MESSAGE'
            ? String(payload.text)
            : field.textOf(String(payload.message_id)),
        ),
    takeFrame: text => field.take(eventSchema.parse(JSON.parse(text))),
  }
}

/** True for what the AI agent has said, its greeting included. */
const isReply = ({ type }: WireEvent): boolean =>
  type === 'EVENT_TYPE_AI_AGENT_MESSAGE' || type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK'
