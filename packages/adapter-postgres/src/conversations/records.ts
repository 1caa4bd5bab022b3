import type { ConversationId } from '@colloquy/core'
import {
  comparedChannel,
  jsonText,
  type PlainRecordFilter,
  type RecordFilter,
  type RecordJson,
  type RecordPage,
  type RecordPageStart,
  type RecordPosition,
  type RecordStore,
  type WordCondition,
} from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define, Placeholder, Statement, Tables } from '../database/statements.ts'
import type { Places } from './conversation-place.ts'
import { wantedElements } from './search-words.ts'
import { recordTextOf, stateOf } from './state-parts.ts'

/** A conversation as its record is made from it. */
interface RecordRow {
  readonly id: ConversationId
  readonly startedAt: number
  readonly state: string
  readonly changes: string | null
  readonly summary: string | null
  readonly details: string | null
  /** A JSON array; null where it has more bytes than were asked for. */
  readonly turns: string | null
  /** How many places the page was chosen from. */
  readonly found: number
}

/** The conditions of a list, after a position in its order; null matches anything. */
export type Conditions = {
  scope: number
  startedAt: number
  id: string
  end: number
  variantId: string | null
  variantName: string | null
  inProgress: boolean | null
  channels: readonly string[] | null
}

type Page = { limit: number; offset: number; bytes: number }

/** The elements of which a turn must hold one, for each word of a condition: `words0`, `words1`, … */
type Words = Readonly<Record<`words${number}`, readonly string[]>>

/** One turn holds all words of a condition. */
function holdsWords(t: Tables, p: Placeholder<Words>, words: number): RawBuilder<unknown> {
  if (words === 0) return sql`true`
  const each = Array.from({ length: words }, (_, at) => sql`turn.words && ${p(`words${at}`)}::text[]`)
  return sql`c.row in (select turn.conversation from ${t('turn')} as turn where ${sql.join(each, sql` and `)})`
}

/** What a list lets through. */
export const holds = (t: Tables, p: Placeholder<Conditions>): RawBuilder<unknown> => sql`
  (c.started_at, c.id) > (${p('startedAt')}::bigint, ${p('id')}::text) and c.started_at < ${p('end')}::bigint
  and ${passes(t, p)}`

/** The same before a position; `end` is the first start then. */
const holdsBefore = (t: Tables, p: Placeholder<Conditions>): RawBuilder<unknown> => sql`
  (c.started_at, c.id) < (${p('startedAt')}::bigint, ${p('id')}::text) and c.started_at >= ${p('end')}::bigint
  and ${passes(t, p)}`

const passes = (t: Tables, p: Placeholder<Conditions>): RawBuilder<unknown> => sql`
  c.scope = ${p('scope')}::int and c.listed
  and (${p('variantId')}::text is null or c.variant in (select row from ${t('variant')} where id = ${p('variantId')}))
  and (${p('variantName')}::text is null or c.variant in (select row from ${t('variant')} where name = ${p('variantName')}))
  and (${p('inProgress')}::boolean is null or (c.finished_at is null) = ${p('inProgress')})
  and (${p('channels')}::text[] is null or lower(c.channel collate "C") = any (${p('channels')}::text[]))`

/** A record's columns, of the conversation `c` with the head `h`. */
const recordColumns = (t: Tables, bytes: RawBuilder<unknown>, found: RawBuilder<unknown>) => sql`
  c.id, c.started_at as "startedAt", c.state, h.changes, c.summary, c.details, ${found} as found,
  case when greatest(h.turn_bytes, 1) + 1 <= ${bytes}::bigint then (
    select '[' || coalesce(string_agg(record, ',' order by number), '') || ']' from ${t('turn')} where conversation = c.row
  ) end as turns`

/**
 * A page of records whose places a query finds. What is known to be beyond the bytes is not read: the lengths of turns,
 * and of the texts of finished conversations.
 */
