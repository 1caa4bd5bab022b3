import { setTimeout as after } from 'node:timers/promises'
import type { OpenedDatabase } from './database.ts'
import { createPresenceCheck } from './file-presence.ts'
import { BUSY_TIMEOUT, isBusy, untilUnlocked } from './lock-waits.ts'
import { createKindsCheck } from './open-schema.ts'
import { createOpening, type Opening } from './opening.ts'
import { createDefine, type Define } from './statements.ts'
import { syncPath } from './sync-path.ts'
import { createWriteQueue, failure } from './write-queue.ts'

/** An open database as the parts of the store use it. `operation` completes the sentence "SQLite could not …". */
export interface Session {
  readonly define: Define
  /**
   * Runs at once, over what is committed; where another process has locked the file, as soon as it can. Rejects with an
   * error that names the operation.
   */
  read<Result>(operation: string, run: () => Result): Promise<Result>
  /** Runs the statements of a read over one state of the database: SQLite takes its lock once. */
  snapshot<Result>(run: () => Result): Result
  /** Runs in this tick's transaction and resolves after its commit. `run` may be run twice and does nothing else. */
  write<Result>(operation: string, run: () => Result): Promise<Result>
  /** Calls the listener with how many writes each commit carried. */
  onCommit(listener: (writes: number) => void): void
  /**
   * Moves the whole write-ahead log into the file and empties it, so that removed data is not left in it. Waits for
   * concurrent reads and writes for a short while; after that it is left to the next call, or to the connection that
   * closes the file last.
   */
  emptyLog(): Promise<void>
  /** Commits waiting writes, checkpoints the log into the file and closes it. Later calls reject. */
  close(): Promise<void>
}

const CLOSED = 'the store is closed.'

/**
 * The delay before emptying the log is tried again while others read it, milliseconds. Each try stops the process for
 * up to `LONGEST_TRY`: the delay doubles until it is the longest one.
 */
const WAIT_FOR_THE_LOG = { first: 10, longest: 320 }

/** Runs what reads, also while a lock keeps the database from being opened or read. */
function createReading(opening: Opening, isClosed: () => boolean, busyTimeout: number) {
  /** Runs at once where no lock is in the way, which is nearly always: a promise that is settled costs the least. */
  const attempt = <Result>(operation: string, run: () => Result): Promise<Result> => {
    if (isClosed() || !opening.isOpen()) return attemptLater(operation, run)
    try {
      return Promise.resolve(run())
    } catch (error) {
      return isBusy(error) ? attemptLater(operation, run) : Promise.reject(failure(operation, error))
    }
  }
  const attemptLater = async <Result>(operation: string, run: () => Result): Promise<Result> => {
    try {
      if (!opening.isOpen() && !isClosed()) await opening.wait(false)
      return await untilUnlocked(busyTimeout, () => {
        if (isClosed()) throw new Error(CLOSED)
        return run()
      })
    } catch (error) {
      throw failure(operation, error)
    }
  }
  return attempt
}

/**
 * Opens a session over a database, which it owns from then on. A locked file is waited for `busyTimeout` milliseconds;
 * where the lock has kept the database from being opened whole, all calls wait for that.
 */
export function createSession(
  { database, prepare }: OpenedDatabase,
  busyTimeout: number = BUSY_TIMEOUT,
): Session {
  let checkFile = prepare === null ? createPresenceCheck(database) : () => {}
  const opening = createOpening(
    prepare &&
      (() => {
        prepare()
        checkFile = createPresenceCheck(database)
      }),
    busyTimeout,
  )
  const queue = createWriteQueue(database, busyTimeout, () => checkFile(), createKindsCheck(database))
  let closed = false

  const emptyLog = async (): Promise<void> => {
    const until = performance.now() + busyTimeout
    for (let wait = WAIT_FOR_THE_LOG.first; !closed; wait = Math.min(2 * wait, WAIT_FOR_THE_LOG.longest)) {
      const busy = database.pragma('wal_checkpoint(TRUNCATE)', { simple: true })
      if (busy === 0) {
        // SQLite leaves it to the next write to have the disk keep that the log is empty.
        syncPath(`${database.name}-wal`, 'r+')
        return
      }
      if (performance.now() >= until) return
      await after(wait)
    }
  }

  const define = createDefine(database)
  const begin = define('begin')
  const end = define('commit')
  return {
    emptyLog,
    onCommit: queue.onCommit,
    define,
    read: createReading(opening, () => closed, busyTimeout),
    snapshot(run) {
      begin.run()
      try {
        return run()
      } finally {
        // Some errors end it.
        if (database.inTransaction) end.run()
      }
    },
    write: (operation, run) => {
      const refuse = (error: unknown) => Promise.reject(failure(operation, error))
      if (closed) return refuse(new Error(CLOSED))
      if (opening.isOpen()) return queue.add(operation, run)
      return opening.wait(true).then(() => queue.add(operation, run), refuse)
    },
    close: async () => {
      if (closed) return
      closed = true
      await opening.close(new Error(CLOSED))
      await queue.flush()
      try {
        // Never waits: what another process still reads or writes is moved by a later one.
        if (opening.isOpen()) database.pragma('wal_checkpoint(PASSIVE)')
      } finally {
        database.close()
      }
    },
  }
}
