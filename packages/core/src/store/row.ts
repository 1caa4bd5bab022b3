import type { ColumnValue, Kind, Range } from './documents.ts'

/**
 * Returns the columns of an index. None for `id`.
 *
 * @throws Error if the kind has no such index
 */
export function columnsOfIndex({ indexes, name }: Kind<unknown>, index: string): readonly string[] {
  const columns = index === 'id' ? [] : indexes[index]
  if (columns === undefined) throw new Error(`Documents of the kind ${name} have no index ${index}.`)
  return columns
}

/** Returns the columns that identify a document of its kind. */
export const keyColumns = ({ key }: Kind<unknown>): readonly string[] => key ?? ['id']

/** Returns the values of these columns for an id. */
export const keyValues = ({ key }: Kind<unknown>, id: string): readonly (string | number)[] =>
  key === undefined ? [id] : JSON.parse(id)

/** Returns all columns by which an index is ordered: its own, and those of the key behind them. */
export function orderOf(kind: Kind<unknown>, index: string): readonly string[] {
  return [...new Set([...columnsOfIndex(kind, index), ...keyColumns(kind)])]
}

/** Returns the values of a place behind a prefix: as {@link orderOf} has columns. */
export function placeValues(kind: Kind<unknown>, index: string, after: Range['after'] = []) {
  const own = columnsOfIndex(kind, index)
  const key = keyColumns(kind).flatMap((column, at) =>
    own.includes(column) ? [] : [keyValues(kind, String(after.at(-1)))[at] ?? ''],
  )
  return [...after.slice(0, -1), ...key]
}

/** A document as a row of its table, without the words of its kind. */
export type DocumentRow = {
  readonly version: number
  readonly body: string
} & Readonly<Record<string, ColumnValue>>

/**
 * Returns the version of a document.
 *
 * @throws Error for one that counts from below 1: it would be taken for a missing one
 */
export function versionOf<T>(kind: Kind<T>, value: T): number {
  const version = kind.version(value)
  if (version >= 1) return version
  throw new Error(`A ${kind.name} has the version ${version}: versions count from 1.`)
}

/** Returns the row of a document. */
export function rowOf<T>(kind: Kind<T>, value: T): DocumentRow {
  const row: Record<string, ColumnValue> = {}
  if (kind.key === undefined) row.id = kind.id(value)
  for (const name in kind.columns) row[name] = kind.columns[name]?.of(value) ?? null
  return { ...row, version: versionOf(kind, value), body: JSON.stringify(value) }
}
