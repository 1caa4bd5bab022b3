import { Failure } from './failure.ts'
import { at, textAt } from './json.ts'

/** An event as the server sends it. */
export interface ServerEvent {
  /** Its place in the log; null for events that are in none. */
  readonly sequence: number | null
  readonly type: string
  readonly payload: unknown
  readonly metadata: unknown
}

/** Longest wait for an event, milliseconds. */
const DEADLINE = 30_000

/** Reads an event off the wire. @throws Failure */
export function readEvent(json: unknown): ServerEvent {
  const sequence = at(json, 'sequence')
  // A chunk of a reply that goes on carries the sequence of an event before it.
  const logged = typeof sequence === 'number' && at(json, 'payload.is_complete') !== false
  return {
    sequence: logged ? sequence : null,
    type: textAt(json, 'type'),
    payload: at(json, 'payload'),
    metadata: at(json, 'metadata'),
  }
}

/** What has arrived of a session: every event once, in order. */
export interface Inbox {
  /** Every replayable event so far, in order. */
  readonly journal: readonly ServerEvent[]
  /** Takes an event; one that is there already is left out. False then. */
  take(event: ServerEvent): boolean
  /** The next event of that type, counted from the last one that was waited for. @throws Failure */
  next(type: string): Promise<ServerEvent>
  /** Nothing more will come: those who wait are told why. The first reason stands. */
  end(reason: string): void
}

/** An empty inbox. */
export function createInbox(): Inbox {
  const journal: ServerEvent[] = []
  const arrived: ServerEvent[] = []
  const waiting = new Set<() => void>()
  let ended: string | null = null
  let consumed = 0

  const wake = (): void => {
    for (const look of waiting) look()
  }
  const find = (type: string): ServerEvent | null => {
    const found = arrived.findIndex((event, index) => index >= consumed && event.type === type)
    if (found !== -1) consumed = found + 1
    return arrived[found] ?? null
  }

  return {
    journal,
    take(event) {
      if (event.sequence !== null) {
        // A replay may overlap with what is here.
        if (event.sequence <= journal.length) return false
        if (event.sequence !== journal.length + 1)
          throw new Failure(`Event ${journal.length + 1} is missing: ${event.sequence} came in its place`)
        journal.push(event)
      }
      arrived.push(event)
      wake()
      return true
    },
    next: type =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void): void => {
          clearTimeout(late)
          waiting.delete(look)
          act()
        }
        const look = (): void => {
          const event = find(type)
          if (event !== null) settle(() => resolve(event))
          else if (ended !== null) settle(() => reject(new Failure(`Waited for ${type}: ${ended}`)))
        }
        const late = setTimeout(() => {
          settle(() => reject(new Failure(`No ${type} within ${DEADLINE / 1000} s`)))
        }, DEADLINE)
        waiting.add(look)
        look()
      }),
    end(reason) {
      ended ??= reason
      wake()
    },
  }
}
