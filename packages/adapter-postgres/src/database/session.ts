import { failure, isLostConnection, isUndoneByOthers } from './failure.ts'
import type { OwnPool, PostgresClient, PostgresPool, PostgresQuery } from './pool.ts'
import { createDefine, type Define, type Execute, type PreparedCall } from './statements.ts'
import { TYPES } from './values.ts'

/** A database as the parts of the store use it. */
export interface Session {
  readonly define: Define
  /** Carries a statement out, again where others have undone it. */
  readonly execute: Execute
  /**
   * Carries several statements out in one transaction. `operation` completes the sentence "PostgreSQL could not …".
   * When others undo it, it runs once more from the start.
   */
  transaction<Result>(operation: string, run: (on: Execute) => Promise<Result>): Promise<Result>
  /** Closes the pool, if it is the store's own, once no statement is in progress. */
  close(): Promise<void>
}

/** Retries of a statement that others have rolled back. Each time one of them made progress. */
const RETRIES = 5

/** Runs again what others have undone. */
async function againWhereUndone<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === RETRIES || !isUndoneByOthers(error)) throw error
    }
  }
}

const toQuery = ({ name, text, values }: PreparedCall, prepare: boolean): PostgresQuery =>
  name !== null && prepare ? { name, text, values, types: TYPES } : { text, values, types: TYPES }

/** An error of a connection that was taken: the query that runs on it rejects, or the next one. */
const heard = (): void => {}

/** Runs a function on one connection, which is ended if anything went wrong that is not a refused statement. */
async function onConnection<Result>(
  pool: PostgresPool,
  run: (client: PostgresClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  client.on('error', heard)
  let broken = true
  try {
    const result = await run(client)
    broken = false
    return result
  } catch (error) {
    if (!isLostConnection(error))
      broken = await client.query({ text: 'rollback' }).then(
        () => false,
        () => true,
      )
    throw error
  } finally {
    // The pool listens again before this one does not any more; one that is ended may still report its end.
    client.release(broken)
    if (!broken) client.removeListener('error', heard)
  }
}

/** The tables of a schema, over a pool. */
export interface SessionOptions {
  readonly pool: PostgresPool
  /** The pool again where the store has made it, and ends it. */
  readonly own: OwnPool | null
  readonly schema: string
  /** False: statements are parsed each time, as poolers in transaction mode need it. */
  readonly prepare: boolean
  /** Called when the session is closed. */
  readonly onClose: () => void
}

/** Opens a session over a pool. */
export function createSession({ pool, own, schema, prepare, onClose }: SessionOptions): Session {
  let closing: Promise<void> | null = null

  /** With errors as callers get them. */
  async function settled<Result>(operation: string, once: () => Promise<Result>): Promise<Result> {
    try {
      return await againWhereUndone(once)
    } catch (error) {
      throw failure(operation, error)
    }
  }

  const execute: Execute = async call => {
    const query = toQuery(call, prepare)
    return (await settled(call.operation, () => pool.query(query))).rows
  }

  async function close(): Promise<void> {
    onClose()
    await own?.end()
  }

  return {
    define: createDefine(schema, execute),
    execute,
    transaction: (operation, run) =>
      settled(operation, () =>
        onConnection(pool, async client => {
          const on: Execute = async call => (await client.query(toQuery(call, prepare))).rows
          await client.query({ text: 'begin' })
          const result = await run(on)
          await client.query({ text: 'commit' })
          return result
        }),
      ),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
