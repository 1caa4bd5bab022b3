import type Database from 'better-sqlite3'

/** Writes of one tick in one transaction: durable, and one wait for the disk for all of them. */
export interface WriteQueue {
  /** Runs `task` in the tick's transaction. Resolves with its result once it is on disk; rejects when it threw. */
  write<Result>(operation: string, task: () => Result): Promise<Result>
  /** Waits for the queued writes; later ones are refused. */
  close(): Promise<void>
}

interface Queued {
  readonly operation: string
  readonly task: () => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** How one task of a transaction came out. */
type Done = { readonly result: unknown } | { readonly error: unknown }

/** Each task has its own savepoint: one that throws is rolled back alone. When the commit fails, all have failed. */
export function createWriteQueue(database: Database.Database): WriteQueue {
  const [begin, commit, rollback] = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'].map(sql =>
    database.prepare(sql),
  )
  const [savepoint, release, undo] = ['SAVEPOINT task', 'RELEASE task', 'ROLLBACK TO task'].map(sql =>
    database.prepare(sql),
  )
  let queue: Queued[] = []
  let closed = false
  let flushed = Promise.resolve()

  function attempt(task: () => unknown): Done {
    savepoint?.run()
    try {
      const result = task()
      release?.run()
      return { result }
    } catch (error) {
      undo?.run()
      release?.run()
      return { error }
    }
  }

  function flush(): void {
    const tasks = queue
    queue = []
    try {
      begin?.run()
      const done = tasks.map(({ task }) => attempt(task))
      commit?.run()
      for (const [index, { operation, resolve, reject }] of tasks.entries()) {
        const outcome = done[index]
        if (outcome !== undefined && 'result' in outcome) resolve(outcome.result)
        else reject(failure(operation, outcome?.error))
      }
    } catch (error) {
      if (database.inTransaction) rollback?.run()
      for (const { operation, reject } of tasks) reject(failure(operation, error))
    }
  }

  return {
    write<Result>(operation: string, task: () => Result): Promise<Result> {
      if (closed) return Promise.reject(new Error('The SQLite store is closed.'))
      return new Promise<Result>((resolve, reject) => {
        queue.push({ operation, task, resolve: result => resolve(result as Result), reject })
        if (queue.length > 1) return
        flushed = new Promise(settled => {
          setImmediate(() => {
            flush()
            settled()
          })
        })
      })
    },
    async close() {
      closed = true
      await flushed
    },
  }
}

const failure = (operation: string, cause: unknown): Error =>
  new Error(`SQLite could not ${operation}: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  })
