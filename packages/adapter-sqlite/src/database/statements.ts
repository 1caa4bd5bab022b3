import type { Database, Statement as PreparedStatement } from 'better-sqlite3'

/** Type of a statement's parameter. */
export type SqlValue = string | number | Uint8Array | null

/** A statement that is prepared once, when it is first used, and runs synchronously. Values take the place of `?`. */
export interface Statement<Row> {
  /** The first row. */
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): readonly Row[]
  /** Runs the statement and returns the number of rows changed. */
  run(...values: readonly SqlValue[]): number
  readonly sql: string
}

/** `define<{ readonly body: string }>('select body from agent where id = ?')` */
export type Define = <Row = unknown>(sql: string) => Statement<Row>

/** Returns a name of a table or a column. */
export const quoted = (name: string): string => `"${name}"`

/** Prepares statements over one open database, each of them once. */
export function createDefine(database: Database): Define {
  return <Row>(sql: string): Statement<Row> => {
    let prepared: PreparedStatement<unknown[], Row> | undefined
    // Not before it is used: until its schema is there, a database that is locked knows none of its tables.
    const statement = (): PreparedStatement<unknown[], Row> => {
      prepared ??= database.prepare<unknown[], Row>(sql)
      return prepared
    }
    // One by one, which the driver binds faster than a list.
    return {
      sql,
      get: (...values) => statement().get(...values),
      all: (...values) => statement().all(...values),
      run: (...values) => statement().run(...values).changes,
    }
  }
}
