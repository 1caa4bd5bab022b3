import type { ConversationId } from '@colloquy/core'
import {
  comparedChannel,
  jsonText,
  type PlainRecordFilter,
  type RecordFilter,
  type RecordJson,
  type RecordPage,
  type RecordPageStart,
  type RecordStore,
  type WordCondition,
} from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define, Placeholder } from '../database/statements.ts'
import type { Flag } from '../database/tables.ts'
import { turnsText } from './conversation-log.ts'
import type { ConversationStatements } from './conversation-statements.ts'
import type { RecordCounts } from './record-counts.ts'
import type { SearchWords } from './search-words.ts'
import { recordTextOf } from './state-parts.ts'

/** From this offset on, looking the place of a record up is cheaper than stepping over those before it. */
export const DEEP_OFFSET = 1_000

/** What the store has of a record, as it has it. */
interface RecordText {
  readonly summary: string
  readonly details: string
  readonly turns: string | null
}

interface RecordRow extends RecordText {
  readonly row: number
  readonly id: ConversationId
  readonly startedAt: number
  /** Whether `summary` and `details` are kept. */
  readonly isFinished: Flag
  readonly isLong: Flag | null
}

/** A record by its place in the list. */
interface Found {
  readonly row: number
  readonly startedAt: number
  readonly id: ConversationId
}

/** What reading records needs of the store's other parts. */
interface RecordParts {
  readonly run: ConversationStatements
  readonly records: RecordStatements
  readonly counts: RecordCounts
  readonly words: SearchWords
}

/** Turns that are kept as one text, but for those of more bytes than were asked for: `isLong` says so. */
const columns = (
  bytes: RawBuilder<number>,
) => sql`row, id, started_at as startedAt, finished_at is not null as isFinished, summary, details,
  case when octet_length(turns) <= ${bytes} then turns end as turns, octet_length(turns) > ${bytes} as isLong`

/**
 * The conditions of a filter. One shape for all filters: those that are not given are null, and null lets everything
 * through.
 */
type Conditions = {
  scope: number
  startedAt: number
  id: string
  end: number
  variantId: string | null
  variantName: string | null
  inProgress: 0 | 1 | null
  channels: string | null
}

type Page = Conditions & { limit: number; offset: number; bytes: number }

const passes = (p: Placeholder<Conditions>) => sql`(${p('variantId')} is null
    or variant in (select row from variant where id = ${p('variantId')}))
  and (${p('variantName')} is null
    or variant in (select row from variant where name = ${p('variantName')}))
  and (${p('inProgress')} is null or (finished_at is null) = ${p('inProgress')})
  and (${p('channels')} is null or lower(channel) in (select value from json_each(${p('channels')})))`

const holds = (p: Placeholder<Conditions>) => sql`scope = ${p('scope')} and listed > 0
  and (started_at, id) > (${p('startedAt')}, ${p('id')}) and started_at < ${p('end')} and ${passes(p)}`

/** The same before a position; \`end\` is the first start then. */
const holdsBefore = (p: Placeholder<Conditions>) => sql`scope = ${p('scope')} and listed > 0
  and (started_at, id) < (${p('startedAt')}, ${p('id')}) and started_at >= ${p('end')} and ${passes(p)}`

/** The statements that read records, prepared. */
export const recordStatements = (define: Define) => ({
  page: define<Page>()((db, p) =>
    sql<RecordRow>`
      select ${columns(p('bytes'))} from conversation indexed by conversation_listed
      where ${holds(p)} order by started_at, id limit ${p('limit')} offset ${p('offset')}`.compile(db),
  ),
  newest: define<Page>()((db, p) =>
    sql<RecordRow>`
      select ${columns(p('bytes'))} from conversation indexed by conversation_listed
      where ${holdsBefore(p)} order by started_at desc, id desc
      limit ${p('limit')} offset ${p('offset')}`.compile(db),
  ),
  // Those in progress are few among many.
  newestOpen: define<Page>()((db, p) =>
    sql<RecordRow>`
      select ${columns(p('bytes'))} from conversation indexed by conversation_active
      where finished_at is null and ${holdsBefore(p)} order by started_at desc, id desc
      limit ${p('limit')} offset ${p('offset')}`.compile(db),
  ),
  places: define<Conditions & { limit: number }>()((db, p) =>
    sql<Found>`
      select row, started_at as startedAt, id from conversation indexed by conversation_listed
      where ${holds(p)} order by started_at, id limit ${p('limit')}`.compile(db),
  ),
  // Not by the list's index: by the rows that the words lead to.
  found: define<Conditions & { turns: string; limit: number }>()((db, p) =>
    sql<Found>`
      select row, started_at as startedAt, id from conversation not indexed
      where row in (select coalesce(
            (select turn_of.conversation from turn_of where turn_of.turn = value),
            (select turn.conversation from turn where turn.row = value))
          from json_each(${p('turns')}))
        and ${holds(p)} order by started_at, id limit ${p('limit')}`.compile(db),
  ),
  drawn: define<Conditions & { limit: number }>()((db, p) =>
    sql<Found>`
      select row, started_at as startedAt, id from conversation indexed by conversation_listed
      where ${holds(p)} order by random() limit ${p('limit')}`.compile(db),
  ),
  row: define<{ row: number; bytes: number }>()((db, p) =>
    sql<RecordRow>`
      select ${columns(p('bytes'))} from conversation not indexed where row = ${p('row')}`.compile(db),
  ),
  one: define<{ id: string; accountId: string; agentId: string; bytes: number }>()((db, p) =>
    sql<RecordRow>`
      select ${columns(p('bytes'))} from conversation where id = ${p('id')} and listed > 0 and scope in
        (select row from scope where agent_id = ${p('agentId')} and account_id = ${p('accountId')})`.compile(
      db,
    ),
  ),
})

