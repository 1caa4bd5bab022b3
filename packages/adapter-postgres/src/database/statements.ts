import { createHash } from 'node:crypto'
import { quotedName } from './plain-sql.ts'
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

/** A statement that is written once. Parameters are read when it is called. */
export interface Statement<Row> {
  all(parameters: Parameters, on?: Execute): Promise<readonly Row[]>
  /** With parameters that are texts as they are sent. */
  sent(parameters: Readonly<Record<string, string>>, on: Execute): Promise<readonly Row[]>
}

/**
 * `define<Row>('read an agent', 'select body from @agent where id = $id')`: tables are those of the store's schema. The
 * operation completes the sentence "PostgreSQL could not …".
 */
export type Define = <Row>(
  operation: string,
  sql: string,
  options?: { readonly planned: 'once' | 'each time' },
) => Statement<Row>

const ONCE: { readonly planned: 'once' | 'each time' } = { planned: 'once' }

/** Compiles statements over the tables of a schema. */
export function createDefine(schema: string, execute: Execute): Define {
  return <Row>(operation: string, sql: string, { planned } = ONCE) => {
    const slots = [...new Set([...sql.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))]
    const text = sql
      .replace(/@(\w+)/g, (_, table: string) => `${quotedName(schema)}.${quotedName(table)}`)
      .replace(/\$(\w+)/g, (_, name: string) => `$${slots.indexOf(name) + 1}`)
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16)
    const name = planned === 'once' ? `colloquy_${hash}` : null
    // The only edge at which rows get their type: the statement defines its columns.
    const send = async (values: readonly (string | null)[], on: Execute): Promise<readonly Row[]> =>
      (await on({ operation, name, text, values })) as readonly Row[]
    return {
      all: (parameters, on = execute) =>
        send(
          slots.map(slot => boundText(parameters[slot] ?? null)),
          on,
        ),
      sent: (parameters, on) =>
        send(
          slots.map(slot => parameters[slot] ?? null),
          on,
        ),
    }
  }
}
