import { type ColumnValue, type Kind, keyColumns, versionOf } from '@colloquy/core/store'
import { quotedName } from '../database/plain-sql.ts'

/** Type in which a column is sent. */
export type ColumnType = 'text' | 'bigint'

const TYPES = { text: 'text', number: 'bigint' } as const

/** Returns the type of a column; ids are texts. */
export const typeOf = ({ columns }: Kind<unknown>, column: string): ColumnType =>
  column === 'version' ? 'bigint' : TYPES[columns[column]?.type ?? 'text']

/** Returns the columns of a kind that hold single values, without its body. The key comes first. */
export const columnsOf = (kind: Kind<unknown>): readonly string[] => [
  ...new Set([...keyColumns(kind), 'version', ...Object.keys(kind.columns)]),
]

/** Returns the readers of a kind's documents, in the order of {@link columnsOf}. */
export function valuesOf<T>(kind: Kind<T>): readonly ((value: T) => ColumnValue)[] {
  return columnsOf(kind as Kind<never>).map(column =>
    column === 'version' ? (value: T) => versionOf(kind, value) : (kind.columns[column]?.of ?? kind.id),
  )
}

/** Names in a list. */
export const listed = (names: readonly string[], of = ''): string =>
  names.map(name => `${of}${quotedName(name)}`).join(', ')

/** That two rows have the same key. */
export const sameKey = (kind: Kind<unknown>, one: string, other: string): string =>
  keyColumns(kind)
    .map(column => `${one}.${quotedName(column)} = ${other}.${quotedName(column)}`)
    .join(' and ')

/** A column of the rows that are given to a part of a statement. Bodies have no line break, and are sent as lines. */
export interface GivenColumn {
  readonly name: string
  readonly type: ColumnType | 'body'
}
