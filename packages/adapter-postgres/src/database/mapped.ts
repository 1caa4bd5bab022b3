/** A row as a value; null for none. */
export const mapped = <Row, Value>(row: Row | undefined, map: (row: Row) => Value): Value | null =>
  row === undefined ? null : map(row)
