import { type Condition, type Documents, KINDS, type Kind, type Range, rowOf } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { OutboxKeeper } from '../outbox/outbox-keeper.ts'
import { documentStatements, parametersOf } from './statements.ts'

const namedIn = (kind: Kind<unknown>): string => kind.name.replaceAll('_', ' ')

/** The documents of a store in SQLite. */
export function createDocuments({ define, read, write }: Session, keeper: OutboxKeeper): Documents {
  const byKind = new Map(KINDS.map(kind => [kind.name, documentStatements(define, kind)]))
  const of = ({ name }: Kind<unknown>): ReturnType<typeof documentStatements> => {
    const statements = byKind.get(name)
    if (statements === undefined) throw new Error(`There is no kind ${name} of documents.`)
    return statements
  }
  const holds = (condition: Condition): boolean => {
    const run = of(condition.kind)
    if ('id' in condition) return (run.get.get(condition)?.version ?? 0) === condition.version
    const { atMost, index, prefix } = condition
    if (atMost < 0) return false
    return run.list(index, { prefix }).exceeds.get({ ...parametersOf({ prefix }), atMost }) === undefined
  }
  return {
    async write({ when, clear = [], put = [], remove = [], outbox }) {
      const conditions = when.map(condition => ({ ...condition }))
      const parts = clear.map(({ kind, ...part }) => ({
        run: of(kind).list(part.index, part).clear,
        parameters: parametersOf(part),
      }))
      const rows = put.map(({ kind, value }) => ({ run: of(kind), row: rowOf(kind, value) }))
      const gone = remove.map(({ kind, id }) => ({ run: of(kind), id }))
      const keep = keeper.keeping(outbox)
      const [first] = [...put, ...remove]
      return write(`write the ${first === undefined ? 'document' : namedIn(first.kind)}`, () => {
        const refused = conditions.findIndex(condition => !holds(condition))
        if (refused !== -1) return refused
        for (const { parameters, run } of parts) run.run(parameters)
        for (const { run, row } of rows) run.put.run(row)
        for (const { run, id } of gone) run.remove.run({ id })
        keep()
        return null
      })
    },
    async get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = [...ids]
      const run = of(kind)
      return read(`read the ${namedIn(kind)}`, () =>
        wanted.map(id => {
          const row = run.get.get({ id })
          return row === undefined ? null : fromJson<T>(row.body)
        }),
      )
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const { rows } = of(kind).list(index, range)
      const parameters = { ...parametersOf(range), limit: range.limit ?? -1, skip: range.skip ?? 0 }
      return read(`list the ${namedIn(kind)}s`, () =>
        rows.all(parameters).map(({ body }) => fromJson<T>(body)),
      )
    },
  }
}
