import type { CopyKey } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Execute } from '../database/statements.ts'
import type { Table } from '../database/tables.ts'
import { boundText, isList, type Parameters, type SqlValue } from '../database/values.ts'

/** How much is read at a time: so many parts at most, and so many bytes of their rows, one part at least. */
export interface PageBounds {
  readonly count: number
  readonly bytes: number
}

/** How the parts of a kind are read and written. */
export interface Copied<Part> {
  /** In the order of their keys. */
  after(key: CopyKey | null, bounds: PageBounds): Promise<readonly Part[]>
  take(parts: readonly Part[], on: Execute): Promise<void>
  drop(keys: readonly CopyKey[], on: Execute): Promise<void>
}

/** The rows of a table as they are read and written for a copy. */
export interface CopiedTable<Row> {
  /** In the order of the key. */
  rowsAfter(after: CopyKey | null, bounds: PageBounds): Promise<readonly Row[]>
  /** Writes rows over those of their keys. */
  put(rows: readonly Row[], on: Execute): Promise<void>
  drop(keys: readonly CopyKey[], on: Execute): Promise<void>
}

/** What a column holds. A list of texts is sent as one text, since an array of arrays would have to be a rectangle. */
type ColumnType = 'text' | 'bigint' | 'int' | 'boolean' | 'bytea' | 'text[]'

/** Where a list of keys begins: before every text, and every number. */
const BEFORE = { text: '', number: -1 } as const

/** Which rows of a table are copied, and by what they are found. */
export interface CopiedColumns<Row> {
  readonly columns: Readonly<Record<keyof Row & string, ColumnType>>
  /** The columns of the key, in order, each with what it holds. */
  readonly key: readonly (readonly [column: keyof Row & string, holds: keyof typeof BEFORE])[]
}

/** The first rows of a query in the order of its columns `order`, as many as fit into the bounds; one at least. */
export const within = (
  query: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  bytes: RawBuilder<number>,
): RawBuilder<never> => sql<never>`
  select * from (
    select t.*, sum(octet_length(t::text)) over (order by ${order}) as page_bytes,
      row_number() over (order by ${order}) as page_place
    from (${query}) as t
  ) as page where page_bytes <= ${bytes}::bigint or page_place = 1 order by ${order}`

const castOf = (type: ColumnType) => sql.raw(type === 'text' || type === 'text[]' ? 'text' : type)

/** Values of a column for a statement, one for each row. */
const columnOf = (rows: readonly Parameters[], name: string): SqlValue =>
  rows.map(row => {
    const value = row[name] ?? null
    return isList(value) ? boundText(value) : value
  })

/** @param table one whose key does not depend on the database */
export function copiedTable<Row extends Parameters>(
  define: Define,
  table: Table,
  { columns, key }: CopiedColumns<Row>,
): CopiedTable<Row> {
  const names = Object.keys(columns)
  const typeOf = (name: string): ColumnType => columns[name] ?? 'text'
  const list = sql.join(names.map(name => sql.ref(name)))
  const keys = sql.join(key.map(([name]) => sql.ref(name)))
  const update = sql`update set ${sql.join(names.map(name => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`
  const after = define<Parameters>('read a page to copy', { planned: 'each time' })<Row>((t, p) =>
    within(
      sql`select ${list} from ${t(table)}
        where (${keys}) > (${sql.join(key.map(([name]) => sql`${p(name)}::${castOf(typeOf(name))}`))})
        order by ${keys} limit ${p('count')}::bigint`,
      keys,
      sql<number>`${p('bytes')}`,
    ),
  )
  const put = define<Parameters>('take copied parts')(
    (t, p) => sql`
    insert into ${t(table)} (${list}) overriding system value
    select ${sql.join(names.map(name => (typeOf(name) === 'text[]' ? sql`c.${sql.ref(name)}::text[]` : sql`c.${sql.ref(name)}`)))}
    from unnest(${sql.join(names.map(name => sql`${p(name)}::${castOf(typeOf(name))}[]`))}) as c (${list})
    on conflict (${keys}) do ${update}`,
  )
  const drop = define<Parameters>('drop copied parts')(
    (t, p) => sql`
    delete from ${t(table)} where (${keys}) in (
      select * from unnest(${sql.join(key.map(([name]) => sql`${p(name)}::${castOf(typeOf(name))}[]`))}))`,
  )
  return {
    rowsAfter: (given, { count, bytes }) => {
      const first = key.map(([name, holds], index) => [name, given?.[index] ?? BEFORE[holds]])
      return after.all({ ...Object.fromEntries(first), count, bytes })
    },
    async put(rows, on) {
      await put.all(Object.fromEntries(names.map(name => [name, columnOf(rows, name)])), on)
    },
    async drop(given, on) {
      const columns = key.map(([name], index) => [name, given.map(one => one[index] ?? null)])
      await drop.all(Object.fromEntries(columns), on)
    },
  }
}
