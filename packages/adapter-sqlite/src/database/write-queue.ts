import { PlatformError } from '@colloquy/core'
import type { Database } from 'better-sqlite3'
import { isBusy, nextWait } from './lock-waits.ts'

/** One write that waits for its group. */
type QueuedWrite = Pick<Write<unknown>, 'run' | 'resolve' | 'reject' | 'until'>

/** A class, and no object with three functions of its own: a write is held until its group is committed. */
class Write<Result> {
  /** Deadline for waiting for another process's lock, as a value of `performance.now()`. */
  readonly until: number
  /** Settles with the write. */
  readonly written: Promise<Result>
  readonly #operation: string
  readonly #run: () => Result
  #result: { readonly is: Result } | null = null
  #resolve: (result: Result) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(operation: string, run: () => Result, until: number) {
    this.#operation = operation
    this.#run = run
    this.until = until
    this.written = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Runs inside the group's transaction; may be run twice, see {@link createWriteQueue}. */
  run(): void {
    this.#result = { is: this.#run() }
  }

  resolve(): void {
    if (this.#result !== null) this.#resolve(this.#result.is)
  }

  reject(error: unknown): void {
    this.#reject(failure(this.#operation, error))
  }
}

/**
 * A group of so many writes is committed without waiting for more. What waits is kept in memory with all that it
 * belongs to: of a thousand turns at once V8 would move nearly everything to its old generation.
 */
const FULL_GROUP = 200

/** Longest time that a group grows while every tick adds to it, milliseconds. No write waits much longer for others. */
const LONGEST_GROWTH = 4

/** Writes of one store in the order in which they came. */
export interface WriteQueue {
  /**
   * Runs the write in the transaction of this event-loop tick and of those that follow. Resolves with its result when
   * that is committed. `run` must do nothing but read and write the database: when another write of its group fails it
   * is run again.
   */
  add<Result>(operation: string, run: () => Result): Promise<Result>
  /** Calls the listener with how many writes each commit carried. */
  onCommit(listener: (writes: number) => void): void
  /** Commits what waits, and resolves when nothing does. */
  flush(): Promise<void>
}

/** Returns an error that names what failed; the driver's own is its cause. */
export function failure(operation: string, cause: unknown): Error {
  if (cause instanceof PlatformError) return cause
  if (isBusy(cause))
    return new PlatformError(
      'STORE_BUSY',
      `SQLite could not ${operation}: another process kept the database locked for longer than the busy timeout. Try again.`,
      { cause, retryAfterSeconds: 1 },
    )
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`SQLite could not ${operation}: ${message}`, { cause })
}

/** Returns the ways in which a group is written in a transaction. */
function createTransactions(database: Database) {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const savepoint = database.prepare('SAVEPOINT one_write')
  const release = database.prepare('RELEASE one_write')
  const rollbackTo = database.prepare('ROLLBACK TO one_write')

  const abandon = (): void => {
    if (database.inTransaction) rollback.run()
  }

  const together = (writes: readonly QueuedWrite[]): boolean => {
    try {
      for (const write of writes) write.run()
    } catch {
      abandon()
      return false
    }
    commit.run()
    return true
  }

  const apart = (writes: readonly QueuedWrite[]): readonly QueuedWrite[] => {
    const written: QueuedWrite[] = []
    for (const write of writes) {
      savepoint.run()
      try {
        write.run()
        written.push(write)
      } catch (error) {
        // Errors such as a full disk roll back the whole transaction: then every write of it is lost.
        if (!database.inTransaction) throw error
        rollbackTo.run()
        write.reject(error)
      }
      release.run()
    }
    commit.run()
    return written
  }

  return { abandon, apart, begin, together }
}

/** Waits for the next tick, which reads what came meanwhile. Where that adds to the group, so may the one after it. */
function afterGrowth(size: () => number, until: number, go: () => void): void {
  const known = size()
  setImmediate(() => {
    if (size() > known && performance.now() < until) afterGrowth(size, until, go)
    else go()
  })
}

/** Rejects writes that have waited long enough, and returns the others. */
function unexpired(writes: readonly QueuedWrite[], error: unknown): readonly QueuedWrite[] {
  const now = performance.now()
  for (const write of writes) if (write.until <= now) write.reject(error)
  return writes.filter(({ until }) => until > now)
}

/**
 * Groups the writes of two event-loop ticks into one transaction, and of those that follow while each adds some: a
 * durable commit costs more than all the writes in it. The transaction is IMMEDIATE: what a write reads cannot change
 * under it, whichever process writes.
 *
 * Writes run without savepoints at first, since a savepoint copies every page that is touched after it. When one
 * throws, the transaction starts again with a savepoint for each write, so that a failing one is undone and rejected
 * alone.
 *
 * While another process holds the lock, the group waits for it in short tries, and those that come after it join it:
 * each write waits at most `busyTimeout` milliseconds, and in between the process goes on.
 *
 * `checkFile` throws while the file is not there: nothing is acknowledged then. `checkKinds` throws, within the
 * transaction, once the file is another version's.
 */
export function createWriteQueue(
  database: Database,
  busyTimeout: number,
  checkFile: () => void = () => {},
  checkKinds: () => void = () => {},
): WriteQueue {
  const { abandon, apart, begin, together } = createTransactions(database)
  const waiting: QueuedWrite[] = []
  const idle: (() => void)[] = []
  let scheduled = false
  const listeners: ((writes: number) => void)[] = []

  const go = (): void => {
    scheduled = false
    flushNow()
  }
  const later = (wait: number): void => {
    if (scheduled) return
    scheduled = true
    // The check phase comes after every socket of a tick was read. No tick waits for anything.
    if (wait === 0)
      setImmediate(() => afterGrowth(() => waiting.length, performance.now() + LONGEST_GROWTH, go))
    else setTimeout(go, wait)
  }

  /** Begins the group's transaction; while another process holds the lock, puts the writes off and is false. */
  const begins = (writes: readonly QueuedWrite[]): boolean => {
    try {
      begin.run()
    } catch (error) {
      if (!isBusy(error)) throw error
      waiting.unshift(...unexpired(writes, error))
      if (waiting.length > 0) later(nextWait())
      return false
    }
    checkKinds()
    return true
  }

  const commitGroup = (writes: readonly QueuedWrite[]): void => {
    try {
      checkFile()
      if (!begins(writes)) return
      const isWhole = together(writes)
      if (!isWhole && !begins(writes)) return
      const written = isWhole ? writes : apart(writes)
      checkFile()
      for (const write of written) write.resolve()
      if (written.length > 0) for (const tell of listeners) tell(written.length)
    } catch (error) {
      // Promises settle once: those that `apart` has rejected keep their own reason.
      abandon()
      for (const write of writes) write.reject(error)
    }
  }

  function flushNow(): void {
    const writes = waiting.splice(0)
    if (writes.length > 0) commitGroup(writes)
    if (waiting.length > 0) return
    for (const done of idle.splice(0)) done()
  }

  return {
    add(operation, run) {
      const write = new Write(operation, run, performance.now() + busyTimeout)
      waiting.push(write)
      // Exactly then: a group that another process's lock holds up grows on.
      if (waiting.length === FULL_GROUP) flushNow()
      else later(0)
      return write.written
    },
    onCommit: listener => void listeners.push(listener),
    flush: () =>
      new Promise(resolve => {
        idle.push(resolve)
        flushNow()
      }),
  }
}
