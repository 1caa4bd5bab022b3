import type { Database, Statement as PreparedStatement } from 'better-sqlite3'

/** Type of a statement's parameter. */
export type SqlValue = string | number | Uint8Array | null

/** A statement that is prepared once, when it is first used, and runs synchronously. Values take the place of `?`. */
export interface Statement<Cell> {
  /** Returns the first column of the first row. */
  get(...values: readonly SqlValue[]): Cell | undefined
  /** Returns the first column of every row. */
  all(...values: readonly SqlValue[]): readonly Cell[]
  /** Runs the statement and returns the number of rows changed. */
  run(...values: readonly SqlValue[]): number
  readonly sql: string
}

/** `define<string>('select body from agent where id = ?')` */
export type Define = <Cell = unknown>(sql: string) => Statement<Cell>

/** Reads JSON that this store wrote itself from a value of that type. */
export const fromJson = <T>(text: string): T => JSON.parse(text)

/** Returns a name of a table or a column. */
export const quoted = (name: string): string => `"${name}"`

/** Prepares statements over one open database, each of them once. */
export function createDefine(database: Database): Define {
  return <Cell>(text: string): Statement<Cell> => {
    // With a limit or an order SQLite may plan for the value of a bare `?`, and prepares the statement at every run.
    const sql = text.replaceAll('?', '+?')
    let prepared: PreparedStatement<unknown[], Cell> | undefined
    // Not before it is used: until its schema is there, a database that is locked knows none of its tables.
    const statement = (): PreparedStatement<unknown[], Cell> => {
      if (prepared !== undefined) return prepared
      prepared = database.prepare<unknown[], Cell>(sql)
      return prepared.reader ? prepared.pluck() : prepared
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
