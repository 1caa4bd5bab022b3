import {
  ALL_KINDS,
  type Documents,
  type Kind,
  keyColumns,
  keyValues,
  namedIn,
  type Range,
} from '@colloquy/core/store'
import { isUndoneByOthers, isViolated } from '../database/failure.ts'
import { inOneTick } from '../database/in-one-tick.ts'
import type { Session } from '../database/session.ts'
import type { Execute } from '../database/statements.ts'
import { createWriteQueue } from '../database/write-queue.ts'
import { type BatchRows, type PartRow, rowsOf } from './batches.ts'
import { sameKey, typeOf } from './columns.ts'
import { createLists } from './lists.ts'
import { createRefill } from './refill.ts'
import { createWriting } from './writing.ts'

/** Most attempts at a batch that others have rolled back. */
const MOST_TRIES = 10

/**
 * Retries what concurrent writes have undone. A retry sees a document that must not exist.
 *
 * @param run called with true on a retry
 */
async function untilDone<Result>(run: (isAgain: boolean) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await run(tries > 1)
    } catch (error) {
      const causes = error instanceof Error ? [error, error.cause] : []
      const isUndone = isViolated(error, '23505') || causes.some(isUndoneByOthers)
      if (tries >= MOST_TRIES || !isUndone) throw error
    }
}

/** Returns a row as it is to be sent where what it adds may be there. */
const whereThere = (row: PartRow): PartRow =>
  row.otherwise === undefined ? row : { ...row, part: row.otherwise }

/** Dependencies of a write of documents on its process. */
export interface DocumentsOptions {
  /** Numbers entries of the audit log. */
  readonly nextSequence: () => number
  readonly writesPerStatement: number
  /** Called with the number of writes that a statement carried. */
  readonly committed: (writes: number) => void
}

/** Bodies by id. Every turn reads documents, and a thousand turns may begin at once. */
function bodiesOf(define: Session['define'], kind: Kind<unknown>) {
  const columns = keyColumns(kind)
  const given = columns.map((column, at) => `$k${at}::${typeOf(kind, column)}[]`)
  const get = define<{ readonly at: number; readonly body: string }>(
    `read the ${namedIn(kind)}`,
    `select given.at, held.body from unnest(${given.join(', ')}) with ordinality as given (${columns.join(', ')}, at)
    join @${kind.name} as held on ${sameKey(kind, 'held', 'given')} where given.at between 1 and 2147483647`,
  )
  return inOneTick(async ids => {
    const keys = ids.map(id => keyValues(kind, id))
    const parameters = columns.map((_, at) => [`k${at}`, keys.map(key => key[at] ?? null)])
    const rows = await get.all(Object.fromEntries(parameters))
    return new Map(rows.map(({ at, body }) => [ids[at - 1] ?? '', body]))
  })
}

/** Returns the documents of a store in PostgreSQL. */
export function createDocuments(
  session: Session,
  { committed, nextSequence, writesPerStatement }: DocumentsOptions,
): Documents {
  const { define, execute, transaction } = session
  const lists = createLists(define)
  const writing = createWriting(define)
  const lock = define(
    'write documents',
    `select pg_advisory_xact_lock(hashtextextended('documents ' || part, 0))
    from (select part from unnest($parts::text[]) as part order by part) as parts`,
  )
  const permitRemoval = define('remove documents', `select set_config('colloquy.removal', $table, true)`)

  async function write(batches: readonly BatchRows[]): Promise<readonly (number | null)[]> {
    const rows = batches.map(({ changes, conditions }) => [...conditions, ...changes])
    const once = (isAgain: boolean) => writing(isAgain ? rows.map(own => own.map(whereThere)) : rows, execute)
    const answers = await (rows.length === 1 ? untilDone(once) : once(false))
    committed(rows.length)
    return answers
  }
  const queue = createWriteQueue(write, writesPerStatement)

  /**
   * Returns a batch that counts or clears. Documents are held before, so that of two batches about one document the
   * second counts and clears what the first has written; and of two that count one part of an index the second counts
   * what the first has added.
   */
  async function inSteps({ changes, cleared, conditions, counts, permits }: BatchRows, on: Execute) {
    const parts = counts.map(({ condition: { index, kind, prefix } }) =>
      JSON.stringify([kind.name, index, prefix]),
    )
    if (parts.length > 0) await lock.all({ parts }, on)
    const unmet = conditions.length === 0 ? null : ((await writing([conditions], on))[0] ?? null)
    for (const { condition, place } of counts) {
      if (unmet !== null && unmet < place) break
      const { atMost, index, kind, prefix } = condition
      if (atMost < 0) return place
      const { parameters, statement } = lists.exceeds(kind, index, { prefix }, atMost)
      if ((await statement.all(parameters, on)).length > 0) return place
    }
    if (unmet !== null) return unmet
    for (const table of permits) await permitRemoval.all({ table }, on)
    // One by one: a removal of an owner sees everything that was added to it until then.
    for (const part of cleared) await writing([[part]], on)
    if (changes.length > 0) await writing([changes], on)
    return null
  }

  const bodies = new Map(ALL_KINDS.map(kind => [kind.name, bodiesOf(define, kind)]))

  return {
    refill: createRefill(session),
    async write(batch) {
      const rows = rowsOf(batch, nextSequence)
      if (!rows.takesSteps)
        return rows.conditions.length + rows.changes.length === 0
          ? null
          : queue.add(rows, rows.keys, rows.sort)
      const answer = await untilDone(() => transaction('write documents', on => inSteps(rows, on)))
      committed(1)
      return answer
    },
    async get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = [...ids]
      const found = await bodies.get(kind.name)?.(wanted)
      return wanted.map(id => {
        const body = found?.get(id)
        return body === undefined ? null : JSON.parse(body)
      })
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const { parameters, statement } = lists.bodies(kind, index, range)
      const rows = await statement.all(parameters)
      return rows.map(({ body }) => JSON.parse(body))
    },
  }
}
