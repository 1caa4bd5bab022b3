import { createHash } from 'node:crypto'
import type { Log } from '@colloquy/core'
import {
  ALL_KINDS,
  type Filling,
  type KeptKinds,
  KINDS_NUMBER,
  laterKinds,
  SAMPLE_KINDS,
} from '@colloquy/core/store'
import type { Connection, UpsertResult } from 'mariadb'
import { nameOfIndex } from '../documents/statements.ts'
import { columnAdded, SLOT_TABLE, tableOf } from '../documents/tables.ts'
import { messageOf, numberOfError } from './failure.ts'
import type { MissingIndex } from './later-indexes.ts'

/**
 * Version of the tables, a hash of those of sample kinds, which never change. A different one is of another version.
 */
const SCHEMA_VERSION = createHash('sha256')
  .update([...SLOT_TABLE, ...SAMPLE_KINDS.flatMap(tableOf)].join(';'))
  .digest('hex')
  .slice(0, 12)

/**
 * Time to wait for another process that makes the tables, seconds: slightly less than the time limit of a statement.
 */
const PATIENCE = 14

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

const ADVICE: Readonly<Record<string, string>> = {
  1040: 'Raise max_connections, or make the pools of the nodes smaller.',
  1044: 'Grant the user all rights on the database.',
  1045: 'Correct the user or the password.',
  1049: 'Create the database, or correct its name.',
  1142: 'Grant the user all rights on the database.',
  1419: 'Set log_bin_trust_function_creators to 1: the store makes triggers.',
  ECONNREFUSED: 'Start the server, or correct host and port.',
  ENOTFOUND: 'Correct the host.',
}

/** Returns why the store could not be opened, for people. */
export function reasonOf(error: unknown): string {
  // A pool reports that it has no connection, with the reason as the cause.
  if (error instanceof Error && error.cause !== undefined) return reasonOf(error.cause)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const advice = ADVICE[code] ?? ADVICE[numberOfError(error)]
  return [messageOf(error).replace(/[^.]$/, '$&.'), ...(advice === undefined ? [] : [advice])].join(' ')
}

/** Required variables of a session. */
const SESSION: Readonly<Record<string, RegExp>> = {
  tx_isolation: /^READ-COMMITTED$/,
  sql_mode: /STRICT_(ALL|TRANS)_TABLES/,
  character_set_client: /^utf8mb4$/,
  autocommit: /^ON$/,
}

/**
 * Checks the requirements of a server and its sessions, and logs its settings. @throws Error naming the one that it
 * fails
 */
async function checkServer(on: Connection, log: Log): Promise<void> {
  const rows =
    await on.query<readonly { readonly Variable_name: string; readonly Value: string }[]>('show variables')
  const settings = new Map(rows.map(row => [row.Variable_name, row.Value]))
  const version = settings.get('version') ?? ''
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)\..*MariaDB/.exec(version) ?? []
  if (Number(major) * 100 + Number(minor) < 1_006)
    throw new Error(`the server is ${version}. It must be MariaDB 10.6 or newer.`)
  // Servers from 11.1 on have another name for it too.
  settings.set('tx_isolation', settings.get('transaction_isolation') ?? settings.get('tx_isolation') ?? '')
  for (const [name, wanted] of Object.entries(SESSION))
    if (!wanted.test(settings.get(name) ?? ''))
      throw new Error(`its sessions have ${name} ${settings.get(name)}. It must match ${wanted}.`)
  const flush = settings.get('innodb_flush_log_at_trx_commit')
  const fields = { version, innodb_flush_log_at_trx_commit: flush }
  log.info('The store is in MariaDB', fields)
  if (flush === '1') return
  const loss = 'MariaDB may lose acknowledged writes when it crashes'
  log.warn(`${loss}: set innodb_flush_log_at_trx_commit to 1`, fields)
}

/** A store that is in a database, with the kinds of its tables as JSON. */
interface FoundStore {
  readonly version: string
  readonly number: number
  readonly is_whole: number
  readonly kinds: string
}

/**
 * Returns the store that the database holds; null: none, or one whose making has just begun. It reads alone: what is
 * refused stays as it is.
 *
 * @throws Error for a store of a later version, or whose tables are made otherwise, and for tables of another
 * application, which it names
 */
