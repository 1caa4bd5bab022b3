import { failure, isLostConnection, isUndoneByOthers } from './failure.ts'
import type { OwnPool, PostgresClient, PostgresPool, PostgresQuery } from './pool.ts'
import { createDefine, type Define, type Execute, type PreparedCall } from './statements.ts'
import { TYPES } from './values.ts'

/** A database as the parts of the store use it. */
export interface Session {
  readonly define: Define
  /**
   * Carries several statements out in one transaction. `operation` completes the sentence "PostgreSQL could not …".
   * When others undo it, it runs once more from the start.
   */
  transaction<Result>(operation: string, run: (on: Execute) => Promise<Result>): Promise<Result>
  /**
   * A write whose statements come later: `close` waits until it has settled. Rejects when the store is closed.
   *
   * @param begin carries its statements out with {@link Session.accepted}
   */
  accept<Result>(operation: string, begin: () => Promise<Result>): Promise<Result>
  /** Carries statements of accepted writes out, also while the store is being closed. */
  readonly accepted: Execute
  /** Waits for calls in progress and ends the pool, if it is the store's own. Later calls reject. */
  close(): Promise<void>
}

const CLOSED = 'the store is closed.'

/** How often a statement that others have undone is tried again. Each time one of them got on. */
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
  /** Told when the session is closed. */
  readonly onClose: () => void
}

/** Opens a session over a pool. */
export function createSession({ pool, own, schema, prepare, onClose }: SessionOptions): Session {
  const inProgress = new Set<Promise<unknown>>()
  let closing: Promise<void> | null = null

  const check = (operation: string): void => {
    if (closing !== null) throw new Error(`PostgreSQL could not ${operation}: ${CLOSED}`)
  }
  const pending = <Result>(work: Promise<Result>): Promise<Result> => {
    inProgress.add(work)
    const settled = (): void => {
      inProgress.delete(work)
    }
    work.then(settled, settled)
    return work
  }
  const accepted: Execute = async call => {
    const query = toQuery(call, prepare)
    try {
      return (await againWhereUndone(() => pool.query(query))).rows
    } catch (error) {
      throw failure(call.operation, error)
    }
  }
  const execute: Execute = async call => {
    check(call.operation)
    return pending(accepted(call))
  }

  async function transaction<Result>(
    operation: string,
    run: (on: Execute) => Promise<Result>,
  ): Promise<Result> {
    check(operation)
    const once = () =>
      onConnection(pool, async client => {
        const on: Execute = async call => (await client.query(toQuery(call, prepare))).rows
        await client.query({ text: 'begin' })
        const result = await run(on)
        await client.query({ text: 'commit' })
        return result
      })
    try {
      return await pending(againWhereUndone(once))
    } catch (error) {
      throw failure(operation, error)
    }
  }

  async function close(): Promise<void> {
    while (inProgress.size > 0) await Promise.allSettled([...inProgress])
    onClose()
    await own?.end()
  }

  return {
    define: createDefine(schema, execute),
    transaction,
    accept: async (operation, begin) => {
      check(operation)
      return pending(begin())
    },
    accepted,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
