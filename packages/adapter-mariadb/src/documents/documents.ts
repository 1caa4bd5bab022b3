import { type AccountId, PlatformError, type WebhookEndpoint } from '@colloquy/core'
import {
  ALL_KINDS,
  type AtMost,
  type AtVersion,
  type Batch,
  type Condition,
  copied,
  type Documents,
  KINDS_NUMBER,
  type Kind,
  LATER_VERSION,
  namedIn,
  type Outbox,
  outboxDocuments,
  type Range,
  WEBHOOK_ENDPOINT,
} from '@colloquy/core/store'
import { isDuplicate } from '../database/failure.ts'
import type { Runner, Session, Statement } from '../database/session.ts'
import { keptText, keptValue, type SqlValue } from '../database/values.ts'
import { documentStatements } from './statements.ts'
import { PERMITTED, SLOTS } from './tables.ts'

interface Row {
  /** In UTF-8. */
  readonly id: Buffer
  readonly version: number
  readonly body: string
}

/** A write of one document; without values it is removed. */
interface Change {
  readonly kind: Kind<unknown>
  readonly id: string
  readonly values: readonly SqlValue[] | null
}

const isAtVersion = (condition: Condition): condition is AtVersion => 'id' in condition
const isAtMost = (condition: Condition): condition is AtMost => 'index' in condition

/** Returns a document among those of all kinds. */
const keyOf = ({ id, kind }: Pick<AtVersion, 'kind' | 'id'>): string => `${kind.name} ${keptText(id)}`

/** In one order, so that no two batches wait for each other. */
const ordered = <One extends Pick<AtVersion, 'kind' | 'id'>>(all: readonly One[]): readonly One[] =>
  [...new Map(all.map(one => [keyOf(one), one])).entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, one]) => one)

const isEmpty = ({ audit, webhooks = [] }: Outbox): boolean => audit === undefined && webhooks.length === 0

/** Returns the number of rows found; null if a row with its key exists. */
const unlessDuplicate = (row: Statement, on: Runner): Promise<number | null> =>
  on.change(row).catch(error => {
    if (isDuplicate(error)) return null
    throw error
  })

/** Reads JSON that this store wrote itself from a value of that type. */
const fromJson = <T>(text: string): T => JSON.parse(text)

/** Finds the statements of a kind. */
type StatementsOf = (kind: Kind<unknown>) => ReturnType<typeof documentStatements>

const changeTo = (of: StatementsOf, kind: Kind<unknown>, value: unknown): Change => ({
  kind,
  id: kind.id(value),
  values: of(kind).valuesOf(value),
})

/** Batches that count one part of an index come one after the other, so that the second counts the first. */
async function takeTurns(conditions: readonly AtMost[], on: Runner): Promise<void> {
  if (conditions.length === 0) return
  const slots = conditions.map(() => `crc32(?) % ${SLOTS}`).join(', ')
  await on.rows({
    sql: `select slot from slot force index (primary) where slot in (${slots}) order by slot for update`,
    values: conditions.map(({ index, kind, prefix }) => JSON.stringify([kind.name, index, prefix])),
  })
}

/** Versions of documents, which stay until the end of the transaction. */
async function hold(
  of: StatementsOf,
  all: readonly AtVersion[],
  on: Runner,
): Promise<ReadonlyMap<string, number>> {
  const held = [...new Set(all.map(({ kind }) => kind))].map(async kind => {
    const own = all.filter(condition => condition.kind === kind)
    const rows = await on.rows<Row>(of(kind).hold(own.map(({ id }) => id)))
    return rows.map(({ id, version }) => [`${kind.name} ${id}`, version] as const)
  })
  return new Map((await Promise.all(held)).flat())
}

/** Returns the documents that do not exist. A row in the place of each keeps others from adding it. */
async function occupy(of: StatementsOf, all: readonly AtVersion[], on: Runner): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(all.map(({ id, kind }) => unlessDuplicate(of(kind).occupy(id), on)))
  return new Set(all.filter((_, at) => answers[at] !== null).map(keyOf))
}

