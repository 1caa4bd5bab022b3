import { hash } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { SCHEMA } from '../documents/tables.ts'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/** The schema that a file has: the beginning of a hash of what makes it, without its comments. */
export const SCHEMA_VERSION = hash('sha256', SCHEMA.replace(/^ *--.*/gm, ''), 'hex').slice(0, 12)

const VERSION_TABLE = 'CREATE TABLE schema_version (version TEXT NOT NULL) STRICT'

/** Which columns a table has; none where it is not there. */
const columnsOf = (database: Database, table: string): string =>
  database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?) ORDER BY cid')
    .pluck()
    .all(table)
    .join()

/** @throws Error for a file that another version has made (SQ12) */
function refuseVersion(): never {
  throw new Error(
    'it was made by another version of Colloquy. Until 0.1.0 a store is read by the version that made it alone: use that version, or name a new file.',
  )
}

/**
 * Whether the file has the schema; false for one in which nothing is. It reads alone: what is refused stays as it is.
 *
 * @throws Error for a file of another version, or of another application (SQ6)
 */
export function hasSchema(database: Database): boolean {
  if (columnsOf(database, 'schema_version') === 'version') {
    const version = database.prepare<unknown[], string>('SELECT version FROM schema_version').pluck().get()
    return version === SCHEMA_VERSION || refuseVersion()
  }
  // What the first versions kept.
  if (columnsOf(database, 'schema_migration') === 'version,name,applied_at') refuseVersion()
  const tables = database
    .prepare<unknown[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()
  if (tables.length === 0) return false
  const named = tables.slice(0, MAX_NAMED).join(', ')
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `it holds tables of another application, ${named}${more}. Name a new file, or one that Colloquy has made.`,
  )
}

/** Makes the schema in one transaction. Of several processes that start at once one does it, and the others wait. */
export function makeSchema(database: Database): void {
  const make = database.transaction(() => {
    if (hasSchema(database)) return
    database.exec(`${VERSION_TABLE};\n${SCHEMA}`)
    database.prepare('INSERT INTO schema_version (version) VALUES (?)').run(SCHEMA_VERSION)
  })
  make.immediate()
}
