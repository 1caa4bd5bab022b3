import type { Clock } from '../../ports/clock.ts'
import { EventStream, type LiveAnswer } from './event-stream.ts'
import type { Handshake } from './handshake.ts'

/** The time that `endAll` waits for readers, milliseconds. An endpoint of sockets waits as long when it closes. */
const PATIENCE = 3_000

/** A connection to open over the port of a stream: a visitor's, or the desk of a live agent. */
type Opened = Pick<Handshake, 'open'>

/** The streams of this process. */
export interface Streams {
  /** Opens an admitted connection as a stream. Not after `endAll`. */
  open(admitted: Opened): LiveAnswer
  /** Ends every stream with 1001, and resolves when their connections are over. No other is opened after it (ES10). */
  endAll(): Promise<void>
  /** True from the moment `endAll` is called. */
  readonly ended: boolean
}

export function createStreams(clock: Pick<Clock, 'schedule'>): Streams {
  const streams = new Set<EventStream>()
  let ending: Promise<void> | null = null
  const endEach = async (): Promise<void> => {
    await Promise.all(Array.from(streams, stream => stream.goAway(PATIENCE)))
  }
  return {
    get ended() {
      return ending !== null
    },
    open(admitted) {
      const stream = new EventStream(clock, left => streams.delete(left))
      streams.add(stream)
      return stream.belongsTo(admitted.open(stream))
    },
    endAll() {
      ending ??= endEach()
      return ending
    },
  }
}
