import type Database from 'better-sqlite3'
import { firstSchema } from './migrations/0001-first-schema.ts'

/** All migrations in order; the first is number 1. A released one never changes. */
const MIGRATIONS: readonly string[] = [firstSchema]

/**
 * Brings a database to the newest schema, in one transaction that other processes wait for.
 * @throws Error for a database that a newer version of this package has written
 */
export function migrate(database: Database.Database, migrations: readonly string[] = MIGRATIONS): void {
  database
    .transaction(() => {
      database.exec(
        'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT',
      )
      const row = database
        .prepare<[], { newest: number | null }>('SELECT max(number) AS newest FROM migrations')
        .get()
      const newest = row?.newest ?? 0
      if (newest > migrations.length) {
        throw new Error(
          `The database has schema ${newest}; this version of @colloquy/adapter-sqlite knows schemas up to ${migrations.length}. Upgrade the package.`,
        )
      }
      const record = database.prepare('INSERT INTO migrations (number, applied_at) VALUES (?, ?)')
      for (const [index, sql] of migrations.entries()) {
        if (index < newest) continue
        database.exec(sql)
        record.run(index + 1, Date.now())
      }
    })
    .immediate()
}