/** The prepared statements that read records. */
export type RecordStatements = ReturnType<typeof recordStatements>

/** Where a page begins, in the list's own order: after this start and id, then some records on. */
interface Start {
  readonly startedAt: number
  readonly id: string
  readonly offset: number
}

const isUnfiltered = ({ variantId, variantName, inProgress, channels }: PlainRecordFilter): boolean =>
  variantId === undefined && variantName === undefined && inProgress === undefined && channels === undefined

/** Before the first record of a filter. */
export const beginningOf = ({ startTime }: Pick<RecordFilter, 'startTime'>): Start => ({
  startedAt: startTime ?? Number.MIN_SAFE_INTEGER,
  id: '',
  offset: 0,
})

function startOf(
  counts: RecordCounts,
  scope: number,
  filter: RecordFilter,
  from: RecordPageStart,
): Start | null {
  const first = beginningOf(filter)
  if ('after' in from) {
    return from.after.startedAt < first.startedAt ? first : { ...from.after, offset: 0 }
  }
  if (from.offset < DEEP_OFFSET || !isUnfiltered(filter) || filter.words !== undefined) {
    return { ...first, offset: from.offset }
  }
  const located = counts.locate(scope, filter.startTime ?? null, from.offset)
  return located && { startedAt: located.from, id: '', offset: located.skip }
}

/** The conditions of a filter, without its words, after a position in the list. */
export const conditionsOf = (
  scope: number,
  filter: PlainRecordFilter,
  { startedAt, id }: Pick<Start, 'startedAt' | 'id'>,
): Conditions => ({
  scope,
  startedAt,
  id,
  end: filter.endTime ?? Number.MAX_SAFE_INTEGER,
  variantId: filter.variantId ?? null,
  variantName: filter.variantName ?? null,
  inProgress: filter.inProgress === undefined ? null : filter.inProgress ? 1 : 0,
  channels: filter.channels === undefined ? null : JSON.stringify(filter.channels.map(comparedChannel)),
})

const bytesOf = ({ summary, details, turns }: RecordText): number =>
  Buffer.byteLength(summary) + Buffer.byteLength(details) + Buffer.byteLength(turns ?? '')

const jsonOfText = ({ summary, details, turns }: RecordText): RecordJson => ({
  summary: jsonText(summary),
  details: jsonText(details),
  turns: turns === null ? null : jsonText(turns),
})

/** A bound as SQL knows it. */
const boundOf = (bytes = Number.MAX_SAFE_INTEGER): number =>
  Math.min(Math.floor(bytes), Number.MAX_SAFE_INTEGER)

/** In the order of the list: by start, then by the code points of the id. */
const inOrder = (found: readonly Found[]): readonly Found[] =>
  found.toSorted(
    (one, other) =>
      one.startedAt - other.startedAt || Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)),
  )

/** What lets every record of a scope through. */
const ALL = {
  end: Number.MAX_SAFE_INTEGER,
  variantId: null,
  variantName: null,
  inProgress: null,
  channels: null,
}

/** A random subset of that size, each equally likely. */
const draw = <T>(all: readonly T[], limit: number): readonly T[] =>
  all
    .map(one => ({ one, lot: Math.random() }))
    .toSorted((left, right) => left.lot - right.lot)
    .slice(0, limit)
    .map(({ one }) => one)

