import { type Documents, type Kind, keyColumns, keyValues, namedIn } from '@colloquy/core/store'
import type { Session } from '../database/session.ts'
import { fromJson, quoted, type Statement } from '../database/statements.ts'
import type { Statements } from './statements.ts'

/** Writes columns of documents again, all of a step within one write: see `refill` of `Documents`. */
export function createRefill(
  { define, write }: Session,
  of: (kind: Kind<unknown>) => Statements,
): Documents['refill'] {
  const known = new Map<string, Statement<unknown>>()

  function fillOf(kind: Kind<unknown>, columns: readonly string[]): Statement<unknown> {
    const name = [kind.name, ...columns].join()
    const found = known.get(name)
    if (found !== undefined) return found
    const are = (names: readonly string[]) => names.map(column => `${quoted(column)} = ?`)
    // Also if there are no columns: triggers put each row that is written into the lists that came later.
    const set = ['version = version', ...are(columns)].join(', ')
    const made = define(`update ${kind.name} set ${set} where ${are(keyColumns(kind)).join(' and ')}`)
    known.set(name, made)
    return made
  }

  return (kind, columns, { after, limit }) =>
    write(`fill the ${namedIn(kind)}s`, () => {
      const part = { prefix: [], limit, after: after === null ? undefined : [after] }
      const values = of(kind)
        .bodies('id', part)
        .map(fromJson<unknown>)
      for (const value of values) {
        const cells = columns.map(column => kind.columns[column]?.of(value) ?? null)
        const key = keyValues(kind, kind.id(value))
        of(kind).permitted(() => void fillOf(kind, columns).run(...cells, ...key))
      }
      const last = values.at(-1)
      return last === undefined ? null : kind.id(last)
    })
}
