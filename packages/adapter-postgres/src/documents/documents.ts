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
import { isUndoneByOthers } from '../database/failure.ts'
import { fromJson } from '../database/json.ts'
import type { Session } from '../database/session.ts'
import type { Define, Execute } from '../database/statements.ts'
import type { Parameters } from '../database/values.ts'
import { ANSWER, type Done, keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'
import { listsOf } from './columns.ts'
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

/** That a document is not there. */
const isAbsence = (condition: Condition): condition is AtVersion =>
  isAtVersion(condition) && condition.version === 0

/**
 * Whether a batch must hold the places of documents that are not there: where it does not write them itself, or counts
 * something besides.
 */
function needsPlaces(when: readonly Condition[], changes: readonly Change[]): boolean {
  const absences = when.filter(isAbsence)
  const written = new Set(changes.map(({ id, run }) => `${run.name} ${id}`))
  const isCounted = when.some(isAtMost)
  return absences.some(({ id, kind }) => isCounted || !written.has(`${kind.name} ${id}`))
}

/** A condition does not hold: what has been done so far is undone. */
class Refused extends Error {
  readonly place: number

  constructor(place: number) {
    super('A condition does not hold.')
    this.place = place
  }
}

/** How often a batch is tried that others have undone. */
const MOST_TRIES = 10

/** Another writer came first: what was read is to be read again. */
class Overtaken extends Error {}

const sharedStatements = (define: Define) => ({
  /** Batches that count one part of an index come one after the other, so that the second counts the first. */
  lock: define<{ parts: readonly string[] }>('write documents')(
    (_, p) => sql`
    select pg_advisory_xact_lock(hashtextextended('documents ' || part, 0))
    from (select part from unnest(${p('parts')}::text[]) as part order by part) as parts`,
  ),
  permitRemoval: define<{ table: string }>('remove documents')(
    (_, p) => sql`select set_config('colloquy.removal', ${p('table')}::text, true)`,
  ),
  keep: define<OutboxParameters>('write documents')<Done>(
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

  /** Of documents of a kind, their versions, which stay until the end of the transaction. */
  async function hold(kind: string, conditions: readonly AtVersion[], on: Execute) {
    const ids = conditions.filter(condition => condition.kind.name === kind).map(({ id }) => id)
    const rows = await byKind.get(kind)?.hold.all({ ids }, on)
    return [kind, new Map(rows?.map(({ id, version }) => [id, version]))] as const
  }

  async function isWithin({ atMost, index, kind, prefix }: AtMost, on: Execute): Promise<boolean> {
    if (atMost < 0) return false
    const { exceeds } = of(kind).list(index, { prefix })
    return (await exceeds.get({ ...parametersOf({ prefix }), atMost }, on)) === undefined
  }

  /**
   * The place of the first condition that does not hold; null: all do. Documents are held before anything is counted,
   * so that of two batches about one document the second counts what the first has written.
   */
  async function refusal(when: readonly Condition[], on: Execute): Promise<number | null> {
    const conditions = when.filter(isAtVersion)
    const versions = new Map<string, ReadonlyMap<string, number>>()
    for (const name of new Set(conditions.map(({ kind }) => kind.name).sort()))
      versions.set(...(await hold(name, conditions, on)))
    for (const [at, condition] of when.entries()) {
      const doesHold = isAtVersion(condition)
        ? (versions.get(condition.kind.name)?.get(condition.id) ?? 0) === condition.version
        : await isWithin(condition, on)
      if (!doesHold) return at
    }
    return null
  }

  /**
   * Rows that hold nothing, in the places of documents that must not be there, and of those that are put: nobody else
   * adds them until the batch is written. In one order, so that nobody waits in a circle.
   */
  async function occupied(
    when: readonly Condition[],
    changes: readonly Change[],
    on: Execute,
  ): Promise<readonly Change[]> {
    const wanted = [
      ...when.filter(isAbsence).map(({ id, kind }) => ({ run: of(kind), id })),
      ...changes.filter(({ row }) => row !== null),
    ].filter(({ run }) => !run.isPermanent)
    const places: Change[] = []
    for (const run of [...new Set(wanted.map(one => one.run))].sort((one, other) =>
      one.name < other.name ? -1 : 1,
    )) {
      const ids = wanted.filter(one => one.run === run).map(({ id }) => id)
      for (const { id } of await run.occupyAll.all({ ids: [...new Set(ids)] }, on))
        places.push({ run, id, row: null })
    }
    return places
  }

  /** @throws Overtaken where somebody has added meanwhile what was not there */
  async function apply(
    { clear = [], when }: Batch,
    changes: readonly Change[],
    places: readonly Change[],
    on: Execute,
  ): Promise<void> {
    for (const { kind, ...part } of clear)
      await of(kind).list(part.index, part).clear.all(parametersOf(part), on)

    const keyOf = ({ id, run }: Change): string => `${run.name} ${id}`
    const taken = new Set(places.map(keyOf))
    const absent = new Set(
      when
        .filter(isAbsence)
        .map(({ id, kind }) => `${kind.name} ${id}`)
        .filter(key => !taken.has(key)),
    )
    // Places that are not put go again: what comes last counts.
    const all = [...places, ...changes]
    for (const run of new Set(all.map(({ run }) => run))) {
      const own = all.filter(change => change.run === run)
      // A statement writes no row twice: of several the last one counts.
      const last = new Map(own.map(({ id, row }) => [id, row]))
      const rows = [...last.values()].filter(row => row !== null)
      const isAdded = ({ id }: Parameters): boolean => absent.has(`${run.name} ${id}`)
      const added = rows.filter(isAdded)
      const put = rows.filter(row => !isAdded(row))
      const gone = [...last].flatMap(([id, row]) => (row === null ? [id] : []))
      if (put.length > 0) await run.putAll.all(listsOf(put), on)
      if (added.length > 0 && (await run.insertAll.all(listsOf(added), on)).length < added.length)
        throw new Overtaken()
      if (gone.length > 0 && run.isPermanent) await shared.permitRemoval.all({ table: run.name }, on)
      if (gone.length > 0) await run.removeAll.all({ ids: gone }, on)
    }
  }

  async function inTransaction(
    operation: string,
    batch: Batch,
    changes: readonly Change[],
    outbox: OutboxParameters,
  ): Promise<number | null> {
    const { when } = batch
    const parts = when
      .filter(isAtMost)
      .map(({ index, kind, prefix }) => JSON.stringify([kind.name, index, prefix]))
    const once = () =>
      transaction(operation, async on => {
        if (parts.length > 0) await shared.lock.all({ parts }, on)
        const places = needsPlaces(when, changes) ? await occupied(when, changes, on) : []
        const refused = await refusal(when, on)
        if (refused !== null && places.length > 0) throw new Refused(refused)
        if (refused !== null) return refused
        await apply(batch, changes, places, on)
        await shared.keep.all(outbox, on)
        return null
      })
    for (let tries = 1; ; tries++)
      try {
        return await once()
      } catch (error) {
        const causes = error instanceof Error ? [error, error.cause] : []
        const refused = causes.find(one => one instanceof Refused)
        if (refused !== undefined) return refused.place
        if (causes.some(one => one instanceof Overtaken)) continue
        // Of two that may not both be written the server undoes one, or both.
        if (tries >= MOST_TRIES || !causes.some(isUndoneByOthers)) throw error
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
      const { clear = [], put = [], remove = [] } = batch
      const changes: readonly Change[] = [
        ...put.map(({ kind, value }) => ({ run: of(kind), id: kind.id(value), row: rowOf(kind, value) })),
        ...remove.map(({ kind, id }) => ({ run: of(kind), id, row: null })),
      ]
      const outbox = outboxOf(batch.outbox)
      if (changes.length === 0 && clear.length === 0 && when.length === 0) {
        await shared.keep.all(outbox)
        return null
      }
      const [change, ...others] = changes
      const [condition, ...further] = when
      if (
        change &&
        condition &&
        clear.length === 0 &&
        others.length === 0 &&
        further.length === 0 &&
        isAtVersion(condition)
      ) {
        const isOf = condition.id === change.id && of(condition.kind) === change.run
        const isRemovable = condition.version > 0 && !change.run.isPermanent
        if (isOf && (change.row !== null || isRemovable)) return alone(change, condition.version, outbox)
      }
      const [first] = [...put, ...remove]
      const operation = `write the ${first === undefined ? 'document' : namedIn(first.kind)}`
      return inTransaction(operation, { when, clear: [...clear] }, changes, outbox)
    },
    async get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = [...ids]
      const bodies = await of(kind).bodies(wanted)
      return wanted.map(id => {
        const body = bodies.get(id)
        return body === undefined ? null : fromJson<T>(body)
      })
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const { rows } = of(kind).list(index, range)
      const found = await rows.all({
        ...parametersOf(range),
        limit: range.limit ?? null,
        skip: range.skip ?? 0,
      })
      return found.map(({ body }) => fromJson<T>(body))
    },
  }
}
