import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/all.ts'

/** How to open a store's file. */
export interface DatabaseOptions {
  /** Path of the file; it and its folder are made when missing. `:memory:` keeps everything in memory. */
  readonly filename: string
  /** How long a write waits for another process that is writing, milliseconds. @default 5000 */
  readonly busyTimeout?: number
}

const SYNCHRONOUS_FULL = 2
/** 32 MiB: a page that many writes change is moved from the log into the file once, not after every group. */
const PAGES_BEFORE_CHECKPOINT = 8_192

function pragma(database: Database, name: string, value: string | number, allowed: readonly unknown[]): void {
  database.pragma(`${name} = ${value}`)
  const found = database.pragma(name, { simple: true })
  if (!allowed.includes(found)) {
    throw new Error(`SQLite keeps ${name} at ${String(found)} where ${value} is needed`)
  }
}

/**
 * Opens the file with every setting stated and checked, and brings its schema up to date.
 *
 * @throws Error when a setting does not hold, the schema is newer than this code, or the file is not a database.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const busyTimeout = options.busyTimeout ?? 5_000
  if (!Number.isInteger(busyTimeout) || busyTimeout < 0 || busyTimeout > 0x7fffffff) {
    throw new Error(
      `busyTimeout is ${busyTimeout}; it must be a whole number of milliseconds from 0 to 2147483647`,
    )
  }
  if (options.filename !== ':memory:') mkdirSync(dirname(options.filename), { recursive: true })
  const database = new BetterSqlite3(options.filename, { timeout: busyTimeout })
  try {
    pragma(database, 'busy_timeout', busyTimeout, [busyTimeout])
    pragma(database, 'journal_mode', 'WAL', options.filename === ':memory:' ? ['memory'] : ['wal'])
    // better-sqlite3 is compiled so that WAL alone means NORMAL, which may lose acknowledged writes with the power.
    pragma(database, 'synchronous', 'FULL', [SYNCHRONOUS_FULL])
    pragma(database, 'wal_autocheckpoint', PAGES_BEFORE_CHECKPOINT, [PAGES_BEFORE_CHECKPOINT])
    pragma(database, 'fullfsync', 'ON', [1])
    pragma(database, 'foreign_keys', 'ON', [1])
    pragma(database, 'temp_store', 'MEMORY', [2])
    migrate(database, MIGRATIONS)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
