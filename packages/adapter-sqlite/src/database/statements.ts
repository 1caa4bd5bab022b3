import type { Database, Statement as PreparedStatement } from 'better-sqlite3'
import {
  type CompiledQuery,
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

/** The parameters of a statement, by name. */
export type Parameters = Readonly<Record<string, SqlValue>>

/** A statement that is compiled and prepared once, when it is first used, and runs synchronously. */
export interface Statement<P, Row> {
  /** The first row. */
  get(parameters: P): Row | undefined
  all(parameters: P): readonly Row[]
  /** How many rows it has changed. */
  run(parameters: P): number
  readonly sql: string
}

/** Stands for the parameter of that name while a statement is written. */
export type Placeholder<P> = <Name extends keyof P & string>(name: Name) => RawBuilder<P[Name]>

/** `define<{ id: string }>()((db, p) => db.selectFrom('agent').selectAll().where('id', '=', p('id')).compile())` */
export type Define = <P extends Parameters = Record<never, never>>() => <Row>(
  write: (db: Kysely<unknown>, parameter: Placeholder<P>) => CompiledQuery<Row>,
) => Statement<P, Row>

/** A parameter's place in the compiled SQL; everything else that Kysely lists there is a constant. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

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
  return <P extends Parameters>() =>
    <Row>(
      write: (db: Kysely<unknown>, parameter: Placeholder<P>) => CompiledQuery<Row>,
    ): Statement<P, Row> => {
      let compiled: CompiledQuery<Row> | undefined
      const compile = (): CompiledQuery<Row> => {
        compiled ??= write(
          compiler,
          <Name extends keyof P & string>(name: Name) => sql<P[Name]>`${new Slot(name)}`,
        )
        return compiled
      }
      let prepared: PreparedStatement<unknown[], Row> | undefined
      // Not before it is used: until its schema is there, a database that is locked knows none of its tables.
      const statement = (): PreparedStatement<unknown[], Row> => {
        prepared ??= database.prepare<unknown[], Row>(compile().sql)
        return prepared
      }
      const bind = (parameters: Parameters): unknown[] =>
        compile().parameters.map(slot => (slot instanceof Slot ? parameters[slot.name] : slot))
      // One by one, which the driver binds faster than a list.
      return {
        get: parameters => statement().get(...bind(parameters)),
        all: parameters => statement().all(...bind(parameters)),
        run: parameters => statement().run(...bind(parameters)).changes,
        get sql() {
          return compile().sql
        },
      }
    }
}
