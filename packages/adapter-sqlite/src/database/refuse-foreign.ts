import type { Database } from 'better-sqlite3'

/** Tables that are named in a refusal; further ones are left out. */
const MAX_NAMED = 5

/** The columns of the table in which a store records its migrations. */
const RECORD = ['version', 'name', 'applied_at']

/**
 * Refuses a file in which another application keeps its tables (SQ6). It reads alone: what is refused stays as it is.
 *
 * @throws Error naming tables that it holds
 */
export function refuseForeign(database: Database): void {
  const tables = database
    .prepare<unknown[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .pluck()
    .all()
  if (tables.length === 0) return
  const columns = database
    .prepare<unknown[], string>("SELECT name FROM pragma_table_info('schema_migration') ORDER BY cid")
    .pluck()
    .all()
  if (columns.join() === RECORD.join()) return
  const named = tables.slice(0, MAX_NAMED).join(', ')
  const more = tables.length > MAX_NAMED ? ` and ${tables.length - MAX_NAMED} more` : ''
  throw new Error(
    `it holds tables of another application, ${named}${more}. Name a new file, or one that Colloquy has made.`,
  )
}
