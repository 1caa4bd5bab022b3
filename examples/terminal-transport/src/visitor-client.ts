import { randomUUID } from 'node:crypto'
import { z } from 'zod'

const eventSchema = z.object({
  sequence: z.number().nullable(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.object({ custom: z.record(z.string(), z.string()) }).optional(),
})

/** An event as the platform sends it. */
export type ServerEvent = z.output<typeof eventSchema>

const batchSchema = z.object({ events: z.array(eventSchema) })

/** State that a client of a session must remember, whatever connects it (TT2). */
export interface VisitorClient {
  /** The sequence of the newest event that came; 0 for none. */
  readonly cursor: number
  /** Frames that were sent and have not come back. They are sent again over the next connection, in order. */
  readonly unconfirmed: readonly string[]
  /** A frame that takes effect once, however often it is sent. */
  compose(type: string, payload?: Readonly<Record<string, unknown>>): string
  /** The events of a frame that were not there before, in order. */
  take(frame: string): readonly TakenEvent[]
}

/** An event that has come. */
export type TakenEvent = ServerEvent & {
  /** It is the echo of what this client has sent. */
  readonly own: boolean
}

/** Puts the word of the host's brand into the name of an event of the agent, or takes it out. */
function renamed(type: string, from: string, to: string): string {
  for (const start of ['EVENT_TYPE_', 'EVENT_TYPE_REQUEST_']) {
    const name = `${start}${from}_AGENT`
    if (type.startsWith(name)) return `${start}${to}_AGENT${type.slice(name.length)}`
  }
  return type
}

/** @param brand the host's word in names of events; those of this client have `AI` */
export function createVisitorClient(brand = 'AI'): VisitorClient {
  const word = brand.toUpperCase()
  const unconfirmed = new Map<string, string>()
  let cursor = 0

  /** Empty for what was there before. */
  const accept = (event: ServerEvent): readonly TakenEvent[] => {
    const id = event.metadata?.custom.client_event_id
    const own = id !== undefined && unconfirmed.delete(id)
    // A chunk before the last one is in no log: its sequence is that of an event before the reply. The screen puts
    // chunks in order.
    const sequence = event.payload.is_complete === false ? null : event.sequence
    if (sequence !== null && sequence <= cursor) return []
    cursor = sequence ?? cursor
    return [{ ...event, type: renamed(event.type, word, 'AI'), own }]
  }

  return {
    get cursor() {
      return cursor
    },
    get unconfirmed() {
      return [...unconfirmed.values()]
    },
    compose(type, payload = {}) {
      const id = randomUUID()
      const frame = JSON.stringify({
        type: renamed(type, 'AI', word),
        payload,
        metadata: { custom: { client_event_id: id } },
      })
      unconfirmed.set(id, frame)
      return frame
    },
    take(frame) {
      const event = eventSchema.parse(JSON.parse(frame))
      const batch = event.type === 'EVENT_TYPE_EVENT_BATCH'
      return (batch ? batchSchema.parse(event.payload).events : [event]).flatMap(accept)
    },
  }
}
