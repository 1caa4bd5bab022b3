import type { ColumnValue, Kind } from './documents.ts'

/**
 * The columns by which an index goes; none for `id`.
 *
 * @throws Error where the kind has no such index
 */
export function columnsOfIndex({ indexes, name }: Kind<unknown>, index: string): readonly string[] {
  const columns = index === 'id' ? [] : indexes[index]
  if (columns === undefined) throw new Error(`Documents of the kind ${name} have no index ${index}.`)
  return columns
}

/** A document as a row of its table. */
export type DocumentRow = {
  readonly id: string
  readonly version: number
  readonly body: string
} & Readonly<Record<string, ColumnValue>>

/**
 * The version of a document.
 *
 * @throws Error for one that counts from below 1: it would be taken for one that is not there
 */
export function versionOf<T>(kind: Kind<T>, value: T): number {
  const version = kind.version(value)
  if (version >= 1) return version
  throw new Error(`A ${kind.name} has the version ${version}: versions count from 1.`)
}

/** The row of a document. */
export function rowOf<T>(kind: Kind<T>, value: T): DocumentRow {
  const columns = Object.entries(kind.columns).map(([name, column]) => [name, column.of(value)] as const)
  return {
    id: kind.id(value),
    version: versionOf(kind, value),
    ...Object.fromEntries(columns),
    body: JSON.stringify(value),
  }
}
