import type { Log } from '@colloquy/core'
import { KINDS_NUMBER, UNFINISHED_COPY, UNFINISHED_COPY_REFUSAL } from '@colloquy/core/store'
import { stateOfError } from './failure.ts'
import { refuseOthers } from './in-use.ts'
import { missingIndexes } from './later-indexes.ts'
import { quotedName, quotedText, rowsOf } from './plain-sql.ts'
import type { PostgresClient, PostgresPool } from './pool.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { heldStore, makeStore } from './take-schema.ts'

/** The oldest server that is supported. */
const OLDEST_SERVER = 130_000

/** Settings that a server reports about itself. */
interface ServerSettings {
  readonly version: string
  readonly number: string
  readonly encoding: string
  readonly synchronous_commit: string
  readonly fsync: string
  readonly standby: boolean
}

const SETTINGS = `
select current_setting('server_version') as version, current_setting('server_version_num') as number,
  pg_encoding_to_char(encoding) as encoding, current_setting('synchronous_commit') as synchronous_commit,
  current_setting('fsync') as fsync, pg_is_in_recovery() as standby
from pg_database where datname = current_database()`

/** Checks the requirements of a server, and logs its settings. @throws Error naming the one that it fails */
async function checkServer(client: PostgresClient, log: Log): Promise<void> {
  const [found] = await rowsOf<ServerSettings>(client, SETTINGS)
  if (found === undefined) throw new Error('the server does not tell its version.')
  const { version, number, encoding, synchronous_commit: commit, fsync, standby } = found
  if (Number(number) < OLDEST_SERVER)
    throw new Error(`the server is PostgreSQL ${version}. It must be 13 or newer.`)
  if (encoding !== 'UTF8')
    throw new Error(
      `the database has the encoding ${encoding}. It must be UTF8: create one with "create database colloquy encoding 'UTF8' template template0".`,
    )
  if (standby) throw new Error('the server is a standby, which takes no writes. Name the primary.')
  const fields = { version, encoding, synchronous_commit: commit, fsync }
  log.info('The store is in PostgreSQL', fields)
  if (commit === 'off' || fsync === 'off')
    log.warn(
      'PostgreSQL may lose acknowledged writes when it crashes: set synchronous_commit and fsync to on',
      fields,
    )
}

/** Refuses a role that could not carry the store's statements out. @throws Error naming the right */
async function checkRights(client: PostgresClient, schema: string): Promise<void> {
  const of = quotedText(schema)
  const [found] = await rowsOf<{ user: string; usage: boolean; missing: string | null }>(
    client,
    `select current_user as user, has_schema_privilege(oid, 'usage') as usage,
       (select min(relname) from pg_class where relnamespace = pg_namespace.oid and relkind = 'r'
        and not (has_table_privilege(pg_class.oid, 'select') and has_table_privilege(pg_class.oid, 'insert')
          and has_table_privilege(pg_class.oid, 'update') and has_table_privilege(pg_class.oid, 'delete'))) as missing
     from pg_namespace where nspname = ${of}`,
  )
  if (found === undefined || (found.usage && found.missing === null)) return
  const where = found.usage ? `the table ${found.missing} of the schema ${schema}` : `the schema ${schema}`
  throw new Error(
    `the role ${found.user} lacks rights on ${where}. It must own the schema, or have usage of it and select, insert, update and delete on its tables.`,
  )
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the server, or correct host and port.',
  ENOTFOUND: 'there is no host of that name. Correct the host.',
  EAI_AGAIN: 'the name of the host cannot be looked up now. Correct the host, or try again.',
  ETIMEDOUT: 'the host does not answer. Correct host and port, or let the network through.',
}

const STATES: Readonly<Record<string, string>> = {
  '08P01': 'A pooler stands before the server: set prepare to false.',
  '28P01': 'Correct the user or the password.',
  '28000': 'Correct the user, or allow it in pg_hba.conf.',
  '3D000': 'Create the database, or correct its name.',
  '42501': 'Grant the role the right, or let another one create the schema for it.',
  '53300': 'Raise max_connections, or make the pools of the nodes smaller.',
  '55P03': 'Something holds a table for long, as a backup does: try again once it is done.',
  '57P03': 'Try again in a moment.',
}

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Returns why the store could not be opened, in plain words; the driver's message first if it says more. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return withStop(String(error))
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (NETWORK[code] !== undefined) return NETWORK[code]
  const state = stateOfError(error)
  // The driver's own, which has no code.
  if (state === null && /timeout/.test(error.message))
    return 'the server does not answer. Correct host and port, or let the network through.'
  const advice = STATES[state ?? '']
  // Several addresses of a host give one error without a message.
  const message = withStop(
    error.message === '' && error instanceof AggregateError ? reasonOf(error.errors[0]) : error.message,
  )
  return advice === undefined ? message : `${message} ${advice}`
}

/** Options for opening a store. */
export interface OpeningOptions {
  readonly schema: string
  /** The server as errors name it, without a password. */
  readonly where: string
  readonly create: boolean
  readonly exclusive: boolean
  readonly log: Log
}

/** A copy opens the store for itself alone, and goes on. @throws Error where a copy into it is not whole (PG53) */
async function refuseUnfinished(client: PostgresClient, schema: string): Promise<void> {
  const [mark] = await rowsOf(
    client,
    `select from ${quotedName(schema)}.secret where id = ${quotedText(UNFINISHED_COPY)}`,
  )
  if (mark !== undefined) throw new Error(`the schema ${schema} is not whole: ${UNFINISHED_COPY_REFUSAL}.`)
}

/**
 * Checks server, schema and rights, and makes the store if there is none. Reports whether indexes are missing.
 *
 * @throws Error naming the server and the reason (PG11 to PG13, PG11 and PG53)
 */
export async function openDatabase(
  pool: PostgresPool,
  { schema, where, create, exclusive, log }: OpeningOptions,
): Promise<boolean> {
  const heard = (): void => {}
  let client: PostgresClient | null = null
  try {
    client = await pool.connect()
    client.on('error', heard)
    await checkServer(client, log)
    const store = await heldStore(client, schema)
    if (store === null && !create)
      throw new Error(`there is no store in the schema ${schema}. Name the database and the schema of one.`)
    if (exclusive) await refuseOthers(client, schema)
    if (store?.number !== KINDS_NUMBER && (await makeStore(client, schema)))
      log.info('The schema of the store was made', { schema, version: SCHEMA_VERSION })
    await checkRights(client, schema)
    if (!exclusive) await refuseUnfinished(client, schema)
    const missing = await missingIndexes(client, schema)
    client.release()
    client.removeListener('error', heard)
    return missing.length > 0
  } catch (error) {
    // In whatever transaction it stands. It may still report its end: it is listened to.
    client?.release(true)
    throw new Error(`createPostgresStore could not open ${where}: ${reasonOf(error)}`, { cause: error })
  }
}