/**
 * Returns the place of the first condition that does not hold; null: all do. Documents are held before anything is
 * counted, so that of two batches about one document the second counts what the first has written.
 */
async function refusal(of: StatementsOf, when: readonly Condition[], on: Runner): Promise<number | null> {
  const documents = when.filter(isAtVersion)
  const [versions, absent] = await Promise.all([
    hold(of, ordered(documents.filter(({ version }) => version !== 0)), on),
    occupy(of, ordered(documents.filter(({ version }) => version === 0)), on),
    takeTurns(when.filter(isAtMost), on),
  ])
  for (const [at, condition] of when.entries()) {
    const holds = !isAtVersion(condition)
      ? condition.atMost >= 0 && (await on.rows(of(condition.kind).exceeds(condition))).length === 0
      : condition.version === 0
        ? absent.has(keyOf(condition))
        : versions.get(keyOf(condition)) === condition.version
    if (!holds) return at
  }
  return null
}

/** Returns the statements that change permanent documents of a kind: the change, and its permission around it. */
const permitted = ({ isPermanent, name }: Kind<unknown>, statement: Statement): readonly Statement[] =>
  isPermanent
    ? [
        { sql: `set ${PERMITTED} = ?`, values: [name] },
        statement,
        { sql: `set ${PERMITTED} = null`, values: [] },
      ]
    : [statement]

/**
 * Returns the statements of a batch whose conditions hold. Rows that hold the places of documents get their values,
 * or are removed.
 */
function statementsOf(
  of: StatementsOf,
  { clear = [], when }: Batch,
  changes: readonly Change[],
): readonly Statement[] {
  const occupied = when.filter(isAtVersion).filter(({ version }) => version === 0)
  const places = new Set(occupied.map(keyOf))
  const left = occupied.map(({ id, kind }): Change => ({ kind, id, values: null }))
  return [
    ...clear.flatMap(({ index, kind, prefix }) => permitted(kind, of(kind).clear(index, prefix))),
    ...ordered([...left, ...changes]).flatMap(change => {
      const { id, kind, values } = change
      if (values === null) return permitted(kind, of(kind).remove(id))
      const put = { sql: of(kind).put, values }
      return places.has(keyOf(change)) ? permitted(kind, put) : [put]
    }),
  ]
}

/**
 * Returns the endpoints that are enabled, by account. One that is being removed is waited for, and those found stay.
 */
async function endpointsFor(of: StatementsOf, { webhooks = [] }: Outbox, on: Runner) {
  const found = [...new Set(webhooks.map(({ accountId }) => accountId))].map(async accountId => {
    const list = of(WEBHOOK_ENDPOINT).list('enabled', { prefix: [accountId] }, ' lock in share mode')
    const rows = await on.rows<Row>(list)
    return [accountId, rows.map(({ body }) => fromJson<WebhookEndpoint>(body))] as const
  })
  return new Map(await Promise.all(found))
}

/** Refuses writes after a later version has opened the store. Its opening waits for the writes in progress. */
async function checkKinds(on: Runner): Promise<void> {
  const check: Statement = {
    sql: `select 1 from colloquy_schema where number = ? lock in share mode`,
    values: [keptValue(KINDS_NUMBER)],
  }
  if ((await on.rows(check)).length === 0)
    throw new PlatformError('STORE_BUSY', `MariaDB could not write documents: ${LATER_VERSION}`)
}

/** Most writes replace one document at its version: one statement, without a transaction. */
async function over(
  of: StatementsOf,
  { id, kind, values }: Change,
  version: number,
  on: Runner,
): Promise<boolean> {
  const { insert, removeAt, update } = of(kind)
  const at = [keptText(id), keptValue(version)]
  const statement =
    values === null
      ? { sql: removeAt, values: at }
      : version === 0
        ? { sql: insert, values }
        : { sql: update, values: [...values, ...at] }
  const changed = await unlessDuplicate(statement, on)
  if (changed === 0) await checkKinds(on)
  return changed === 1
}