const pageOf = (t: Tables, p: Placeholder<Page>, order: 'asc' | 'desc', condition: RawBuilder<unknown>) => {
  const direction = sql.raw(order)
  return sql<RecordRow>`
    with places as (
      select c.row, c.started_at, c.id from ${t('conversation')} as c where ${condition}
      order by c.started_at ${direction}, c.id ${direction} limit ${p('limit')}::bigint offset ${p('offset')}::bigint
    ), measured as (
      select places.row, count(*) over () as found, coalesce(sum(
          case when greatest(h.turn_bytes, 1) + 1 <= ${p('bytes')}::bigint then h.turn_bytes else 0 end
          + coalesce(octet_length(c.summary), 0) + coalesce(octet_length(c.details), 0)
        ) over (order by places.started_at ${direction}, places.id ${direction} rows between unbounded preceding and 1 preceding), 0)
        as before
      from places join ${t('conversation')} as c on c.row = places.row join ${t('conversation_head')} as h on h.row = places.row
    )
    select ${recordColumns(t, p('bytes'), sql`measured.found`)}
    from measured join ${t('conversation')} as c on c.row = measured.row join ${t('conversation_head')} as h on h.row = measured.row
    where measured.before <= ${p('bytes')}::bigint
    order by c.started_at ${direction}, c.id ${direction}`
}

/** A statement for each number of words: the plan of a search depends on its words, others are planned once. */
function byWords<P, Row>(write: (words: number) => Statement<P, Row>): (words: number) => Statement<P, Row> {
  const known = new Map<number, Statement<P, Row>>()
  return words => {
    const statement = known.get(words) ?? write(words)
    known.set(words, statement)
    return statement
  }
}

const planOf = (words: number) => ({ planned: words === 0 ? 'once' : 'each time' }) as const

const recordStatements = (define: Define) => ({
  page: byWords(words =>
    define<Conditions & Page & Words>(
      'list conversation records',
      planOf(words),
    )<RecordRow>((t, p) => pageOf(t, p, 'asc', sql`${holds(t, p)} and ${holdsWords(t, p, words)}`)),
  ),
  drawn: byWords(words =>
    define<Conditions & Words & { limit: number }>(
      'draw conversation records',
      planOf(words),
    )<RecordPosition>(
      (t, p) => sql`
      select id, "startedAt" from (
        select c.id, c.started_at as "startedAt" from ${t('conversation')} as c
        where ${holds(t, p)} and ${holdsWords(t, p, words)} order by random() limit ${p('limit')}::bigint
      ) as drawn order by "startedAt", id`,
    ),
  ),
  newest: define<Conditions & Page>('list the newest conversation records')<RecordRow>((t, p) =>
    pageOf(t, p, 'desc', holdsBefore(t, p)),
  ),
  // Those in progress are few among many.
  newestOpen: define<Conditions & Page>('list the newest conversation records in progress')<RecordRow>(
    (t, p) => pageOf(t, p, 'desc', sql`c.finished_at is null and ${holdsBefore(t, p)}`),
  ),
  one: define<{ id: string; accountId: string; agentId: string; bytes: number }>(
    'read a conversation record',
  )<RecordRow>(
    (t, p) => sql`
      select ${recordColumns(t, p('bytes'), sql`1`)}
      from ${t('conversation_head')} as h join ${t('conversation')} as c on c.row = h.row
      where h.id = ${p('id')} and c.listed and c.scope in
        (select row from ${t('scope')} where agent_id = ${p('agentId')} and account_id = ${p('accountId')})`,
  ),
})

/** Where a page begins, in the list's own order: after this start and id, then some records on. */
interface Start {
  readonly startedAt: number
  readonly id: string
  readonly offset: number
}

/** Before the first record of a filter. */
export const beginningOf = ({ startTime }: Pick<RecordFilter, 'startTime'>): Start => ({
  startedAt: startTime ?? Number.MIN_SAFE_INTEGER,
  id: '',
  offset: 0,
})

function startOf(filter: RecordFilter, from: RecordPageStart): Start {
  const first = beginningOf(filter)
  if ('offset' in from) return { ...first, offset: from.offset }
  return from.after.startedAt < first.startedAt ? first : { ...from.after, offset: 0 }
}

