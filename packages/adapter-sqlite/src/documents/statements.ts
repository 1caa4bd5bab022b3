import {
  columnsOfIndex,
  type DocumentRow,
  type Kind,
  keyColumns,
  keyValues,
  orderOf,
  placeValues,
  type Range,
  rowOf,
} from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Parameters, SqlValue } from '../database/statements.ts'
import { nameOfIndex } from './tables.ts'
import { saidBy, saidParameters } from './words.ts'

/**
 * Characters of a body that is written behind all others when it changes. In its place it would move its neighbours as
 * it grows, and SQLite leaves copies of what it has moved in the page, also where that is removed later (SQ75).
 */
const LONG = 1_024

type Row = { readonly body: string }

/** A row with the words of its kind. */
export interface WordedRow {
  readonly row: DocumentRow
  readonly words: readonly string[] | null
}

type Place = (name: string) => RawBuilder<SqlValue>

/** Names of columns that are joined. */
const joined = (names: readonly string[]) => sql.join(names.map(name => sql.ref(name)))

/** The rows of an index that ranges like that hold; those of which a column is null are not among them. */
function heldBy(kind: Kind<unknown>, index: string, range: Range, p: Place): RawBuilder<boolean> {
  const { after, descending = false, from, prefix, saying, through, where = {} } = range
  const columns = columnsOfIndex(kind, index)
  const order = orderOf(kind, index)
  const terms = columns.map((column, at) =>
    at < prefix.length ? sql`${sql.ref(column)} = ${p(`p${at}`)}` : sql`${sql.ref(column)} is not null`,
  )
  const next = sql.ref(order[prefix.length] ?? 'id')
  if (from !== undefined) terms.push(sql`${next} >= ${p('from')}`)
  if (through !== undefined) terms.push(sql`${next} <= ${p('through')}`)
  if (after !== undefined) {
    const place = order.slice(prefix.length)
    const given = place.map((_, at) => p(`a${at}`))
    // Behind the only document that there can be.
    if (place.length === 0) terms.push(sql`false`)
    else terms.push(sql`(${joined(place)}) ${sql.raw(descending ? '<' : '>')} (${sql.join(given)})`)
  }
  for (const [at, column] of Object.keys(where).entries())
    terms.push(sql`${sql.ref(column)} in (select value from json_each(${p(`w${at}`)}))`)
  if (saying !== undefined) terms.push(sql`id in (${saidBy(saying, p)})`)
  return terms.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(terms, sql` and `)}`
}

/** The statements about a kind, prepared. */
export function documentStatements(
  define: Define,
  kind: Kind<unknown>,
  hashesOf: (kind: Kind<unknown>) => (word: string) => string,
) {
  const { columns, isPermanent, name } = kind
  const table = sql.table(name)
  const key = keyColumns(kind)
  const ofWords = kind.words === undefined ? [] : ['words']
  const given = [...new Set([...key, ...Object.keys(columns)]), 'version', 'body', ...ofWords]
  const indexed = [...new Set(Object.values(kind.indexes).flat())].filter(column => !key.includes(column))
  /** What a write changes where no list is concerned. */
  const plain = given.filter(column => !key.includes(column) && !indexed.includes(column))
  const set = (names: readonly string[], value: (column: string) => RawBuilder<unknown>) =>
    sql.join(names.map(column => sql`${sql.ref(column)} = ${value(column)}`))
  const isIt = (p: Place) =>
    sql.join(
      key.map((column, at) => sql`${sql.ref(column)} = ${p(`k${at}`)}`),
      sql` and `,
    )
  const keyParameters = (values: readonly (string | number)[]): Parameters =>
    Object.fromEntries(values.map((value, at) => [`k${at}`, value]))
  const ofId = (id: string): Parameters =>
    kind.key === undefined ? { k0: id } : keyParameters(keyValues(kind, id))

  /** What a range asks for: its prefix as `p0`, `p1` …, its place as `a0` …, the values that are wanted as `w0` … */
  function parametersOf(index: string, range: Range): Parameters {
    const { after, from = null, limit = -1, prefix, saying, skip = 0, through = null, where = {} } = range
    const place = after === undefined ? [] : placeValues(kind, index, after)
    return {
      ...Object.fromEntries(prefix.map((value, at) => [`p${at}`, value])),
      ...Object.fromEntries(place.map((value, at) => [`a${at}`, value])),
      ...Object.fromEntries(Object.values(where).map((values, at) => [`w${at}`, JSON.stringify(values)])),
      ...(saying === undefined ? {} : saidParameters(saying, hashesOf(saying.kind))),
      ...{ from, through, limit, skip },
    }
  }

  const lists = new Map<string, ReturnType<typeof makeList>>()
  function makeList(index: string, range: Range) {
    const named = nameOfIndex(kind, index)
    // Without being told, SQLite takes another index where it expects fewer rows in a range of that.
    const source = named === null ? table : sql`${table} indexed by ${sql.ref(named)}`
    const direction = sql.raw(range.descending ? 'desc' : 'asc')
    const order = sql.join(orderOf(kind, index).map(column => sql`${sql.ref(column)} ${direction}`))
    return {
      rows: define<Parameters>()((db, p) =>
        sql<Row>`select body from ${source} where ${heldBy(kind, index, range, p)}
          order by ${order} limit ${p('limit')} offset ${p('skip')}`.compile(db),
      ),
      exceeds: define<Parameters>()((db, p) =>
        sql<{ readonly one: 1 }>`select 1 as one from ${source} where ${heldBy(kind, index, range, p)}
          limit 1 offset ${p('atMost')}`.compile(db),
      ),
      clear: define<Parameters>()((db, p) =>
        sql`delete from ${source} where ${heldBy(kind, index, range, p)}`.compile(db),
      ),
    }
  }
  /** The statements for ranges like that. */
  function list(index: string, range: Range) {
    const { after, descending = false, from, prefix, saying, through, where = {} } = range
    const bounds = [from, through, after, saying].map(bound => bound !== undefined)
    const sought = saying?.words.map(some => some.length)
    const shape = `${index} ${prefix.length} ${bounds} ${descending} ${Object.keys(where)} ${sought}`
    const known = lists.get(shape) ?? makeList(index, range)
    lists.set(shape, known)
    return known
  }

  const body = define<Parameters>()((db, p) =>
    sql<Row>`select body from ${table} where ${isIt(p)}`.compile(db),
  )
  const version = define<Parameters>()((db, p) =>
    sql<{ readonly version: number }>`select version from ${table} where ${isIt(p)}`.compile(db),
  )
  const remove = define<Parameters>()((db, p) => sql`delete from ${table} where ${isIt(p)}`.compile(db))
  const permit = define()(db => sql`insert into removal (permitted) values (1)`.compile(db))
  const forbid = define()(db => sql`delete from removal`.compile(db))
  const upsert = define<Parameters>()((db, p) =>
    sql`insert into ${table} (${joined(given)}) values (${sql.join(given.map(column => p(column)))})
      ${isPermanent ? sql`` : sql`on conflict (${joined(key)}) do update set ${set(given, column => sql.ref(`excluded.${column}`))}`}`.compile(
      db,
    ),
  )
  /** SQLite writes every index of a column that is set, also to the value that it has. */
  const change = define<Parameters>()((db, p) => {
    const stand = [...key, ...indexed].map(column => sql`${sql.ref(column)} is ${p(column)}`)
    return sql`update ${table} set ${set(plain, p)} where ${sql.join(stand, sql` and `)}`.compile(db)
  })
  const isPlain = !isPermanent && indexed.length === 0 && kind.words === undefined
  // Those with a key are logs: what is put there is mostly new.
  const isChanged = !isPermanent && indexed.length > 0 && kind.key === undefined
  const over = define<Parameters>()((db, p) =>
    sql`update ${table} set ${set(plain, p)} where ${isIt(p)} and version = ${p('expected')}`.compile(db),
  )

  return {
    name,
    get: (id: string): string | undefined => body.get(ofId(id))?.body,
    version: (id: string): number => version.get(ofId(id))?.version ?? 0,
    rowOf: (value: unknown): WordedRow => ({ row: rowOf(kind, value), words: kind.words?.(value) ?? null }),
    put({ row: given, words }: WordedRow): void {
      const row = words === null ? given : { ...given, words: words.map(hashesOf(kind)).join(' ') }
      if (isChanged && row.version > 1 && change.run(row) > 0) return
      if (isPlain && row.body.length > LONG) remove.run(keyParameters(key.map(column => row[column] ?? '')))
      upsert.run(row)
    },
    /** Whether a row is looked at and put by one statement. */
    isPutOver: ({ row }: WordedRow): boolean => isPlain && row.body.length <= LONG,
    /** Puts a row over one of that version; false where there is none. */
    putOver: ({ row }: WordedRow, id: string, expected: number): boolean =>
      over.run({ ...row, ...ofId(id), expected }) > 0,
    remove(id: string): void {
      if (isPermanent) permit.run({})
      remove.run(ofId(id))
      if (isPermanent) forbid.run({})
    },
    bodies: (index: string, range: Range): readonly Row[] =>
      list(index, range).rows.all(parametersOf(index, range)),
    holdsMore: (index: string, prefix: Range['prefix'], atMost: number): boolean =>
      list(index, { prefix }).exceeds.get({ ...parametersOf(index, { prefix }), atMost }) !== undefined,
    clear(index: string, prefix: Range['prefix']): void {
      list(index, { prefix }).clear.run(parametersOf(index, { prefix }))
    },
  }
}
