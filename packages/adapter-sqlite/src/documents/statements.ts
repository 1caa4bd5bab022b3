import {
  type Kind,
  keyColumns,
  keyValues,
  type ListDialect,
  orderOf,
  type Range,
  sqlCondition,
  sqlOrder,
  versionOf,
} from '@colloquy/core/store'
import { type Define, quoted, type SqlValue, type Statement } from '../database/statements.ts'
import { nameOfIndex } from './tables.ts'
import { idsWithWords } from './words.ts'

/**
 * Characters of a body that is written behind all others when it changes, as those of logs always are. In its place it
 * would move its neighbours as it grows, and SQLite leaves copies of what it has moved in the page, also where that is
 * removed later (SQ75).
 */
const LONG = 1_024

/** A document as a row: its values in the order of the table's columns. */
export interface Row {
  readonly version: number
  readonly values: readonly SqlValue[]
  /** Its words, which are the last value once they are hashed. */
  readonly words: readonly string[] | null
  readonly isLong: boolean
}

const listed = (names: readonly string[]): string => names.map(quoted).join(', ')

const areGiven = (names: readonly string[], sign = '='): string =>
  names.map(name => `${quoted(name)} ${sign} ?`).join(' and ')

/** Finds what hashes the words of a kind. */
type HashesOf = (kind: Kind<unknown>) => (word: string) => string

/** Creates the dialect of statements. Values are collected in the order in which they are asked for. */
function createDialect(hashesOf: HashesOf) {
  const values: SqlValue[] = []
  const given = (value: SqlValue): string => {
    values.push(value)
    return '?'
  }
  const dialect: ListDialect = {
    quoted,
    given,
    among: (column, wanted) =>
      `${quoted(column)} in (select value from json_each(${given(JSON.stringify(wanted))}))`,
    idsWith: containing => idsWithWords(containing, hashesOf(containing.kind), given),
  }
  return { dialect, values }
}

/** Statements about a part of an index. */
type Asked = 'bodies' | 'more' | 'clear'

/** Returns the statements about parts of a kind's indexes, prepared once each. */
function listStatements(define: Define, kind: Kind<unknown>, hashesOf: HashesOf) {
  const { name } = kind
  const key = keyColumns(kind)
  const typeOf = define<string>('select type from sqlite_schema where name = ?')
  const areLater = new Map<string, boolean>()
  /** Reports whether an index came later: then it is a table of its own. */
  function isLater(named: string): boolean {
    const isTable = areLater.get(named) ?? typeOf.get(named) === 'table'
    areLater.set(named, isTable)
    return isTable
  }
  const known = new Map<string, Statement<string>>()
  /** Returns the SQL for a part of an index. `later` is the table that stands for an index that came later. */
  function textOf(what: Asked, index: string, range: Range, dialect: ListDialect): string {
    const named = nameOfIndex(kind, index)
    const later = named !== null && isLater(named) ? named : null
    // Without a hint SQLite uses another index, if it expects fewer rows in a range of that.
    const own = named === null ? name : `${name} indexed by ${named}`
    const source =
      later === null ? own : `${later} cross join ${name} using (${listed(orderOf(kind, index))})`
    const condition = sqlCondition(kind, index, range, dialect)
    if (what === 'more') return `select 1 from ${source} where ${condition} limit 1 offset ?`
    if (what === 'bodies')
      return `select body from ${source} where ${condition} ${sqlOrder(kind, index, range, dialect)} limit ? offset ?`
    return later === null
      ? `delete from ${source} where ${condition}`
      : `delete from ${name} where (${listed(key)}) in (select ${listed(key)} from ${later} where ${condition})`
  }
  /** Returns a statement, prepared once, with what it is given. Most ranges are found without their text. */
  function about(what: Asked, index: string, range: Range) {
    const { after, containing, descending, from, prefix, through, where } = range
    const isPlain = (after ?? containing ?? where) === undefined
    const shape = [what, index, prefix.length, from === undefined, through === undefined, descending].join()
    const found = isPlain ? known.get(shape) : undefined
    if (found !== undefined) {
      const values = [...prefix]
      if (from !== undefined) values.push(from)
      if (through !== undefined) values.push(through)
      return { statement: found, values }
    }
    const { dialect, values } = createDialect(hashesOf)
    const sql = textOf(what, index, range, dialect)
    const statement = known.get(sql) ?? define<string>(sql)
    known.set(isPlain ? shape : sql, statement)
    return { statement, values }
  }

  return {
    bodies(index: string, range: Range): readonly string[] {
      const { limit = -1, skip = 0 } = range
      const { statement, values } = about('bodies', index, range)
      return statement.all(...values, limit, skip)
    },
    holdsMore(index: string, prefix: Range['prefix'], atMost: number): boolean {
      const { statement, values } = about('more', index, { prefix })
      return statement.get(...values, atMost) !== undefined
    },
    clear(index: string, prefix: Range['prefix']): void {
      const { statement, values } = about('clear', index, { prefix })
      statement.run(...values)
    },
  }
}

/** A document that is to be at a version while another one is added; 0: it is not there. */
export interface Beside {
  readonly run: { readonly name: string; readonly isAtVersion: string }
  readonly key: readonly SqlValue[]
  readonly version: number
}

