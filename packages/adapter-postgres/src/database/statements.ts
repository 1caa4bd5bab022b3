import { createHash } from 'node:crypto'
import type { QueryId } from 'kysely'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type RootOperationNode,
  sql,
} from 'kysely'
import type { Table } from './tables.ts'
import { boundText, type Parameters } from './values.ts'

/** A statement as it is sent. */
export interface PreparedCall {
  readonly operation: string
  /** The name under which a connection keeps it parsed; null for one whose plan depends on what it is given. */
  readonly name: string | null
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** Carries statements out. */
export type Execute = (call: PreparedCall) => Promise<readonly unknown[]>

/** A statement that is compiled once, when it is first used. Parameters are read when it is called. */
export interface Statement<P, Row> {
  all(parameters: P, on?: Execute): Promise<readonly Row[]>
  /** The first row. */
  get(parameters: P, on?: Execute): Promise<Row | undefined>
  readonly text: string
}

/** Stands for the parameter of that name while a statement is written. */
export type Placeholder<P> = <Name extends keyof P & string>(name: Name) => RawBuilder<P[Name]>

/** A table, sequence or function of the store's schema, as statements name it. */
export type Tables = (name: Table) => RawBuilder<unknown>

/** How a statement is written, from the tables and the places of its parameters. */
type Write<P, Row> = (tables: Tables, parameter: Placeholder<P>) => RawBuilder<Row>

/**
 * `define<{ id: string }>('read an agent')<Row>((t, p) => sql`select * from ${t('agent')} where id = ${p('id')}`)`. The
 * operation completes the sentence "PostgreSQL could not …".
 */
export type Define = <P extends Parameters = Record<never, never>>(
  operation: string,
  options?: { readonly planned?: 'once' | 'each time' },
) => <Row>(write: Write<P, Row>) => Statement<P, Row>

/** A parameter's place in the compiled SQL; everything else that Kysely lists there is a constant. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Sends a parameter once, wherever it is used. */
class Compiler extends PostgresQueryCompiler {
  #slots = new Map<string, number>()

  override compileQuery(node: RootOperationNode, id: QueryId): CompiledQuery {
    this.#slots = new Map()
    return super.compileQuery(node, id)
  }

  protected override appendValue(value: unknown): void {
    const known = value instanceof Slot ? this.#slots.get(value.name) : undefined
    if (known !== undefined) {
      this.append(`$${known}`)
      return
    }
    super.appendValue(value)
    if (value instanceof Slot) this.#slots.set(value.name, this.numParameters)
  }
}

/** Kysely as a compiler of SQL: it never sees the database. */
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  },
})

const placeholder = <Name extends string>(name: Name): RawBuilder<never> => sql<never>`${new Slot(name)}`

/** Compiles statements over the tables of a schema, each when it is first used. */
export function createDefine(schema: string, execute: Execute): Define {
  const tables: Tables = name => sql.id(schema, name)
  return <P extends Parameters>(
    operation: string,
    { planned = 'once' }: { planned?: 'once' | 'each time' } = {},
  ) =>
    <Row>(write: Write<P, Row>): Statement<P, Row> => {
      let compiled: {
        readonly text: string
        readonly name: string | null
        readonly slots: readonly unknown[]
      } | null = null
      const compile = () => {
        if (compiled !== null) return compiled
        const { sql: text, parameters } = write(tables, placeholder).compile(compiler)
        const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
        compiled = { text, name: planned === 'once' ? `colloquy_${hash}` : null, slots: parameters }
        return compiled
      }
      const call = (parameters: Parameters): PreparedCall => {
        const { text, name, slots } = compile()
        const values: (string | null)[] = []
        for (const slot of slots)
          values.push(slot instanceof Slot ? boundText(parameters[slot.name] ?? null) : String(slot))
        return { operation, name, text, values }
      }
      const all = async (parameters: P, on: Execute = execute): Promise<readonly Row[]> => {
        // The one edge at which rows get their type: the statement says what it selects.
        return (await on(call(parameters))) as readonly Row[]
      }
      return {
        all,
        get: async (parameters, on) => (await all(parameters, on))[0],
        get text() {
          return compile().text
        },
      }
    }
}