/** The port's methods that read conversation records. */
export function recordMethods(
  { snapshot }: Session,
  { run, records: own, counts, words }: RecordParts,
): RecordStore {
  function textOf(
    { row, isFinished, summary, details, turns, isLong }: RecordRow,
    bytes: number,
  ): RecordText {
    if (isFinished === 1 && (turns !== null || isLong === 1)) return { summary, details, turns }
    const parts = run.parts.get({ row })
    if (parts === undefined) throw new Error('A conversation has no head.')
    const text = isFinished === 1 ? { summary, details } : recordTextOf(parts)
    return { ...text, turns: turnsText(run, parts.lastTurn, bytes) }
  }

  /**
   * As many of the rows as the limit and the bytes allow, one at least; reads none behind them but the one with which
   * it is certain.
   */
  function pageOf(rows: Iterable<RecordRow>, limit: number, bytes: number): RecordPage {
    const records: RecordPage['records'][number][] = []
    let length = 0
    for (const row of rows) {
      if (records.length === limit) return { records, more: true }
      const text = textOf(row, bytes)
      length += bytesOf(text)
      if (records.length > 0 && length > bytes) return { records, more: true }
      records.push({ id: row.id, startedAt: row.startedAt, json: jsonOfText(text) })
    }
    return { records, more: false }
  }

  function* rowsOf(found: readonly Found[], bytes: number): Generator<RecordRow> {
    for (const { row } of found) {
      const read = own.row.get({ row, bytes })
      if (read !== undefined) yield read
    }
  }
  const scopeOf = ({ accountId, agentId, environment }: PlainRecordFilter) =>
    run.scope.get({ accountId, agentId, environment })?.row

  /** Matches after a place in the list, in its order, until there are enough: stretch by stretch of time. */
  function find(conditions: Conditions, condition: WordCondition, enough: number): readonly Found[] {
    const found: Found[] = []
    for (const { turns } of words.stretches(
      conditions.scope,
      condition,
      conditions.startedAt,
      conditions.end,
    )) {
      found.push(
        ...own.found.all({ ...conditions, turns: JSON.stringify(turns), limit: enough - found.length }),
      )
      if (found.length >= enough) break
    }
    return found
  }
  /** Where a page that is newest first begins: before a position, skipping some records. Null when there are fewer. */
  function newestStart(scope: number, filter: PlainRecordFilter, from: RecordPageStart): Start | null {
    const { startTime, endTime = Number.MAX_SAFE_INTEGER } = filter
    const last = { startedAt: endTime, id: '' }
    if ('after' in from)
      return from.after.startedAt < endTime ? { ...from.after, offset: 0 } : { ...last, offset: 0 }
    const isPart = startTime !== undefined || endTime !== Number.MAX_SAFE_INTEGER || !isUnfiltered(filter)
    if (isPart || from.offset < DEEP_OFFSET) return { ...last, offset: from.offset }
    // In the list's own order the record before which the page begins has this number.
    const number = counts.total(scope) - from.offset
    const located = number <= 0 ? null : counts.locate(scope, null, number)
    if (located === null) return null
    const conditions = { ...ALL, scope, startedAt: located.from, id: '' }
    const newer = own.places.all({ ...conditions, limit: located.skip + 1 }).at(-1)
    return newer === undefined ? null : { startedAt: newer.startedAt, id: newer.id, offset: 0 }
  }

  return {
    async list(wanted, position, limit, given) {
      const [filter, from] = structuredClone([wanted, position] as const)
      if (filter.words !== undefined) await words.caughtUp()
      return snapshot('list conversation records', () => {
        const bytes = boundOf(given)
        const scope = scopeOf(filter)
        const start = scope === undefined ? null : startOf(counts, scope, filter, from)
        if (scope === undefined || start === null) return { records: [], more: false }
        const conditions = conditionsOf(scope, filter, start)
        if (filter.words === undefined) {
          const rows = own.page.each({ ...conditions, offset: start.offset, limit: limit + 1, bytes })
          return pageOf(rows, limit, bytes)
        }
        const found = find(conditions, filter.words, start.offset + limit + 1).slice(start.offset)
        return pageOf(rowsOf(found, bytes), limit, bytes)
      })
    },
    async newest(wanted, position, limit, given) {
      const [filter, from] = structuredClone([wanted, position] as const)
      return snapshot('list the newest conversation records', () => {
        const bytes = boundOf(given)
        const scope = scopeOf(filter)
        const start = scope === undefined ? null : newestStart(scope, filter, from)
        if (scope === undefined || start === null) return { records: [], more: false }
        const first = filter.startTime ?? Number.MIN_SAFE_INTEGER
        const conditions = { ...conditionsOf(scope, filter, start), end: first }
        const statement = filter.inProgress === true ? own.newestOpen : own.newest
        const rows = statement.each({ ...conditions, offset: start.offset, limit: limit + 1, bytes })
        return pageOf(rows, limit, bytes)
      })
    },
    async sample(wanted, limit) {
      const filter = structuredClone(wanted)
      if (filter.words !== undefined) await words.caughtUp()
      return snapshot('draw conversation records', () => {
        const scope = scopeOf(filter)
        if (scope === undefined) return []
        const conditions = conditionsOf(scope, filter, beginningOf(filter))
        const chosen =
          filter.words === undefined
            ? own.drawn.all({ ...conditions, limit })
            : draw(find(conditions, filter.words, Number.MAX_SAFE_INTEGER), limit)
        return inOrder(chosen).map(({ id, startedAt }) => ({ id, startedAt }))
      })
    },
    find: (accountId, agentId, id, given) =>
      snapshot('read a conversation record', () => {
        const bytes = boundOf(given)
        const row = own.one.get({ accountId, agentId, id, bytes })
        return row === undefined ? null : jsonOfText(textOf(row, bytes))
      }),
  }
}
