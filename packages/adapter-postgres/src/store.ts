import { type Log, silentLog, systemClock } from '@colloquy/core'
import { type CopyableStore, createSequence, storeOver } from '@colloquy/core/store'
import { checkOptions } from './check-options.ts'
import { makeLaterIndexes } from './database/later-indexes.ts'
import { openDatabase } from './database/opening.ts'
import { placeOf } from './database/place.ts'
import { createPool, type OwnPool, type PoolOptions, type PostgresPool } from './database/pool.ts'
import { followServer } from './database/server-clock.ts'
import { createSession } from './database/session.ts'
import { WRITES_PER_STATEMENT } from './database/write-queue.ts'
import { createDocuments } from './documents/documents.ts'

interface CommonOptions {
  /**
   * The schema of the database that holds the store; it is made when missing. Several stores of one database have a
   * schema each.
   * @default 'colloquy'
   */
  readonly schema?: string
  /**
   * False: statements are parsed at every call and connections have no settings of their own, as poolers need it that
   * give each transaction another connection (PgBouncer in transaction mode).
   * @default true
   */
  readonly prepare?: boolean
  /**
   * False: a schema that holds no store is refused, and not made into one.
   * @default true
   */
  readonly create?: boolean
  /**
   * True: opening is refused while others have the store open, as far as their connections are known: those of hosts'
   * pools, and those that came through a pooler with `prepare` false, are not. It is for copies, which write to a store
   * that nobody uses: one with a copy that was cut off can only be opened so. Others are waited for up to two
   * seconds, and not kept out later.
   * @default false
   */
  readonly exclusive?: boolean
  /**
   * Most writes that share a statement, from 1 to 1,000.
   * @default 200
   */
  readonly writesPerStatement?: number
  /** Called with the server's settings, and when a schema is made or a connection is lost. @default none */
  readonly log?: Log
}

/** Options of a store in PostgreSQL: a URL, or a pool of the host, which the host closes. */
export type PostgresStoreOptions = CommonOptions & (PoolOptions | { readonly pool: PostgresPool })

const DEFAULT_SCHEMA = 'colloquy'

/** A stopping server ends all connections at once. They are logged as one loss, milliseconds. */
const QUIET = 1_000

/** Reports lost idle connections, at most once a second. */
function tellOfLost(log: Log): (error: Error) => void {
  let told = Number.NEGATIVE_INFINITY
  return error => {
    const now = performance.now()
    if (now - told < QUIET) return
    told = now
    log.warn('A connection to PostgreSQL was lost', { reason: error.message })
  }
}

function poolOf(
  options: PostgresStoreOptions,
  schema: string,
): {
  readonly pool: PostgresPool
  readonly own: OwnPool | null
  readonly where: string
} {
  if ('pool' in options) return { pool: options.pool, own: null, where: 'the database of the pool' }
  const own = createPool(options, { schema, settings: options.prepare ?? true })
  return { pool: own, own, where: placeOf(options.url) }
}

/**
 * Keeps everything in a schema of a PostgreSQL database, which nodes may share. A write that has resolved is committed:
 * it survives what the server's `synchronous_commit` and `fsync` let it survive. Writes of one sort that come in one
 * tick of the event loop share a statement.
 *
 * @throws SCHEMA_VALIDATION_FAILED for unknown options (EM4)
 * @throws Error naming the server when it cannot be reached, is older than 13, has no UTF-8, when the role lacks
 * rights, or when the schema is another application's or was made by another version of Colloquy (PG13)
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<CopyableStore> {
  checkOptions(options)
  const { schema = DEFAULT_SCHEMA, prepare = true, create = true, exclusive = false } = options
  const { writesPerStatement = WRITES_PER_STATEMENT, log = silentLog } = options
  const { pool, own, where } = poolOf(options, schema)
  // Without a listener a lost idle connection would end the process.
  const lost = tellOfLost(log)
  pool.on('error', lost)
  let stopMaking = (): void => {}
  const onClose = (): void => {
    stopMaking()
    // The connections of an own pool may be lost while they are ended.
    if (own === null) pool.removeListener('error', lost)
  }
  const open = async () => {
    const isMissing = await openDatabase(pool, { schema, where, create, exclusive, log })
    const followed = await followServer(pool)
    if (isMissing) stopMaking = makeLaterIndexes(pool, schema, { log, prepare })
    return followed
  }
  const clock = await open().catch(async error => {
    await own?.end()
    onClose()
    throw error
  })
  const stop = (): void => {
    clock.stop()
    onClose()
  }
  const listeners: ((writes: number) => void)[] = []
  const committed = (writes: number): void => {
    for (const tell of listeners) tell(writes)
  }
  const session = createSession({ pool, own, schema, prepare, onClose: stop })
  const nextSequence = createSequence(() => performance.timeOrigin + performance.now())
  const documents = createDocuments(session, { nextSequence, writesPerStatement, committed })
  const ports = { nextSequence, random: Math.random, clock: systemClock }
  const store = storeOver(documents, ports, session.close)
  return { ...store, clock, onCommit: listener => void listeners.push(listener) }
}
