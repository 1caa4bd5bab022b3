import { jsonBytes } from './utf8-bytes.ts'

/** The beginning of a list, or of what follows a position in it. */
export interface BoundedPage<Value> {
  readonly values: readonly Value[]
  /** True when more values follow. */
  readonly more: boolean
}

/**
 * Returns the first values: at most `limit`, and as many as have at most `bytes` of UTF-8 as JSON together, but at
 * least one. At most one further row is read.
 */
export function boundedPage<Row, Value>(
  rows: Iterable<Row>,
  make: (row: Row) => Value,
  limit: number,
  bytes = Number.POSITIVE_INFINITY,
): BoundedPage<Value> {
  const values: Value[] = []
  let length = 0
  for (const row of rows) {
    if (values.length === limit) return { values, more: true }
    const value = make(row)
    if (bytes !== Number.POSITIVE_INFINITY) length += jsonBytes(value)
    if (values.length > 0 && length > bytes) return { values, more: true }
    values.push(value)
  }
  return { values, more: false }
}
