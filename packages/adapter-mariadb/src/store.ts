import { type Log, silentLog, systemClock } from '@colloquy/core'
import { type CopyableStore, createSequence, followClock, storeOver } from '@colloquy/core/store'
import { type Connection, createConnection, createPool, type Pool } from 'mariadb'
import { checkOptions } from './check-options.ts'
import { failure } from './database/failure.ts'
import { type MissingIndex, makeLaterIndexes } from './database/later-indexes.ts'
import { openDatabase, reasonOf } from './database/opening.ts'
import { placeOf, poolConfigOf } from './database/pool.ts'
import { createSession } from './database/session.ts'
import { createDocuments } from './documents/documents.ts'
import { nameOfIndex } from './documents/statements.ts'

interface CommonOptions {
  /** Called with the server's settings, and with new tables. @default none */
  readonly log?: Log
}

interface OwnPoolOptions {
  /** `mariadb://user:password@host:port/database`, with `?ssl=true` where the connection is encrypted. */
  readonly url: string
  /**
   * Connections at most. Nodes × (this + 1) must stay below the server's `max_connections`.
   * @default 10
   */
  readonly maxConnections?: number
}

/**
 * Options of a store in MariaDB: a URL, or a pool of the host, which the host closes. Sessions of that pool must be
 * strict, and have the isolation READ COMMITTED.
 */
export type MariaStoreOptions = CommonOptions & (OwnPoolOptions | { readonly pool: Pool })

const MAX_CONNECTIONS = 10

/** An open database. */
interface Opened {
  readonly pool: Pool
  /** Makes a connection that may take its time. */
  readonly connect: () => Promise<Connection>
  readonly missing: readonly MissingIndex[]
}

async function opened(options: MariaStoreOptions): Promise<Opened> {
  const { log = silentLog } = options
  const where = 'pool' in options ? 'the database of the pool' : placeOf(options.url)
  try {
    if ('pool' in options) {
      const { pool } = options
      const connection = await pool.getConnection()
      const missing = await openDatabase(connection, log).finally(() => connection.release())
      return { pool, missing, connect: () => pool.getConnection() }
    }
    const config = poolConfigOf(options.url, options.maxConnections ?? MAX_CONNECTIONS)
    // Not of the pool, which would wait for a server that has said no.
    const connection = await createConnection(config)
    const missing = await openDatabase(connection, log).finally(() =>
      connection.end().catch(() => connection.destroy()),
    )
    return {
      pool: createPool(config),
      missing,
      connect: () => createConnection({ ...config, socketTimeout: 0 }),
    }
  } catch (error) {
    throw new Error(`createMariaStore could not open ${where}: ${reasonOf(error)}`, { cause: error })
  }
}

/** Follows the clock of the server, by which all nodes over it go (TM12). A lost answer changes nothing. */
const clockOf = (pool: Pool) =>
  followClock({
    clock: systemClock,
    async read() {
      const [row] = await pool.query<readonly { readonly now: unknown }[]>(
        'select unix_timestamp(sysdate(6)) * 1000 as now',
      )
      return Number(row?.now)
    },
  })

/**
 * Keeps everything in a MariaDB database of its own, which nodes may share. A write that has resolved is committed: it
 * survives what the server's `innodb_flush_log_at_trx_commit` lets it survive.
 *
 * @throws SCHEMA_VALIDATION_FAILED for unknown options (EM4)
 * @throws Error naming the server when it cannot be reached, is older than 10.6, or when the database is another
 * application's or was made by another version of Colloquy (MA1 to MA5)
 */
export async function createMariaStore(options: MariaStoreOptions): Promise<CopyableStore> {
  checkOptions(options)
  const { connect, missing, pool } = await opened(options)
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())
  const absent = new Set(missing.map(({ index, kind }) => nameOfIndex(kind, index)))
  const documents = createDocuments(createSession(pool), nextSequence, absent)
  const clock = await clockOf(pool).catch(async error => {
    if (!('pool' in options)) await pool.end()
    throw failure('tell its time', error)
  })
  const made = (index: string): void => void absent.delete(index)
  const stopMaking = makeLaterIndexes(missing, connect, { log: options.log ?? silentLog, made })
  let ending: Promise<void> | null = null
  async function end(): Promise<void> {
    clock.stop()
    stopMaking()
    if (!('pool' in options)) await pool.end()
  }
  const store = storeOver(documents, { nextSequence, random: Math.random, clock: systemClock }, () => {
    ending ??= end()
    return ending
  })
  return { ...store, clock }
}
