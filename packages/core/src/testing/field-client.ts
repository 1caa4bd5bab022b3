import * as z from 'zod'

const eventSchema = z.object({
  id: z.string(),
  sequence: z.number().nullable(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
})

/** The fields of a frame that a client reads. */
export type FieldEvent = Readonly<z.output<typeof eventSchema>>

const batchSchema = z.object({ events: z.array(eventSchema) })

/**
 * A visitor's client as it is in the field (contract/messaging.md, Streaming): sorts a batch by sequence, those without
 * one last; leaves out an event whose id it has had, but only where it has a sequence; and appends the texts of chunks
 * in order of arrival, regardless of their indexes. One client takes the frames of all its connections, one after the
 * other or at once.
 */
export interface FieldClient {
  /** Applies a frame. Batches are unpacked. */
  take(frame: FieldEvent): void
  /** True once a live agent has left or the session has ended: the visitor cannot write until `SESSION_START` comes. */
  readonly hasEnded: boolean
  /** The newest sequence that came: what it asks for when it connects again; 0 at first. */
  readonly cursor: number
  /** The streamed replies as they stand on its screen, those that were never completed included. */
  texts(): readonly string[]
  /** One of them; empty for one of which nothing came. */
  textOf(messageId: string): string
}

const placeOf = ({ sequence }: FieldEvent): number => sequence ?? Number.MAX_SAFE_INTEGER

const bySequence = (one: FieldEvent, other: FieldEvent): number => placeOf(one) - placeOf(other)

/** Returns a client that has had nothing yet. */
export function createFieldClient(): FieldClient {
  const had = new Set<string>()
  const texts = new Map<unknown, string>()
  let cursor = 0
  let hasEnded = false

  function show({ id, sequence, type, payload }: FieldEvent): void {
    if (sequence !== null) {
      if (had.has(id)) return
      cursor = Math.max(cursor, sequence)
    }
    had.add(id)
    if (/_(?:LIVE_AGENT_LEFT|SESSION_END)$/.test(type)) hasEnded = true
    else if (type.endsWith('_SESSION_START')) hasEnded = false
    if (!type.endsWith('_AGENT_MESSAGE_CHUNK')) return
    const { message_id: messageId, text } = payload
    texts.set(messageId, `${texts.get(messageId) ?? ''}${text}`)
  }

  return {
    take(frame) {
      if (!frame.type.endsWith('_EVENT_BATCH')) return show(frame)
      const { events } = batchSchema.parse(frame.payload)
      for (const event of events.toSorted(bySequence)) show(event)
    },
    get hasEnded() {
      return hasEnded
    },
    get cursor() {
      return cursor
    },
    texts: () => [...texts.values()],
    textOf: messageId => texts.get(messageId) ?? '',
  }
}