/** The conditions of a filter, without its words, after a position in the list. */
export const conditionsOf = (
  filter: PlainRecordFilter,
  { startedAt, id }: Pick<Start, 'startedAt' | 'id'>,
): Omit<Conditions, 'scope'> => ({
  startedAt,
  id,
  end: filter.endTime ?? Number.MAX_SAFE_INTEGER,
  variantId: filter.variantId ?? null,
  variantName: filter.variantName ?? null,
  inProgress: filter.inProgress ?? null,
  channels: filter.channels?.map(comparedChannel) ?? null,
})

/** A filter's words as parameters, and how many they are. */
function wordsOf(
  scope: number,
  condition: WordCondition | undefined,
): { readonly count: number; readonly words: Words } {
  const wanted = condition === undefined ? [] : wantedElements(scope, condition)
  return {
    count: wanted.length,
    words: Object.fromEntries(wanted.map((elements, at) => [`words${at}`, elements])),
  }
}

/** The record's texts, from what is written by now. */
function jsonOfRow({ state, changes, summary, details, turns }: RecordRow): RecordJson {
  const text =
    summary !== null && details !== null ? { summary, details } : recordTextOf(stateOf({ state, changes }))
  return {
    summary: jsonText(text.summary),
    details: jsonText(text.details),
    turns: turns === null ? null : jsonText(turns),
  }
}

const bytesOf = ({ summary, details, turns }: RecordJson): number =>
  Buffer.byteLength(summary.text) + Buffer.byteLength(details.text) + Buffer.byteLength(turns?.text ?? '')

/** As many of the rows as the limit and the bytes allow, one at least. */
function toPage(rows: readonly RecordRow[], limit: number, bytes: number): RecordPage {
  const records: RecordPage['records'][number][] = []
  let length = 0
  for (const row of rows) {
    if (records.length === limit) return { records, more: true }
    const json = jsonOfRow(row)
    length += bytesOf(json)
    if (records.length > 0 && length > bytes) return { records, more: true }
    records.push({ id: row.id, startedAt: row.startedAt, json })
  }
  return { records, more: (rows[0]?.found ?? 0) > records.length }
}

const NOTHING: RecordPage = { records: [], more: false }

/** The port's methods that read conversation records. */
export function recordMethods({ define }: Session, places: Places): RecordStore {
  const run = recordStatements(define)
  return {
    async list(wanted, position, limit, bytes = Number.POSITIVE_INFINITY) {
      const [filter, from] = structuredClone([wanted, position] as const)
      const scope = await places.find(filter)
      if (scope === null) return NOTHING
      const start = startOf(filter, from)
      const { count, words } = wordsOf(scope, filter.words)
      const page = { limit: limit + 1, offset: start.offset, bytes }
      const rows = await run.page(count).all({ ...conditionsOf(filter, start), scope, ...page, ...words })
      return toPage(rows, limit, bytes)
    },
    async newest(wanted, position, limit, bytes = Number.POSITIVE_INFINITY) {
      const [filter, from] = structuredClone([wanted, position] as const)
      const scope = await places.find(filter)
      if (scope === null) return NOTHING
      const { startTime = Number.MIN_SAFE_INTEGER, endTime = Number.MAX_SAFE_INTEGER } = filter
      const last = { startedAt: endTime, id: '' }
      const start = 'after' in from && from.after.startedAt < endTime ? from.after : last
      const conditions = { ...conditionsOf(filter, start), end: startTime }
      const page = { limit: limit + 1, offset: 'offset' in from ? from.offset : 0, bytes }
      const statement = filter.inProgress === true ? run.newestOpen : run.newest
      return toPage(await statement.all({ ...conditions, scope, ...page }), limit, bytes)
    },
    async sample(wanted, limit) {
      const filter = structuredClone(wanted)
      const scope = await places.find(filter)
      if (scope === null) return []
      const { count, words } = wordsOf(scope, filter.words)
      return run.drawn(count).all({ ...conditionsOf(filter, beginningOf(filter)), scope, limit, ...words })
    },
    async find(accountId, agentId, id, bytes = Number.POSITIVE_INFINITY) {
      const row = await run.one.get({ accountId, agentId, id, bytes })
      return row === undefined ? null : jsonOfRow(row)
    },
  }
}
