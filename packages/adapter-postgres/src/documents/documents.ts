import {
  type AtMost,
  type AtVersion,
  type Batch,
  type Condition,
  type Documents,
  KINDS,
  type Kind,
  type Range,
  rowOf,
} from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define, Execute } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'
import { documentStatements, namedIn, parametersOf } from './statements.ts'

type Run = ReturnType<typeof documentStatements>

/** What is written of one document; without a row it is removed. */
interface Change {
  readonly run: Run
  readonly id: string
  readonly row: Parameters | null
}

const isAtVersion = (condition: Condition): condition is AtVersion => 'id' in condition
const isAtMost = (condition: Condition): condition is AtMost => 'index' in condition

/** Another writer came first: what was read is to be read again. */
class Overtaken extends Error {}

const sharedStatements = (define: Define) => ({
  /** Batches that count one part of an index come one after the other, so that the second counts the first. */
  lock: define<{ parts: readonly string[] }>('write a document')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('documents ' || part, 0))
    from (select part from unnest(${p('parts')}::text[]) as part order by part) as parts`,
  ),
  keep: define<OutboxParameters>('write a document')<Done>(
    (t, p) => sql`with done (write) as (select 1), ${keeping(t, p)} ${ANSWER}`,
  ),
})

/** The documents of a store in PostgreSQL. */
export function createDocuments({ define, transaction }: Session): Documents {
  const shared = sharedStatements(define)
  const byKind = new Map(KINDS.map(kind => [kind.name, documentStatements(define, kind)]))
  const of = ({ name }: Kind<unknown>): Run => {
    const statements = byKind.get(name)
    if (statements === undefined) throw new Error(`There is no kind ${name} of documents.`)
    return statements
  }

  async function holds(condition: Condition, on: Execute): Promise<boolean> {
    const run = of(condition.kind)
    if (isAtVersion(condition)) {
      const { id, version } = condition
      return ((await run.hold.get({ id }, on))?.version ?? 0) === version
    }
    const { atMost, index, prefix } = condition
    if (atMost < 0) return false
    const { exceeds } = run.list(index, prefix.length, false)
    return (await exceeds.get({ ...parametersOf({ prefix }), atMost }, on)) === undefined
  }

  /** @throws Overtaken where somebody has added meanwhile what was not there */
  async function apply(changes: readonly Change[], when: readonly Condition[], on: Execute): Promise<void> {
    const isAbsent = (id: string, run: Run): boolean =>
      when.some(one => isAtVersion(one) && one.id === id && of(one.kind) === run && one.version === 0)
    for (const { id, row, run } of changes)
      if (row === null) await run.remove.all({ id }, on)
      else if (!isAbsent(id, run)) await run.put.all(row, on)
      else if (!(await run.insert.get({ ...row, ...outboxOf(undefined) }, on))?.done) throw new Overtaken()
  }

  async function inTransaction(
    operation: string,
    { when }: Batch,
    changes: readonly Change[],
    outbox: OutboxParameters,
  ): Promise<number | null> {
    const parts = when
      .filter(isAtMost)
      .map(({ index, kind, prefix }) => JSON.stringify([kind.name, index, prefix]))
    const once = () =>
      transaction(operation, async on => {
        if (parts.length > 0) await shared.lock.all({ parts }, on)
        for (const [at, condition] of when.entries()) if (!(await holds(condition, on))) return at
        await apply(changes, when, on)
        await shared.keep.all(outbox, on)
        return null
      })
    for (;;)
      try {
        return await once()
      } catch (error) {
        if (!(error instanceof Overtaken || (error instanceof Error && error.cause instanceof Overtaken)))
          throw error
      }
  }

  /** One document over its version, which is most of what is written: one statement. */
  async function alone(
    { id, row, run }: Change,
    expected: number,
    outbox: OutboxParameters,
  ): Promise<number | null> {
    const answer =
      row === null
        ? await run.removeAt.get({ id, expected, ...outbox })
        : expected === 0
          ? await run.insert.get({ ...row, ...outbox })
          : await run.update.get({ ...row, expected, ...outbox })
    return answer?.done ? null : 0
  }

  return {
    async write(batch) {
      const when = batch.when.map(condition => ({ ...condition }))
      const { put = [], remove = [] } = batch
      const changes: readonly Change[] = [
        ...put.map(({ kind, value }) => ({ run: of(kind), id: kind.id(value), row: rowOf(kind, value) })),
        ...remove.map(({ kind, id }) => ({ run: of(kind), id, row: null })),
      ]
      const outbox = outboxOf(batch.outbox)
      const [change, ...others] = changes
      const [condition, ...further] = when
      if (change && condition && others.length === 0 && further.length === 0 && isAtVersion(condition)) {
        const isOf = condition.id === change.id && of(condition.kind) === change.run
        if (isOf && (change.row !== null || condition.version > 0))
          return alone(change, condition.version, outbox)
      }
      const [first] = [...put, ...remove]
      const operation = `write a ${first === undefined ? 'document' : namedIn(first.kind)}`
      return inTransaction(operation, { when }, changes, outbox)
    },
    async get<T>(kind: Kind<T>, id: string) {
      const row = await of(kind).get.get({ id })
      return row === undefined ? null : fromJson<T>(row.body)
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const { rows } = of(kind).list(index, range.prefix.length, range.through !== undefined)
      const found = await rows.all({ ...parametersOf(range), limit: range.limit ?? null })
      return found.map(({ body }) => fromJson<T>(body))
    },
  }
}