/** Returns the condition, where the only one is about the only document that is written. */
function onlyCondition(batch: Batch, changes: readonly Change[]): AtVersion | null {
  const [change, ...others] = changes
  const [condition, ...further] = batch.when
  if (change === undefined || condition === undefined || others.length + further.length > 0) return null
  if (!isAtVersion(condition) || keyOf(condition) !== keyOf(change)) return null
  if (batch.clear?.length || !isEmpty(batch.outbox ?? {})) return null
  return change.values !== null || (condition.version > 0 && !change.kind.isPermanent) ? condition : null
}

/**
 * Returns the documents of a store in MariaDB.
 *
 * @param nextSequence numbers entries of the audit log
 * @param absent names of indexes that are not there yet
 */
export function createDocuments(
  session: Session,
  nextSequence: () => number,
  absent?: ReadonlySet<string>,
): Documents {
  const known = new Map(ALL_KINDS.map(kind => [kind.name, documentStatements(kind, absent)]))
  const of: StatementsOf = ({ name }) => {
    const statements = known.get(name)
    if (statements === undefined) throw new Error(`There is no kind ${name} of documents.`)
    return statements
  }
  return {
    async refill(kind, columns, { after, limit }) {
      const part = { prefix: [], after: after === null ? undefined : [after], limit }
      let last: unknown
      await session.transaction(`fill the ${namedIn(kind)}s`, async on => {
        const rows = await on.rows<Row>(of(kind).list('id', part, ' for update'))
        const values = rows.map(({ body }) => fromJson<unknown>(body))
        const fills =
          columns.length === 0 ? [] : values.flatMap(value => permitted(kind, of(kind).fill(columns, value)))
        await Promise.all(fills.map(one => on.change(one)))
        last = values.at(-1)
        return null
      })
      return last === undefined ? null : kind.id(last)
    },
    async write({ clear = [], outbox = {}, put = [], remove = [], when }) {
      const batch = {
        when: when.map(condition => ({ ...condition })),
        clear: [...clear],
        outbox: copied(outbox),
      }
      // If a document is changed several times, the last change counts.
      const changes = ordered([
        ...put.map(({ kind, value }) => changeTo(of, kind, value)),
        ...remove.map(({ kind, id }): Change => ({ kind, id, values: null })),
      ])
      const [first] = changes
      const operation = `write the ${first === undefined ? 'document' : namedIn(first.kind)}`
      const only = onlyCondition(batch, changes)
      if (first !== undefined && only !== null)
        return session.alone(operation, async on => ((await over(of, first, only.version, on)) ? null : 0))
      return session.transaction(operation, async on => {
        const [refused, endpoints] = await Promise.all([
          refusal(of, batch.when, on),
          endpointsFor(of, batch.outbox, on),
          checkKinds(on),
        ])
        if (refused !== null) return refused
        const enabledOf = (accountId: AccountId) => endpoints.get(accountId) ?? []
        const kept = outboxDocuments(batch.outbox, { nextSequence, enabledOf }).map(({ kind, value }) =>
          changeTo(of, kind, value),
        )
        const statements = [...statementsOf(of, batch, changes), ...statementsOf(of, { when: [] }, kept)]
        await Promise.all(statements.map(one => on.change(one)))
        return null
      })
    },
    async get<T>(kind: Kind<T>, ids: readonly string[]) {
      const wanted = ids.map(keptText)
      if (wanted.length === 0) return []
      const rows = await session.alone(`read the ${namedIn(kind)}`, on => on.rows<Row>(of(kind).get(ids)))
      const bodies = new Map(rows.map(({ body, id }) => [id.toString(), body]))
      return wanted.map(id => {
        const body = bodies.get(id)
        return body === undefined ? null : fromJson<T>(body)
      })
    },
    async scan<T>(kind: Kind<T>, index: string, range: Range) {
      const list = of(kind).list(index, range)
      const rows = await session.alone(`list the ${namedIn(kind)}s`, on => on.rows<Row>(list))
      return rows.map(({ body }) => fromJson<T>(body))
    },
  }
}
