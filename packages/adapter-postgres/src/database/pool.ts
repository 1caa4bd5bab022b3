import pg from 'pg'
import { HOLD } from './in-use.ts'
import type { TYPES } from './values.ts'

/** A query as the driver takes it. */
export interface PostgresQuery {
  readonly text: string
  readonly name?: string
  readonly values?: readonly (string | null)[]
  readonly types?: typeof TYPES
  /** Milliseconds: the driver's bound for this one. */
  readonly query_timeout?: number
}

/** Result of a query of the driver. */
export interface PostgresResult {
  readonly rows: readonly unknown[]
}

/** A connection that was taken from a pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult>
  /** With an error, or true, the connection is ended and not used again. */
  release(error?: Error | boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a pool that the store needs. A `Pool` of `pg` has it. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  query(query: PostgresQuery): Promise<PostgresResult>
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** A pool that this store has made and ends. */
export interface OwnPool extends PostgresPool {
  end(): Promise<void>
}

/** Options for connecting. Times are milliseconds. */
export interface PoolOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=…` and so on as `pg` reads it. */
  readonly url: string
  /**
   * Connections at most. Nodes × (this + 1) must stay below the server's `max_connections`.
   * @default 10
   */
  readonly maxConnections?: number
  /**
   * Time that a call waits for a connection before it is refused.
   * @default 5000
   */
  readonly connectionTimeout?: number
  /**
   * Time limit of one statement on the server; 0 for none. A connection that stays silent for 5 s more is closed: the
   * network may have dropped it.
   * @default 15000
   */
  readonly statementTimeout?: number
  /**
   * Time limit for waiting for a lock of others; 0 for none.
   * @default 5000
   */
  readonly lockTimeout?: number
}

const IDLE = 10_000
const LIFETIME_SECONDS = 1_800
/** Pause after a failed try to show again that the schema is in use. */
const AGAIN = 1_000
/** Time after which an idle transaction, left by a process that hangs, loses its locks. */
const IDLE_IN_TRANSACTION = 10_000

/** Longer than any statement takes, milliseconds: the driver's bound for one that has no time limit. */
export const LONGEST_ANSWER = 0x7fffffff

/** Additional time to wait for a response, beyond the time limit of the statement. */
const ANSWER_GRACE = 5_000

/** The user of the connection gets the error from its query, or from the next one. */
const heard = (): void => {}

/** Name of the store's connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'colloquy'

/**
 * Returns a pool with bounds, whose connections show that the schema is in use. Poolers in transaction mode refuse
 * settings of a connection, and give its locks to others; so with `settings` false there are none.
 */
export function createPool(
  {
    url,
    maxConnections = 10,
    connectionTimeout = 5_000,
    statementTimeout = 15_000,
    lockTimeout = 5_000,
  }: PoolOptions,
  { schema, settings }: { readonly schema: string; readonly settings: boolean },
): OwnPool {
  const shown = new WeakSet<object>()
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    // A store that is open and has nothing to do is in use all the same.
    min: settings ? 1 : 0,
    connectionTimeoutMillis: connectionTimeout,
    idleTimeoutMillis: IDLE,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    application_name: APPLICATION_NAME,
    ...(statementTimeout > 0 ? { query_timeout: statementTimeout + ANSWER_GRACE } : {}),
    ...(settings
      ? {
          statement_timeout: statementTimeout,
          lock_timeout: lockTimeout,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
          // Before a new connection is handed out.
          verify: (client, done) =>
            void client.query(HOLD, [schema]).then(() => {
              shown.add(client)
              done()
            }, done),
        }
      : {}),
  })
  // While a connection is verified or handed over it has no other listener, and an error without a listener ends the
  // process.
  pool.on('connect', client => client.on('error', heard))
  const show = (): void => {
    if (pool.ending || pool.totalCount > 0) return
    pool.connect().then(
      next => next.release(),
      () => void setTimeout(show, AGAIN).unref(),
    )
  }
  // The last one was lost, or has served its time.
  pool.on('remove', client => {
    if (shown.has(client)) show()
  })
  return pool
}
