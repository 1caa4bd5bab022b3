import type { Clock } from '../../ports/clock.ts'
import { CLOSE_CODES, CLOSE_TEXTS, type CloseReason } from '../../protocol/close-codes.ts'
import { STREAM_PING, streamClose, streamFrame, streamOpening } from '../../protocol/event-stream.ts'
import type { Connection, ConnectionPort } from './connection-port.ts'

/** Characters that may wait for a slow reader beside the newest frame (MS25). */
const MOST_WAITING = 1_048_576

/**
 * The time between pings of a stream, milliseconds. Proxies close a connection that is silent for a minute, or half of
 * one.
 */
const PING_INTERVAL = 15_000

/** Intervals in which a reader may take nothing of what waits for it. */
const STALLED_PINGS = 2

/** The time that a reader has for the rest of a stream that has ended, milliseconds. */
const CLOSE_TIMEOUT = 30_000

/** An answer that is read as it comes about. */
export interface LiveAnswer {
  /** Ends when the stream is closed. Its iterator's `return` says that the reader is gone, at any time. */
  readonly chunks: AsyncIterable<string>
  /** Aborts when the reader does not read: its connection is to be cut off. */
  readonly cutOff: AbortSignal
}

const DONE = { done: true, value: undefined } as const

/**
 * A visitor's connection whose frames are read as a stream of events (ES1 to ES5). Frames wait here until the reader
 * takes them, all at once. So the waiting frames show how far the reader is behind. One reader.
 */
export class EventStream implements ConnectionPort, LiveAnswer {
  readonly #clock: Pick<Clock, 'schedule'>
  readonly #cut = new AbortController()
  readonly #left: (stream: EventStream) => void
  #connection: Connection | null = null
  #waiting: string[] = []
  #length = 0
  #open = true
  #over = false
  #stalled = 0
  #disarm: () => void
  /** Waits for something to read. */
  #reader: ((result: IteratorResult<string, undefined>) => void) | null = null
  /** Callers that wait until everything is read. */
  #emptied: (() => void)[] = []

  /** @param left told once the stream is over, for whatever reason */
  constructor(clock: Pick<Clock, 'schedule'>, left: (stream: EventStream) => void) {
    this.#clock = clock
    this.#left = left
    this.#disarm = clock.schedule(PING_INTERVAL, () => this.#ping())
  }

  get cutOff(): AbortSignal {
    return this.#cut.signal
  }

  get chunks(): AsyncIterable<string> {
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => this.#next(),
        return: async () => {
          this.#end()
          return DONE
        },
      }),
    }
  }

  /** Sets the connection whose port this is. Something may have been sent, or closed, before it is known. */
  belongsTo(connection: Connection): this {
    this.#connection = connection
    this.#waiting.unshift(streamOpening(connection.id))
    if (this.#over) connection.closed()
    return this
  }

  send(frame: string, cursor: number): void {
    if (!this.#open) return
    if (this.#length > MOST_WAITING) this.#shut('too_slow')
    else this.#add(streamFrame(frame, cursor))
  }

  close(code: number, reason: string): void {
    if (!this.#open) return
    this.#open = false
    this.#add(streamClose(code, reason))
    this.#cutOffIn(CLOSE_TIMEOUT)
  }

  async drained(): Promise<void> {
    // A reader that waits has released all that it took.
    if (this.#over || this.#reader !== null) return
    await new Promise<void>(resolve => {
      this.#emptied.push(resolve)
    })
  }

  /**
   * Ends the stream because the server shuts down. Resolves when it is over, after `patience` milliseconds at the
   * latest.
   */
  async goAway(patience: number): Promise<void> {
    this.#shut('going_away')
    if (!this.#over) this.#cutOffIn(patience)
    while (!this.#over)
      await new Promise<void>(resolve => {
        this.#emptied.push(resolve)
      })
    await this.#connection?.settled()
  }

  #shut(reason: CloseReason): void {
    this.close(CLOSE_CODES[reason], CLOSE_TEXTS[reason])
  }

  #add(text: string): void {
    this.#waiting.push(text)
    this.#length += text.length
    if (this.#reader === null) return
    const reader = this.#reader
    this.#reader = null
    // All other events of this tick are sent with it.
    queueMicrotask(() => reader(this.#take()))
  }

  #take(): IteratorResult<string, undefined> {
    if (this.#over) return DONE
    if (this.#waiting.length === 0) {
      this.#end()
      return DONE
    }
    const value = this.#waiting.join('')
    this.#waiting = []
    this.#length = 0
    this.#stalled = 0
    return { done: false, value }
  }

  #next(): Promise<IteratorResult<string, undefined>> {
    // The reader comes back when what it took has left.
    if (this.#waiting.length === 0) this.#wake()
    if (this.#over || this.#waiting.length > 0 || !this.#open) return Promise.resolve(this.#take())
    return new Promise(resolve => {
      this.#reader = resolve
    })
  }

  #wake(): void {
    const emptied = this.#emptied
    this.#emptied = []
    for (const resolve of emptied) resolve()
  }

  #ping(): void {
    this.#disarm = this.#clock.schedule(PING_INTERVAL, () => this.#ping())
    if (this.#waiting.length === 0) {
      this.#connection?.refresh()
      if (this.#waiting.length === 0) this.#add(STREAM_PING)
      return
    }
    this.#stalled++
    if (this.#stalled > STALLED_PINGS) this.#cutOffNow()
  }

  #cutOffIn(patience: number): void {
    this.#disarm()
    this.#disarm = this.#clock.schedule(patience, () => this.#cutOffNow())
  }

  #cutOffNow(): void {
    this.#end()
    this.#cut.abort()
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.#open = false
    this.#disarm()
    this.#waiting = []
    this.#reader?.(DONE)
    this.#reader = null
    this.#wake()
    this.#connection?.closed()
    this.#left(this)
  }
}
