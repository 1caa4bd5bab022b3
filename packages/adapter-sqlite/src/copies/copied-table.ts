import type { CopyKey } from '@colloquy/core/store'
import { type Selectable, sql } from 'kysely'
import type { Define, Parameters } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'

/** The rows of a table whose key does not depend on the file, as they are read and written for a copy. */
export interface CopiedTable<Row> {
  /** In the order of the key. */
  rowsAfter(after: CopyKey | null, count: number): IterableIterator<Row>
  /** Writes a row over the one of its key. */
  put(row: Parameters): void
  drop(key: CopyKey): void
}

type Column<Name extends keyof Schema> = keyof Schema[Name] & string

/** Where a list of keys begins: before every text, and every number. */
const BEFORE = { text: '', number: -1 } as const

/** @param key the columns of the key, in order, each with what it holds */
export function copiedTable<Name extends keyof Schema & string>(
  define: Define,
  table: Name,
  columns: readonly Column<Name>[],
  key: readonly (readonly [column: Column<Name>, holds: keyof typeof BEFORE])[],
): CopiedTable<Selectable<Schema[Name]>> {
  const keys = key.map(([column]) => column)
  const names = sql.join(keys.map(name => sql.ref(name)))
  const after = define<Parameters>()((db, p) =>
    sql<Selectable<Schema[Name]>>`
      select * from ${sql.table(table)} where (${names}) > (${sql.join(keys.map(name => p(name)))})
      order by ${names} limit ${p('count')}`.compile(db),
  )
  const put = define<Parameters>()((db, p) =>
    sql<never>`
      insert into ${sql.table(table)} (${sql.join(columns.map(name => sql.ref(name)))})
      values (${sql.join(columns.map(name => p(name)))})
      on conflict (${names}) do update set ${sql.join(
        columns.map(name => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
      )}`.compile(db),
  )
  const drop = define<Parameters>()((db, p) =>
    sql<never>`
      delete from ${sql.table(table)} where (${names}) = (${sql.join(keys.map(name => p(name)))})`.compile(
      db,
    ),
  )
  const keyed = (given: CopyKey | null): Record<string, string | number> =>
    Object.fromEntries(key.map(([column, holds], index) => [column, given?.[index] ?? BEFORE[holds]]))
  return {
    rowsAfter: (given, count) => after.each({ ...keyed(given), count }),
    put: row => void put.run(row),
    drop: given => void drop.run(keyed(given)),
  }
}
