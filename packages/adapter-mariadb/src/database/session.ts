import type { Pool, PoolConnection, UpsertResult } from 'mariadb'
import { failure, isUndoneByOthers } from './failure.ts'
import type { SqlValue } from './values.ts'

/** A statement, with a question mark for each of its values. */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Runs statements. The connection of a transaction sends those of one tick at once, in their order. */
export interface Runner {
  rows<Row>(statement: Statement): Promise<readonly Row[]>
  /** Runs the statement and returns the number of rows found. */
  change(statement: Statement): Promise<number>
}

/** A database as documents use it. `operation` completes the sentence "MariaDB could not …". */
export interface Session {
  /** Carries out one statement, once more where others have undone it. */
  alone<Result>(operation: string, run: (on: Runner) => Promise<Result>): Promise<Result>
  /**
   * Carries several statements out in one transaction, from its start once more where others have undone it. They are
   * undone where the answer is not null.
   */
  transaction<Result>(operation: string, run: (on: Runner) => Promise<Result | null>): Promise<Result | null>
}

/** For how long what others have undone is tried again, milliseconds. Each time one of them got on. */
const PATIENCE = 10_000

async function settled<Result>(operation: string, once: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + PATIENCE
  for (;;)
    try {
      return await once()
    } catch (error) {
      if (!isUndoneByOthers(error) || performance.now() > until) throw failure(operation, error)
    }
}

const runnerOn = (on: Pool | PoolConnection): Runner => ({
  rows: <Row>({ sql, values }: Statement) =>
    on.execute<readonly Row[]>({ sql, bigIntAsNumber: true, checkNumberRange: true }, values),
  async change({ sql, values }) {
    return (await on.execute<UpsertResult>(sql, values)).affectedRows
  },
})

/** Opens a session over a pool. */
export function createSession(pool: Pool): Session {
  const onPool = runnerOn(pool)

  /**
   * Without `start transaction`: after a deadlock, which ends the transaction, statements that were sent with the one
   * that failed would be committed one by one.
   */
  async function transact<Result>(run: (on: Runner) => Promise<Result | null>): Promise<Result | null> {
    const connection = await pool.getConnection()
    const { change, rows } = runnerOn(connection)
    const end = (how: 'commit' | 'rollback') =>
      Promise.all([connection.query(how), connection.query('set autocommit = 1')])
    try {
      const begun = connection.query('set autocommit = 0')
      // Reads need not wait for the answer.
      const on: Runner = { rows, change: statement => begun.then(() => change(statement)) }
      const [result] = await Promise.all([run(on), begun])
      await end(result === null ? 'commit' : 'rollback')
      await connection.release()
      return result
    } catch (error) {
      await end('rollback').then(
        () => connection.release(),
        () => connection.destroy(),
      )
      throw error
    }
  }

  return {
    alone: (operation, run) => settled(operation, () => run(onPool)),
    transaction: (operation, run) => settled(operation, () => transact(run)),
  }
}
