import type { Containing, Kind, Range } from './documents.ts'
import { columnsOfIndex, orderOf, placeValues } from './row.ts'

type Value = string | number

/**
 * The SQL of a database for the conditions of a list. Values are requested in the order in which they stand in the
 * text.
 */
export interface ListDialect {
  /** Returns the SQL of a name of a table or a column. */
  quoted(name: string): string
  /** Returns the SQL of a parameter that holds a value as the column does. */
  given(value: Value, column: string): string
  /** Returns the condition that a column holds one of these values, of which there may be none. */
  among(column: string, values: readonly Value[]): string
  /** Columns that together come behind these values, or before them. @default values of rows are compared */
  behind?(columns: readonly string[], values: readonly Value[], descending: boolean): string
  /** Returns the query for the ids of documents with these words. */
  idsWith(containing: Containing): string
}

/** Returns the condition for the rows in a part of an index. Rows with a null in one of its columns are in no index. */
export function sqlCondition(kind: Kind<unknown>, index: string, range: Range, dialect: ListDialect): string {
  const { after, descending = false, from, prefix, containing, through, where = {} } = range
  const { among, given, quoted, idsWith } = dialect
  const order = orderOf(kind, index)
  const next = order[prefix.length] ?? 'id'
  const rows = (columns: readonly string[], values: readonly Value[]): string => {
    const own = values.map((value, at) => given(value, columns[at] ?? ''))
    return `(${columns.map(quoted).join(', ')}) ${descending ? '<' : '>'} (${own.join(', ')})`
  }
  const behind = (values: readonly Value[]): string => {
    const place = order.slice(prefix.length)
    // Behind the only document that there can be.
    if (place.length === 0) return 'false'
    return dialect.behind?.(place, values, descending) ?? rows(place, values)
  }
  const terms = [
    ...columnsOfIndex(kind, index).map((column, at) => {
      const value = prefix[at]
      return value === undefined
        ? `${quoted(column)} is not null`
        : `${quoted(column)} = ${given(value, column)}`
    }),
    ...(from === undefined ? [] : [`${quoted(next)} >= ${given(from, next)}`]),
    ...(through === undefined ? [] : [`${quoted(next)} <= ${given(through, next)}`]),
    ...(after === undefined ? [] : [behind(placeValues(kind, index, after))]),
    ...Object.entries(where).map(([column, values]) => among(column, values)),
    ...(containing === undefined ? [] : [`${quoted('id')} in (${idsWith(containing)})`]),
  ]
  return terms.length === 0 ? 'true' : terms.map(term => `(${term})`).join(' and ')
}

/** Returns the order of a part of an index. Empty if it can have one document only. */
export function sqlOrder(
  kind: Kind<unknown>,
  index: string,
  { descending = false, prefix }: Range,
  { quoted }: Pick<ListDialect, 'quoted'>,
): string {
  const columns = orderOf(kind, index).slice(prefix.length)
  const order = columns.map(column => `${quoted(column)} ${descending ? 'desc' : 'asc'}`)
  return order.length === 0 ? '' : `order by ${order.join(', ')}`
}
