import type { ColumnValue, Kind } from './documents.ts'

/** A document as a row of its table. */
export type DocumentRow = {
  readonly id: string
  readonly version: number
  readonly body: string
} & Readonly<Record<string, ColumnValue>>

/** The row of a document. */
export function rowOf<T>(kind: Kind<T>, value: T): DocumentRow {
  const columns = Object.entries(kind.columns).map(([name, column]) => [name, column.of(value)] as const)
  return {
    id: kind.id(value),
    version: kind.version(value),
    ...Object.fromEntries(columns),
    body: JSON.stringify(value),
  }
}
