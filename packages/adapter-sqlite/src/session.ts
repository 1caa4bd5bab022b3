import type { Database } from 'better-sqlite3'
import { createDefine, type Define } from './statements.ts'
import { createWriteQueue, failure } from './write-queue.ts'

/** An open database as the parts of the store use it. `operation` completes the sentence "SQLite could not …". */
export interface Session {
  readonly define: Define
  /** Runs at once, over what is committed. Rejects with an error that names the operation. */
  read<Result>(operation: string, run: () => Result): Promise<Result>
  /** {@link Session.read} for several statements that must see the same instant. */
  snapshot<Result>(operation: string, run: () => Result): Promise<Result>
  /** Runs in this tick's transaction and resolves after its commit. `run` may be run twice and does nothing else. */
  write<Result>(operation: string, run: () => Result): Promise<Result>
  /** Moves what the write-ahead log holds into the file, as far as nobody needs it there. */
  checkpoint(): void
  /** Commits what waits, moves the log into the file and lets go of it. Later calls reject. */
  close(): Promise<void>
}

/** Opens a session over a database, which it owns from then on. */
export function createSession(database: Database): Session {
  const queue = createWriteQueue(database)
  const begin = database.prepare('BEGIN')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  let closed = false

  const check = (operation: string): void => {
    if (closed) throw new Error(`SQLite could not ${operation}: the store is closed`)
  }
  const attempt = <Result>(operation: string, run: () => Result): Result => {
    check(operation)
    try {
      return run()
    } catch (error) {
      throw failure(operation, error)
    }
  }
  const inSnapshot = <Result>(run: () => Result): Result => {
    begin.run()
    try {
      const result = run()
      commit.run()
      return result
    } catch (error) {
      if (database.inTransaction) rollback.run()
      throw error
    }
  }

  const checkpoint = (): void => {
    // Never waits: what another process still reads or writes is moved by a later one.
    database.pragma('wal_checkpoint(PASSIVE)')
  }

  return {
    checkpoint,
    define: createDefine(database),
    read: async (operation, run) => attempt(operation, run),
    snapshot: async (operation, run) => attempt(operation, () => inSnapshot(run)),
    write: async (operation, run) => {
      check(operation)
      return queue.add(operation, run)
    },
    close: async () => {
      if (closed) return
      closed = true
      queue.flush()
      try {
        checkpoint()
      } finally {
        database.close()
      }
    },
  }
}
