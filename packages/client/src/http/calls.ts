import type { Kind } from './credentials.ts'
import { METHODS } from './methods.ts'
import { JSON_TYPE } from './read-answer.ts'

/** Description of a call, known before it is made. */
export interface Call {
  readonly operation: string
  /** The credentials that it takes, all at once. */
  readonly kinds: readonly Kind[]
  readonly method: string
  /** Below the server, with `:name` for each parameter. */
  readonly path: string
  /** Content type of the answer; `-` for none. */
  readonly type: string
}

/** An entry of the table: its sign, its content in two parts, and the part after a dot. */
const ENTRY = /([@\d]?)([a-z:]+)([^\s.]*)\.?(\S*)/g

/**
 * Reads a table of calls. Of its entries, `@` and credentials hold for what follows; so do a digit and a path,
 * which begins with that many segments of the path before. All others are ids of calls: a verb, a noun where it is
 * not that of the call before, and behind a dot what is answered where that is not JSON.
 */
export function callsOf(table: string): readonly Call[] {
  const calls: Call[] = []
  let kinds: readonly Kind[] = []
  let path = ''
  let noun = ''
  for (const [, sign, verb = '', rest = '', type] of table.matchAll(ENTRY))
    if (sign === '@') kinds = (verb + rest).split('+') as Kind[]
    else if (sign) path = [...path.split('/').slice(0, Number(sign)), verb + rest].join('/')
    else {
      noun = rest || noun
      calls.push({
        operation: verb + noun,
        kinds,
        method: METHODS[verb] ?? 'POST',
        path,
        type: type || JSON_TYPE,
      })
    }
  return calls
}
