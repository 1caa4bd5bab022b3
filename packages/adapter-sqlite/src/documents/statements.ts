import {
  columnsOfIndex,
  type Kind,
  keyColumns,
  keyValues,
  orderOf,
  placeValues,
  type Range,
  versionOf,
} from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import { type Define, given, type SqlValue } from '../database/statements.ts'
import { nameOfIndex } from './tables.ts'
import { saidBy, saidValues } from './words.ts'

/**
 * Characters of a body that is written behind all others when it changes. In its place it would move its neighbours as
 * it grows, and SQLite leaves copies of what it has moved in the page, also where that is removed later (SQ75).
 */
const LONG = 1_024

interface Body {
  readonly body: string
}

/** A document as a row: its values in the order of the table's columns. */
export interface Row {
  readonly version: number
  readonly values: readonly SqlValue[]
  /** Its words, which are the last value once they are hashed. */
  readonly words: readonly string[] | null
  readonly isLong: boolean
}

/** Names of columns that are joined. */
const joined = (names: readonly string[]) => sql.join(names.map(name => sql.ref(name)))

const all = (terms: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  terms.length === 0 ? sql`true` : sql.join(terms, sql` and `)

const areGiven = (names: readonly string[]): RawBuilder<unknown> =>
  all(names.map(name => sql`${sql.ref(name)} = ${given}`))

/** The rows of an index that ranges like that hold; those of which a column is null are not among them. */
function heldBy(kind: Kind<unknown>, index: string, range: Range): RawBuilder<unknown> {
  const { after, descending = false, from, prefix, saying, through, where = {} } = range
  const columns = columnsOfIndex(kind, index)
  const order = orderOf(kind, index)
  const terms = columns.map((column, at) =>
    at < prefix.length ? sql`${sql.ref(column)} = ${given}` : sql`${sql.ref(column)} is not null`,
  )
  const next = sql.ref(order[prefix.length] ?? 'id')
  if (from !== undefined) terms.push(sql`${next} >= ${given}`)
  if (through !== undefined) terms.push(sql`${next} <= ${given}`)
  if (after !== undefined) {
    const place = order.slice(prefix.length)
    // Behind the only document that there can be.
    if (place.length === 0) terms.push(sql`false`)
    else {
      const values = sql.join(place.map(() => given))
      terms.push(sql`(${joined(place)}) ${sql.raw(descending ? '<' : '>')} (${values})`)
    }
  }
  for (const column of Object.keys(where))
    terms.push(sql`${sql.ref(column)} in (select value from json_each(${given}))`)
  if (saying !== undefined) terms.push(sql`id in (${saidBy(saying)})`)
  return all(terms)
}

/** What these are given. */
function valuesOf(
  kind: Kind<unknown>,
  index: string,
  range: Range,
  hashOf: (word: string) => string,
): readonly SqlValue[] {
  const { after, from, prefix, saying, through, where = {} } = range
  return [
    ...prefix,
    ...(from === undefined ? [] : [from]),
    ...(through === undefined ? [] : [through]),
    ...(after === undefined ? [] : placeValues(kind, index, after)),
    ...Object.values(where).map(values => JSON.stringify(values)),
    ...(saying === undefined ? [] : saidValues(saying, hashOf)),
  ]
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
  const names = [
    ...new Set([...key, ...Object.keys(columns)]),
    ...['version', 'body', ...(kind.words === undefined ? [] : ['words'])],
  ]
  const before = names.slice(0, names.indexOf('version'))
  const readers = before.map(column => columns[column]?.of ?? kind.id)
  const indexed = [...new Set(Object.values(kind.indexes).flat())].filter(column => !key.includes(column))
  const stand = [...key, ...indexed]
  /** What a write changes where no list is concerned. */
  const changing = names.filter(column => !stand.includes(column))
  const isPlain = !isPermanent && indexed.length === 0 && kind.words === undefined
  // Those with a key are logs: what is put there is mostly new.
  const isChanged = !isPermanent && indexed.length > 0 && kind.key === undefined
  const areSet = sql.join(changing.map(column => sql`${sql.ref(column)} = ${given}`))
  const pick = (row: Row, from: readonly string[]): readonly SqlValue[] =>
    from.map(column => row.values[names.indexOf(column)] ?? null)
  const ofId = (id: string): readonly SqlValue[] => (kind.key === undefined ? [id] : keyValues(kind, id))

  const lists = new Map<string, ReturnType<typeof makeList>>()
  function makeList(index: string, range: Range) {
    const named = nameOfIndex(kind, index)
    // Without being told, SQLite takes another index where it expects fewer rows in a range of that.
    const source = named === null ? table : sql`${table} indexed by ${sql.ref(named)}`
    const direction = sql.raw(range.descending ? 'desc' : 'asc')
    const order = sql.join(orderOf(kind, index).map(column => sql`${sql.ref(column)} ${direction}`))
    const held = heldBy(kind, index, range)
    return {
      bodies: define(
        () =>
          sql<Body>`select body from ${source} where ${held} order by ${order} limit ${given} offset ${given}`,
      ),
      exceeds: define(() => sql`select 1 from ${source} where ${held} limit 1 offset ${given}`),
      clear: define(() => sql`delete from ${source} where ${held}`),
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
  const valuesIn = (index: string, range: Range): readonly SqlValue[] =>
    valuesOf(kind, index, range, word => hashesOf(range.saying?.kind ?? kind)(word))

  const body = define(() => sql<Body>`select body from ${table} where ${areGiven(key)}`)
  const version = define(
    () => sql<{ readonly version: number }>`select version from ${table} where ${areGiven(key)}`,
  )
  const remove = define(() => sql`delete from ${table} where ${areGiven(key)}`)
  const permit = define(() => sql`insert into removal (permitted) values (1)`)
  const forbid = define(() => sql`delete from removal`)
  const insert = sql`insert into ${table} (${joined(names)}) values (${sql.join(names.map(() => given))})`
  const excluded = sql.join(names.map(column => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))
  const upsert = define(() =>
    isPermanent ? insert : sql`${insert} on conflict (${joined(key)}) do update set ${excluded}`,
  )
  const add = define(() => sql`${insert} on conflict (${joined(key)}) do nothing`)
  /** SQLite writes every index of a column that is set, also to the value that it has. */
  const change = define(() => {
    const terms = stand.map(column => sql`${sql.ref(column)} is ${given}`)
    return sql`update ${table} set ${areSet} where ${all(terms)}`
  })
  const over = define(() => sql`update ${table} set ${areSet} where ${areGiven([...key, 'version'])}`)

  return {
    name,
    hasWords: kind.words !== undefined,
    get: (id: string): string | undefined => body.get(...ofId(id))?.body,
    version: (id: string): number => version.get(...ofId(id))?.version ?? 0,
    rowOf(value: unknown): Row {
      const version = versionOf(kind, value)
      const text = JSON.stringify(value)
      const values: SqlValue[] = readers.map(of => of(value))
      values.push(version, text)
      return { version, values, words: kind.words?.(value) ?? null, isLong: text.length > LONG }
    },
    put(row: Row): void {
      if (isChanged && row.version > 1 && change.run(...pick(row, changing), ...pick(row, stand)) > 0) return
      if (isPlain && row.isLong && row.version > 1) remove.run(...pick(row, key))
      if (row.words === null) upsert.run(...row.values)
      else upsert.run(...row.values, row.words.map(hashesOf(kind)).join(' '))
    },
    /** Whether a row is looked for and put by one statement, over one of that version; 0: over none. */
    isPutOver: ({ isLong }: Row, expected: number): boolean => isPlain && (expected === 0 || !isLong),
    /** Puts a row over one of that version; false where there is none. */
    putOver: (row: Row, expected: number): boolean =>
      (expected === 0
        ? add.run(...row.values)
        : over.run(...pick(row, changing), ...pick(row, key), expected)) > 0,
    remove(id: string): void {
      if (isPermanent) permit.run()
      remove.run(...ofId(id))
      if (isPermanent) forbid.run()
    },
    bodies(index: string, range: Range): readonly Body[] {
      const { limit = -1, skip = 0 } = range
      return list(index, range).bodies.all(...valuesIn(index, range), limit, skip)
    },
    holdsMore: (index: string, prefix: Range['prefix'], atMost: number): boolean =>
      list(index, { prefix }).exceeds.get(...prefix, atMost) !== undefined,
    clear(index: string, prefix: Range['prefix']): void {
      list(index, { prefix }).clear.run(...prefix)
    },
  }
}