/**
 * Returns a function that adds a row if there is none, and others are at their versions. It is false if one of these
 * does not hold.
 */
function addStatements(define: Define, name: string, names: readonly string[], key: readonly string[]) {
  const known = new Map<string, Statement<unknown>>()
  function statementOf(beside: readonly Beside[]): Statement<unknown> {
    const others = beside.map(({ run }) => run.name).join()
    const found = known.get(others)
    if (found !== undefined) return found
    const row = `select ${names.map(() => '?').join(', ')}`
    const conditions = beside.map(({ run }) => run.isAtVersion).join(' and ') || 'true'
    const made = define(
      `insert into ${name} (${listed(names)}) ${row} where ${conditions} on conflict (${listed(key)}) do nothing`,
    )
    known.set(others, made)
    return made
  }
  return ({ values }: Row, beside: readonly Beside[]): boolean =>
    statementOf(beside).run(...values, ...beside.flatMap(({ key, version }) => [...key, version])) > 0
}

/** The statements about a kind. */
export type Statements = ReturnType<typeof documentStatements>

/** Returns the statements about a kind, prepared. */
export function documentStatements(define: Define, kind: Kind<unknown>, hashesOf: HashesOf) {
  const { columns, isPermanent, name } = kind
  const key = keyColumns(kind)
  const names = [
    ...new Set([...key, ...Object.keys(columns)]),
    ...['version', 'body', ...(kind.words === undefined ? [] : ['words'])],
  ]
  const before = names.slice(0, names.indexOf('version'))
  const readers = before.map(column => columns[column]?.of ?? kind.id)
  const indexed = [...new Set(Object.values(kind.indexes).flat())].filter(column => !key.includes(column))
  const stand = [...key, ...indexed]
  /** Columns that a write changes if it concerns no list. */
  const changing = names.filter(column => !stand.includes(column))
  const isPlain = !isPermanent && indexed.length === 0 && kind.words === undefined
  // Kinds with a key are logs: a put there is mostly new.
  const isChanged = !isPermanent && indexed.length > 0 && kind.key === undefined
  const areSet = changing.map(column => `${quoted(column)} = ?`).join(', ')
  const pick = (row: Row, from: readonly string[]): readonly SqlValue[] =>
    from.map(column => row.values[names.indexOf(column)] ?? null)

  const body = define<string>(`select body from ${name} where ${areGiven(key)}`)
  const version = define<number>(`select version from ${name} where ${areGiven(key)}`)
  const remove = define(`delete from ${name} where ${areGiven(key)}`)
  const permit = define('insert into removal (permitted) values (1)')
  const forbid = define('delete from removal')
  const insert = `insert into ${name} (${listed(names)}) values (${names.map(() => '?').join(', ')})`
  const excluded = names.map(column => `${quoted(column)} = excluded.${quoted(column)}`).join(', ')
  const upsert = define(
    isPermanent ? insert : `${insert} on conflict (${listed(key)}) do update set ${excluded}`,
  )
  const add = addStatements(define, name, names, key)
  /** SQLite writes every index of a column that is set, also to the value that it has. */
  const change = define(`update ${name} set ${areSet} where ${areGiven(stand, 'is')}`)
  /** Runs what changes documents, also where they are permanent. */
  function permitted(run: () => void): void {
    if (isPermanent) permit.run()
    run()
    if (isPermanent) forbid.run()
  }

  return {
    name,
    hasWords: kind.words !== undefined,
    /** A document that is not there yet is put by `add`. */
    canAdd: !isPermanent && kind.words === undefined,
    keyOf: (id: string): readonly SqlValue[] => keyValues(kind, id),
    /** Columns of the key are a row's first ones. */
    keyOfRow: ({ values }: Row): readonly SqlValue[] => values.slice(0, key.length),
    get: (key: readonly SqlValue[]): string | undefined => body.get(...key),
    /** 0 if there is no such document. */
    version: (key: readonly SqlValue[]): number => version.get(...key) ?? 0,
    rowOf(value: unknown): Row {
      const version = versionOf(kind, value)
      const text = JSON.stringify(value)
      const values: SqlValue[] = readers.map(of => of(value))
      values.push(version, text)
      return {
        version,
        values,
        words: kind.words?.(value) ?? null,
        isLong: kind.key !== undefined || text.length > LONG,
      }
    },
    isChanged,
    /** @param isMostlyNew there is hardly a row to change */
    put(row: Row, isMostlyNew = false): void {
      if (
        isChanged &&
        !isMostlyNew &&
        row.version > 1 &&
        change.run(...pick(row, changing), ...pick(row, stand)) > 0
      )
        return
      if (isPlain && row.isLong && row.version > 1) remove.run(...pick(row, key))
      if (row.words === null) upsert.run(...row.values)
      else upsert.run(...row.values, row.words.map(hashesOf(kind)).join(' '))
    },
    /** The condition that a document is at a version; both are given. */
    isAtVersion: `coalesce((select version from ${name} where ${areGiven(key)}), 0) = ?`,
    add,
    permitted,
    remove: (key: readonly SqlValue[]): void => permitted(() => void remove.run(...key)),
    ...listStatements(define, kind, hashesOf),
  }
}
