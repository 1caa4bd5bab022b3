import type { Database } from 'better-sqlite3'

/** One write that waits for its group. */
interface QueuedWrite {
  /** Runs the write inside the group's transaction; may be run twice, see {@link createWriteQueue}. */
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/** Writes of one store in the order in which they came. */
export interface WriteQueue {
  /**
   * Runs the write in the transaction of this event-loop tick. Resolves with its result when that is committed.
   * `run` must do nothing but read and write the database: when another write of its group fails it is run again.
   */
  add<Result>(operation: string, run: () => Result): Promise<Result>
  /** Commits what waits. */
  flush(): void
}

/** An error that names what failed; the driver's own is its cause. */
export function failure(operation: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  const busy = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY'
  return new Error(
    busy
      ? `SQLite could not ${operation}: another process kept the database locked for longer than the busy timeout`
      : `SQLite could not ${operation}: ${message}`,
    { cause },
  )
}

/**
 * Groups the writes of one event-loop tick into one transaction, because a durable commit costs more than all the writes
 * in it. The transaction is IMMEDIATE: what a write reads cannot change under it, whichever process writes.
 *
 * Writes run without savepoints at first, since a savepoint copies every page that is touched after it. When one throws,
 * the transaction starts again with a savepoint for each write, so that a failing one is undone and rejected alone.
 */
export function createWriteQueue(database: Database): WriteQueue {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const savepoint = database.prepare('SAVEPOINT one_write')
  const release = database.prepare('RELEASE one_write')
  const rollbackTo = database.prepare('ROLLBACK TO one_write')
  let waiting: QueuedWrite[] = []

  const abandon = (): void => {
    if (database.inTransaction) rollback.run()
  }

  const together = (writes: readonly QueuedWrite[]): boolean => {
    begin.run()
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
    begin.run()
    for (const write of writes) {
      savepoint.run()
      try {
        write.run()
        written.push(write)
      } catch (error) {
        // A full disk and its like end the whole transaction: then nobody's write is left.
        if (!database.inTransaction) throw error
        rollbackTo.run()
        write.reject(error)
      }
      release.run()
    }
    commit.run()
    return written
  }

  const flush = (): void => {
    const writes = waiting
    if (writes.length === 0) return
    waiting = []
    try {
      const written = together(writes) ? writes : apart(writes)
      for (const write of written) write.resolve()
    } catch (error) {
      // Promises settle once: those that `apart` has rejected keep their own reason.
      abandon()
      for (const write of writes) write.reject(error)
    }
  }

  return {
    add: <Result>(operation: string, run: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        let result: Result
        waiting.push({
          run: () => {
            result = run()
          },
          resolve: () => resolve(result),
          reject: error => reject(failure(operation, error)),
        })
        // The check phase comes after every socket of this tick was read: their writes are one group.
        if (waiting.length === 1) setImmediate(flush)
      }),
    flush,
  }
}