async function heldStore(on: Connection): Promise<FoundStore | null> {
  const tables = await on.query<readonly { readonly name: string }[]>(
    'select table_name as name from information_schema.tables where table_schema = database() order by table_name',
  )
  const names = tables.map(({ name }) => name)
  if (names.length === 0) return null
  if (!names.includes('colloquy_schema')) {
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
    throw new Error(
      `it holds tables of another application, ${names.slice(0, MAX_NAMED).join(', ')}${more}. Name an empty database, or one that Colloquy has made.`,
    )
  }
  const [row] = await on.query<readonly FoundStore[]>('select * from colloquy_schema')
  if (row !== undefined && row.version !== SCHEMA_VERSION)
    throw new Error(
      'it was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name an empty database.',
    )
  if (row !== undefined && row.number > KINDS_NUMBER)
    throw new Error('it is one of a later version of Colloquy. Use that version, or a later one.')
  return row ?? null
}

/**
 * Makes the tables, or brings them to the kinds of this process. Others see its number first, and then write no more.
 * MariaDB commits each statement separately: if it is interrupted, the next run continues, and the store is whole only
 * at the end.
 */
async function makeStore(on: Connection, found: FoundStore | null): Promise<void> {
  await on.query(
    'create table if not exists colloquy_schema (version varchar(12) primary key, number int not null, is_whole boolean not null, kinds longtext not null) engine = InnoDB',
  )
  await on.query("insert ignore into colloquy_schema values (?, ?, false, '{}')", [
    SCHEMA_VERSION,
    KINDS_NUMBER,
  ])
  const before: KeptKinds = JSON.parse(found?.kinds ?? '{}')
  const bodies = before.filling
    ? await on.query<readonly { readonly body: string }[]>('select body from filling')
    : []
  const fillings = bodies.map(({ body }): Filling => JSON.parse(body))
  const later = laterKinds(before, fillings, ALL_KINDS)
  await on.query('update colloquy_schema set number = ?, is_whole = false', [KINDS_NUMBER])
  const columns = later.columns.map(({ column, kind }) => columnAdded(kind, column))
  for (const statement of [...SLOT_TABLE, ...later.tables.flatMap(tableOf), ...columns])
    await on.query(statement)
  for (const filling of later.fillings)
    await on.query('replace into filling (id, version, body) values (?, ?, ?)', [
      filling.kind,
      filling.version,
      JSON.stringify(filling),
    ])
  await on.query('update colloquy_schema set kinds = ?, is_whole = true', [JSON.stringify(later.kept)])
}

/** Returns the indexes of kinds that are not there. */
async function missingIndexes(on: Connection): Promise<readonly MissingIndex[]> {
  const rows = await on.query<readonly { readonly name: string }[]>(
    'select distinct index_name as name from information_schema.statistics where table_schema = database()',
  )
  const names = new Set(rows.map(({ name }) => name))
  return ALL_KINDS.flatMap(kind =>
    Object.keys(kind.indexes)
      .filter(index => !names.has(nameOfIndex(kind, index)))
      .map(index => ({ kind, index })),
  )
}

/**
 * Checks server and database, and makes the store if there is none, or migrates it to the kinds of this process. If
 * several nodes open one at once, one does so while the others wait. Returns the indexes that are missing.
 *
 * @throws Error with the reason (MA1 to MA5)
 */
export async function openDatabase(on: Connection, log: Log): Promise<readonly MissingIndex[]> {
  await checkServer(on, log)
  const name = "concat('colloquy ', database())"
  const [lock] = await on.query<readonly { readonly held: number | null }[]>(
    `select cast(get_lock(${name}, ${PATIENCE}) as int) as held`,
  )
  if (Number(lock?.held) !== 1) throw new Error('another process makes the store, and does not get done.')
  try {
    const found = await heldStore(on)
    if (found?.is_whole !== 1 || found.number !== KINDS_NUMBER) {
      await makeStore(on, found)
      log.info('The tables of the store were made', { version: SCHEMA_VERSION })
    }
  } finally {
    await on.query(`do release_lock(${name})`).catch(() => on.destroy())
  }
  const { affectedRows } = await on.query<UpsertResult>('update slot set slot = slot where slot = 0')
  if (affectedRows !== 1)
    throw new Error('its sessions count changed rows alone: make the pool with foundRows.')
  return missingIndexes(on)
}
