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

/** What the driver answers. */
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

/** What the store needs of a pool: a `Pool` of `pg` is one. */
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

/** How connections are made. Times are milliseconds. */
export interface PoolOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=…` and so on as `pg` reads it. */
  readonly url: string
  /**
   * Connections at most. Nodes × (this + 1) must stay below the server's `max_connections`.
   * @default 10
   */
  readonly maxConnections?: number
  /**
   * How long a call waits for a connection before it is refused.
   * @default 5000
   */
  readonly connectionTimeout?: number
  /**
   * How long one statement may take on the server; 0 for no bound. A connection on which nothing has come for 5 s more
   * is given up: the network may have lost it without a word.
   * @default 15000
   */
  readonly statementTimeout?: number
  /**
   * How long a statement waits for a lock of others; 0 for no bound.
   * @default 5000
   */
  readonly lockTimeout?: number
}

const IDLE = 10_000
const LIFETIME_SECONDS = 1_800
/** What is left in a transaction for so long, by a process that stands still, lets go of its locks. */
const IDLE_IN_TRANSACTION = 10_000

/** How much longer than the statement may take its answer is waited for. */
const ANSWER_GRACE = 5_000

/** Whoever uses the connection hears of it from its query, or the next one. */
const heard = (): void => {}

/** What `pg_stat_activity` shows of the store's connections. */
const APPLICATION_NAME = 'colloquy'

/**
 * A pool with bounds, whose connections show that the schema is in use. Poolers in transaction mode refuse settings of
 * a connection, and give its locks to others; so with `settings` false there are none.
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
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
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
          verify: (client, done) => void client.query(HOLD, [schema]).then(() => done(), done),
        }
      : {}),
  })
  // While a connection is verified or handed over nobody else listens; an error without a listener ends the process.
  pool.on('connect', client => client.on('error', heard))
  return pool
}
