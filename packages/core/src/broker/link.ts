import { asError } from './connection.ts'

/** Timeouts, milliseconds. */
export interface Timing {
  /** Until a new connection works. */
  readonly connectTimeout: number
  /** Between two pings. */
  readonly pingInterval: number
  /** Until a ping is answered. */
  readonly pingTimeout: number
}

/** A connection that can be opened, pinged and ended. Promises may reject. */
export interface Kept {
  open(): Promise<void>
  ping(): Promise<void>
  destroy(): void
}

/** The parts of a link. */
export interface LinkOptions<One extends Kept> {
  /** Makes a connection, which is then opened. @param ended called at least once when it has ended */
  connect(ended: (error: Error) => void): One
  readonly timing: Timing
  /** There is a connection, and it works. */
  up(connection: One): void
  /** A connection has ended, or could not be made. Another one is tried later. */
  down(error: Error): void
}

/** Keeps one connection, for as long as it is open. */
export interface Link<One extends Kept> {
  /** Drops a connection as dead, unless it was replaced in the meantime. */
  lose(connection: One, error: Error): void
  close(): void
}

/** The first pause between two attempts, and the longest one, milliseconds. */
const PAUSE = { first: 50, longest: 5_000 } as const

/** Grows with each attempt, and differs between processes that lost the same server. */
const pauseAfter = (attempts: number): number =>
  Math.min(PAUSE.longest, PAUSE.first * 2 ** attempts) * (0.5 + Math.random() / 2)

/** Rejects when the deadline passes first. */
function within(milliseconds: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      // A process that was suspended reads what has come meanwhile before it gives up.
      () => setImmediate(reject, new Error(`No answer within ${milliseconds} ms.`)),
      milliseconds,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(late))
  })
}

/**
 * Connects, notices that a connection is dead, also one that raises no error, and connects again, for ever, with pauses
 * that grow.
 */
export function createLink<One extends Kept>({ connect, timing, up, down }: LinkOptions<One>): Link<One> {
  let current: One | null = null
  let next: NodeJS.Timeout | undefined
  let attempts = 0
  let closed = false

  function lose(connection: One, error: Error): void {
    if (connection !== current) return
    current = null
    clearTimeout(next)
    connection.destroy()
    down(error)
    next = setTimeout(attempt, pauseAfter(attempts++))
  }

  function watch(connection: One): void {
    next = setTimeout(() => {
      within(timing.pingTimeout, connection.ping()).then(
        () => {
          if (connection !== current) return
          // Only what lasts counts as a success: one that ends at once each time is tried less and less often.
          attempts = 0
          watch(connection)
        },
        error => lose(connection, asError(error)),
      )
    }, timing.pingInterval)
    next.unref()
  }

  function attempt(): void {
    const connection = connect(error => lose(connection, error))
    current = connection
    within(timing.connectTimeout, connection.open()).then(
      () => {
        if (connection !== current) return
        watch(connection)
        up(connection)
      },
      error => lose(connection, asError(error)),
    )
  }

  attempt()
  return {
    lose,
    close() {
      if (closed) return
      closed = true
      clearTimeout(next)
      const last = current
      current = null
      last?.destroy()
    },
  }
}
