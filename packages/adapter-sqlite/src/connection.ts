import Database from 'better-sqlite3'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { migrate } from './migrate.ts'
import type { Schema } from './schema.ts'
import { createWriteQueue, type WriteQueue } from './write-queue.ts'

/** Kysely as compiler: it writes SQL and types, and never talks to a database. */
export const query = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** Marks a place in a query that a value fills at each run. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A place for a value of the wanted type, filled by name when the statement runs. */
export const param = <Value>(name: string): Value => new Parameter(name) as unknown as Value

/** Values for a statement's places, by name. */
export type Values = Readonly<Record<string, unknown>>

/** A statement that is compiled and prepared once. */
export interface Statement<Row> {
  /** The first row; null for none. */
  one(values?: Values): Row | null
  all(values?: Values): readonly Row[]
  /** Runs a write. */
  run(values?: Values): { readonly changes: number; readonly lastKey: number }
}

/** One open database. */
export interface Connection {
  prepare<Row>(compilable: { compile(): CompiledQuery<Row> }): Statement<Row>
  /** Runs a query that is built for the occasion. */
  all<Row>(compilable: { compile(): CompiledQuery<Row> }): readonly Row[]
  /** Does something in the tick's transaction; resolves when it is on disk. */
  write: WriteQueue['write']
  pragma(name: string): unknown
  close(): Promise<void>
}

/** What may be set about the file. */
export interface ConnectionOptions {
  /** Path of the database file, which is made when it is not there; `:memory:` keeps everything in memory. */
  readonly filename: string
  /** How long a write waits for another process's write, milliseconds. @default 5000 */
  readonly busyTimeout?: number
}

/** Opens and migrates a database. @throws Error when it cannot be opened, or durability cannot be had */
export function openConnection({ filename, busyTimeout = 5_000 }: ConnectionOptions): Connection {
  const database = new Database(filename, { timeout: busyTimeout })
  const cache = new Map<string, Database.Statement>()
  try {
    configure(database)
    migrate(database)
  } catch (error) {
    database.close()
    throw error
  }
  const queue = createWriteQueue(database)

  function statement(sql: string): Database.Statement {
    if (!database.open) throw new Error('The SQLite store is closed.')
    const known = cache.get(sql)
    if (known !== undefined) return known
    const prepared = database.prepare(sql)
    cache.set(sql, prepared)
    return prepared
  }

  function prepare<Row>(compilable: { compile(): CompiledQuery<Row> }): Statement<Row> {
    const { sql, parameters } = compilable.compile()
    const bind = (values: Values = {}): unknown[] =>
      parameters.map(value => (value instanceof Parameter ? values[value.name] : value))
    return {
      one: values => (statement(sql).get(...bind(values)) as Row | undefined) ?? null,
      all: values => statement(sql).all(...bind(values)) as Row[],
      run(values) {
        const { changes, lastInsertRowid } = statement(sql).run(...bind(values))
        return { changes, lastKey: Number(lastInsertRowid) }
      },
    }
  }

  return {
    prepare,
    all: compilable => prepare(compilable).all(),
    write: queue.write,
    pragma: name => database.pragma(name, { simple: true }),
    async close() {
      await queue.close()
      if (!database.open) return
      database.pragma('wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

/** better-sqlite3 is compiled so that WAL silently means synchronous=NORMAL: what was promised must be asked for. */
function configure(database: Database.Database): void {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  if (database.pragma('synchronous', { simple: true }) !== 2) {
    throw new Error('SQLite refused synchronous=FULL, without which an acknowledged write could be lost.')
  }
}
