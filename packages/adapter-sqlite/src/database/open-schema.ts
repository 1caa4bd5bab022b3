import { hash } from 'node:crypto'
import { PlatformError } from '@colloquy/core'
import {
  ALL_KINDS,
  type Filling,
  type KeptKinds,
  KINDS_NUMBER,
  LATER_VERSION,
  laterKinds,
  SAMPLE_KINDS,
} from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { columnAdded, indexAdded, nameOfIndex, REMOVAL, tablesOf } from '../documents/tables.ts'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/**
 * Tables of every file beside those of its kinds. One row of `schema_version` holds the version of its tables, and
 * their kinds.
 */
const SCHEMA = `CREATE TABLE schema_version (version TEXT NOT NULL, number INTEGER NOT NULL, kinds TEXT NOT NULL) STRICT;\n${REMOVAL}`

/** Version of the tables: the beginning of a hash of those of sample kinds, which never change. */
export const SCHEMA_VERSION = hash(
  'sha256',
  [SCHEMA, tablesOf(SAMPLE_KINDS), ...SAMPLE_KINDS.map(kind => indexAdded(kind, 'one'))].join('\n'),
  'hex',
).slice(0, 12)

interface FoundSchema {
  readonly version: string
  readonly number: number
  readonly kinds: string
}

/** Returns the columns of a table; an empty text if it does not exist. */
const columnsOf = (database: Database, table: string): string =>
  database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) ORDER BY cid')
    .pluck()
    .all(table)
    .join()

/** @throws Error for a file that another version has made (SQ4) */
function refuseVersion(): never {
  throw new Error(
    'it was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new file.',
  )
}

/**
 * Returns the schema of the file; null if nothing is in it. It reads alone: what is refused stays as it is.
 *
 * @throws Error for a file of a later version, or whose tables are made otherwise, or of another application (SQ4)
 */
function heldSchema(database: Database): FoundSchema | null {
  const columns = columnsOf(database, 'schema_version')
  if (columns === 'version,number,kinds') {
    const found = database.prepare<unknown[], FoundSchema>('SELECT * FROM schema_version').get()
    if (found?.version !== SCHEMA_VERSION) refuseVersion()
    if (found.number <= KINDS_NUMBER) return found
    throw new Error('it is one of a later version of Colloquy. Use that version, or a later one.')
  }
  // Tables of earlier versions.
  if (columns === 'version' || columnsOf(database, 'schema_migration') === 'version,name,applied_at')
    refuseVersion()
  const tables = database
    .prepare<unknown[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()
  if (tables.length === 0) return null
  const named = tables.slice(0, MAX_NAMED).join(', ')
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `it holds tables of another application, ${named}${more}. Name a new file, or one that Colloquy has made.`,
  )
}

/**
 * Reports whether the file has the tables of these kinds: nothing is to be made.
 *
 * @throws Error as {@link heldSchema} does
 */
export const hasSchema = (database: Database): boolean => heldSchema(database)?.number === KINDS_NUMBER

/**
 * Makes the schema, or migrates it to these kinds, in one transaction that reads no document. If several processes
 * start at once, one does it while the others wait.
 */
export function makeSchema(database: Database): void {
  const make = database.transaction(() => {
    const found = heldSchema(database)
    if (found?.number === KINDS_NUMBER) return
    const before: KeptKinds | null = found && JSON.parse(found.kinds)
    const bodies =
      found === null ? [] : database.prepare<[], string>('SELECT body FROM filling').pluck().all()
    const later = laterKinds(
      before,
      bodies.map((body): Filling => JSON.parse(body)),
      ALL_KINDS,
    )
    if (found === null) database.exec(SCHEMA)
    database.exec(tablesOf(later.tables))
    for (const { column, kind } of later.columns) database.exec(columnAdded(kind, column))
    for (const { index, kind } of later.indexes)
      if (nameOfIndex(kind, index) !== null) database.exec(indexAdded(kind, index))
    const fill = database.prepare('INSERT OR REPLACE INTO filling (id, version, body) VALUES (?, ?, ?)')
    for (const filling of later.fillings) fill.run(filling.kind, filling.version, JSON.stringify(filling))
    database.exec('DELETE FROM schema_version')
    database
      .prepare('INSERT INTO schema_version VALUES (?, ?, ?)')
      .run(SCHEMA_VERSION, KINDS_NUMBER, JSON.stringify(later.kept))
  })
  make.immediate()
}

/** Checks, within a write, that no later version has opened the file. */
export function createKindsCheck(database: Database): () => void {
  // Not before the schema is there.
  let number: ReturnType<typeof database.prepare<[], number>> | undefined
  return () => {
    number ??= database.prepare<[], number>('SELECT number FROM schema_version').pluck()
    if (number.get() !== KINDS_NUMBER)
      throw new PlatformError('STORE_BUSY', `SQLite could not write documents: ${LATER_VERSION}`)
  }
}
