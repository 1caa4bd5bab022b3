import type { Database } from 'better-sqlite3'
import { defineSearchFunctions } from './migrations/search-functions.ts'

/** One step of the schema. Versions count from 1 without gaps. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  /** What SQL alone cannot do, after it and in the same transaction. */
  readonly run?: (database: Database) => void
}

const TABLE = `
CREATE TABLE IF NOT EXISTS schema_migration (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`

const version = (database: Database): number =>
  database
    .prepare<unknown[], number>('SELECT coalesce(max(version), 0) FROM schema_migration')
    .pluck()
    .get() ?? 0

/** The schema's version, read without a write lock, which another process may hold for long. */
const versionNow = (database: Database): number => {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'").get()
  return table === undefined ? 0 : version(database)
}

/** The version, which must not be one after the newest. */
function known(current: number, newest: number): number {
  if (current <= newest) return current
  throw new Error(
    `The database has schema version ${current}, and this version of @colloquy/adapter-sqlite knows none after ${newest}: use the version that wrote it, or a newer one.`,
  )
}

/**
 * Brings a file to the newest schema: all missing migrations in one transaction, or none of them. Of several processes
 * that start at once one does it and the others wait for it.
 *
 * @throws Error when the file's schema is newer than the newest migration known here; the file is left as it was.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  defineSearchFunctions(database)
  const newest = migrations.length
  if (known(versionNow(database), newest) === newest) return
  const run = database.transaction(() => {
    database.exec(TABLE)
    const current = known(version(database), newest)
    const record = database.prepare(
      "INSERT INTO schema_migration (version, name, applied_at) VALUES (?, ?, unixepoch('now') * 1000)",
    )
    for (const migration of migrations.slice(current)) {
      database.exec(migration.sql)
      migration.run?.(database)
      record.run(migration.version, migration.name)
    }
  })
  run.immediate()
}
