import type { Database, Statement as PreparedStatement } from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'

/** What a statement may be given. */
export type SqlValue = string | number | Uint8Array | null

/** A statement that is compiled and prepared once, when it is first used, and runs synchronously. */
export interface Statement<Row> {
  /** The first row. */
  get(...values: readonly SqlValue[]): Row | undefined
  all(...values: readonly SqlValue[]): readonly Row[]
  /** How many rows it has changed. */
  run(...values: readonly SqlValue[]): number
  readonly sql: string
}

/** Stands in a statement for a value that it is given when it runs: in the order in which they are written. */
export const given: RawBuilder<never> = sql.raw('?')

/** ``define(() => sql<Row>`select body from agent where id = ${given}`)`` */
export type Define = <Row>(write: () => RawBuilder<Row>) => Statement<Row>

/** Kysely as a compiler of SQL: it never sees the database. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/**
 * Compiles statements over one open database, each when it is first used: a store has hundreds of them, and a process
 * that starts needs few.
 */
export function createDefine(database: Database): Define {
  return <Row>(write: () => RawBuilder<Row>): Statement<Row> => {
    let text: string | undefined
    const written = (): string => {
      text ??= write().compile(compiler).sql
      return text
    }
    let prepared: PreparedStatement<unknown[], Row> | undefined
    // Not before it is used: until its schema is there, a database that is locked knows none of its tables.
    const statement = (): PreparedStatement<unknown[], Row> => {
      prepared ??= database.prepare<unknown[], Row>(written())
      return prepared
    }
    // One by one, which the driver binds faster than a list.
    return {
      get: (...values) => statement().get(...values),
      all: (...values) => statement().all(...values),
      run: (...values) => statement().run(...values).changes,
      get sql() {
        return written()
      },
    }
  }
}
