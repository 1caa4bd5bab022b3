import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { nodeObjection } from '@colloquy/core/node'
import { UNFINISHED_COPY, UNFINISHED_COPY_REFUSAL } from '@colloquy/core/store'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { BUSY_TIMEOUT, isBusy, LONGEST_TRY } from './lock-waits.ts'
import { hasSchema, makeSchema } from './open-schema.ts'
import { syncPath } from './sync-path.ts'

// The driver loads its binary with the first database, which ends an older Node without a message (SQ111).
const objection = nodeObjection(process.versions.node)
if (objection !== null) throw new Error(objection)

/** Options of a store in a SQLite file. */
export interface SqliteStoreOptions {
  /** Path of the file; it and its folder are made when missing. `:memory:` keeps everything in memory. */
  readonly filename: string
  /**
   * Time that a call waits while another process has locked the file, milliseconds. It waits in short tries, and the
   * process goes on in between. Calls wait in the same way while another process keeps the store from being opened, or
   * its schema from being made.
   * @default 5000
   */
  readonly busyTimeout?: number
  /**
   * True: no other process may have the file open meanwhile. Calls wait for those that do, as for any lock, and later
   * ones wait in the same way until this store is closed. It is for copies, which write to a store that nobody uses: a
   * file with a copy that was cut off can only be opened so.
   * @default false
   */
  readonly exclusive?: boolean
}

/**
 * Page size of a new file, bytes. An older file keeps its own. Each page that a group of writes changes takes
 * two system calls, and two more to move it out of the log. With SQLite's default of 4 KiB a turn takes nearly twice as
 * many.
 */
const PAGE_SIZE = 8_192

/**
 * A page that many writes change is moved from the log into the file once, not after every group; and the write that
 * moves them takes 20 ms longer, not 70.
 */
const BYTES_BEFORE_CHECKPOINT = 8 * 1_024 * 1_024

function pragma(database: Database, name: string, value: string | number, allowed: readonly unknown[]): void {
  database.pragma(`${name} = ${value}`)
  const found = database.pragma(name, { simple: true })
  if (!allowed.includes(found))
    throw new Error(`SQLite keeps ${name} at ${String(found)} where ${value} is needed.`)
}

/**
 * A new file can be read and written only by the user of the process. SQLite gives the files beside it the same mode.
 */
const MODE = 0o600
const FOLDER_MODE = 0o700

/**
 * Returns the missing folders of a path; the uppermost first.
 *
 * @throws Error for a path through something that is not a folder
 */
function missingFolders(folder: string): readonly string[] {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return [...missingFolders(dirname(folder)), folder]
  if (!found.isDirectory()) throw new Error(`ENOTDIR: ${folder} is not a folder.`)
  return []
}

/**
 * Makes a folder and its missing parents, so that they survive a power cut. SQLite syncs only the folder of the file
 * itself. Each folder is made in a call of its own: Node's `recursive` never ends if an existing folder takes no new
 * ones, as in /proc.
 */
function makeFolder(folder: string): void {
  const missing = missingFolders(resolve(folder))
  for (const one of missing) makeOneFolder(one)
  for (const one of missing) syncPath(dirname(one), 'r')
}

function makeOneFolder(folder: string): void {
  try {
    mkdirSync(folder, FOLDER_MODE)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Creates the file and its parent folders; an existing file is left unchanged. */
function makeFile(filename: string): void {
  makeFolder(dirname(filename))
  try {
    closeSync(openSync(filename, 'wx', MODE))
  } catch {
    // It exists already, or cannot be made. SQLite opens it next, and reports why.
  }
}

/**
 * Sets and checks every setting, and makes the schema if there is none. If a lock refuses a step, everything can be
 * retried from the start.
 */
function prepare(
  database: Database,
  { filename, exclusive = false }: SqliteStoreOptions,
  longestTry: number,
): void {
  // Before the file is read: from then on a log is shared.
  if (exclusive) pragma(database, 'locking_mode', 'EXCLUSIVE', ['exclusive'])
  const isMade = hasSchema(database)
  pragma(database, 'busy_timeout', longestTry, [longestTry])
  // Before the first table: a file that has one keeps the size that it was made with.
  database.pragma(`page_size = ${PAGE_SIZE}`)
  pragma(database, 'journal_mode', 'WAL', filename === ':memory:' ? ['memory'] : ['wal'])
  // better-sqlite3 is compiled so that WAL alone means NORMAL, which may lose acknowledged writes with the power.
  pragma(database, 'synchronous', 'FULL', [2])
  const pages = BYTES_BEFORE_CHECKPOINT / Number(database.pragma('page_size', { simple: true }))
  pragma(database, 'wal_autocheckpoint', pages, [pages])
  // A log that grew during a long read is truncated when it starts over.
  pragma(database, 'journal_size_limit', BYTES_BEFORE_CHECKPOINT, [BYTES_BEFORE_CHECKPOINT])
  pragma(database, 'fullfsync', 'ON', [1])
  pragma(database, 'foreign_keys', 'ON', [1])
  pragma(database, 'temp_store', 'MEMORY', [2])
  // Removed data is overwritten, so that it cannot be read from the file.
  pragma(database, 'secure_delete', 'ON', [1])
  if (!isMade) makeSchema(database)
  if (!exclusive) refuseUnfinished(database)
}

/** A copy opens the file for itself alone, and goes on. @throws Error where a copy into the file is not whole (SQ8) */
function refuseUnfinished(database: Database): void {
  const mark = database.prepare('SELECT 1 FROM secret WHERE id = ?').get(UNFINISHED_COPY)
  if (mark !== undefined) throw new Error(`${UNFINISHED_COPY_REFUSAL}.`)
}

/** A database that is open, and what keeps it from being used yet. */
export interface OpenedDatabase {
  readonly database: Database
  /**
   * Preparation to retry until another process has released its lock; throws until then. Null when nothing is left to
   * do.
   */
  readonly prepare: (() => void) | null
}

function open(options: SqliteStoreOptions, longestTry: number): OpenedDatabase {
  const { filename } = options
  if (filename !== ':memory:') makeFile(filename)
  // Waiting must not stop the process: what is refused for a lock is tried again later.
  const database = new BetterSqlite3(filename, { timeout: longestTry })
  try {
    prepare(database, options, longestTry)
    return { database, prepare: null }
  } catch (error) {
    if (isBusy(error)) return { database, prepare: () => prepare(database, options, longestTry) }
    database.close()
    throw error
  }
}

/** Runs it; what it throws names the file. */
function naming<Result>(filename: string, run: () => Result): Result {
  try {
    return run()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The SQLite file ${filename} cannot be opened: ${reason.replace(/\.$/, '')}.`, { cause })
  }
}

/**
 * Opens the file with every setting stated and checked, and makes the schema in a new one. Where another process has
 * locked the file, that is left to be tried again.
 *
 * @throws Error naming the file, when a setting does not hold, or it is no database, or that of another version or
 *   application; its `cause` is the driver's error.
 */
export function openDatabase(options: SqliteStoreOptions): OpenedDatabase {
  const { filename, busyTimeout = BUSY_TIMEOUT } = options
  const { database, prepare } = naming(filename, () => open(options, Math.min(busyTimeout, LONGEST_TRY)))
  return { database, prepare: prepare && (() => naming(filename, prepare)) }
}
