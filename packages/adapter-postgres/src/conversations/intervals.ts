import type { TimeRange } from '@colloquy/core/domain'
import type { ActivityIntervals, IntervalConditions, IntervalStore } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define, Placeholder, Tables } from '../database/statements.ts'
import type { Places } from './conversation-place.ts'
import { SPANS } from './spans.ts'

type Filter = {
  scope: number
  variantId: string | null
  variantName: string | null
  language: string | null
  phoneNumber: string | null
}

/** Conversations in columns: big-endian numbers, one after the other. */
interface ColumnsRow {
  readonly stamp: string
  readonly starts: Buffer | null
  readonly ends: Buffer | null
  readonly variant: Buffer | null
  readonly variantRows: readonly number[]
  readonly variantIds: readonly (string | null)[]
  readonly variantNames: readonly (string | null)[]
}

/** The end of a conversation in progress. */
const NO_END = sql.lit('9223372036854775807')

const spans = sql.join(
  SPANS.map(
    ({ span, longest }) =>
      sql`(${sql.lit(span)}::smallint, ${longest === null ? sql`null` : sql.lit(longest)}::bigint)`,
  ),
)

/**
 * Conversations that were active in a range. Of each class of durations those are read that began late enough to be
 * active still.
 */
const active = (t: Tables, p: Placeholder<Filter>, from: RawBuilder<unknown>, to: RawBuilder<unknown>) => sql`
  (values ${spans}) as s (span, longest) cross join lateral (
    select c.row, c.started_at, c.finished_at, c.variant, c.place from ${t('conversation')} as c
    where c.listed and c.counted and c.scope = ${p('scope')}::int and c.span = s.span
      and c.started_at < ${to} and c.started_at >= coalesce(${from} - s.longest, ${sql.lit(Number.MIN_SAFE_INTEGER)})
      and (c.finished_at is null or c.finished_at > ${from} or (c.finished_at = c.started_at and c.started_at = ${from}))
      and ${from} < ${to}
      and (${p('variantId')}::text is null or c.variant in (select row from ${t('variant')} where id = ${p('variantId')}))
      and (${p('variantName')}::text is null or c.variant in (select row from ${t('variant')} where name = ${p('variantName')}))
      and (${p('language')}::text is null or c.language = ${p('language')})
      and (${p('phoneNumber')}::text is null or c.to_number = ${p('phoneNumber')})
  ) as a`

/** Every write of a conversation's place changes the sum: it is told by its row and its transaction. */
const stamp = sql`count(*) || ' ' || coalesce(sum(hashint8extended(a.place, a.row)), 0)`

const intervalStatements = (define: Define) => ({
  list: define<Filter & { from: number; to: number }>('read when conversations were active')<ColumnsRow>(
    (t, p) => sql`
    with found as materialized (
      select a.* from ${active(t, p, sql`${p('from')}::bigint`, sql`${p('to')}::bigint`)}
    ), variants as (
      select row, id, name from ${t('variant')} where row in (select distinct variant from found)
    )
    select ${stamp} as stamp, string_agg(int8send(a.started_at), '') as starts,
      string_agg(int8send(coalesce(a.finished_at, ${NO_END})), '') as ends, string_agg(int4send(a.variant), '') as variant,
      array(select row from variants order by row) as "variantRows",
      array(select id from variants order by row) as "variantIds",
      array(select name from variants order by row) as "variantNames"
    from found as a`,
  ),
  stamps: define<Filter & { froms: readonly number[]; tos: readonly number[] }>(
    'read when conversations were active',
  )<{
    readonly stamp: string
  }>(
    (t, p) => sql`
    select answer.stamp from unnest(${p('froms')}::bigint[], ${p('tos')}::bigint[]) with ordinality as r ("from", "to", place)
    cross join lateral (
      select ${stamp} as stamp from ${active(t, p, sql`r."from"`, sql`r."to"`)}
    ) as answer order by r.place`,
  ),
})

/** Of nothing. */
const EMPTY = Buffer.alloc(0)

const TWO_TO_32 = 2 ** 32

/** Moments of 64 bits; what is beyond all moments is no end. */
function moments(bytes: Buffer): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, at) => {
    const moment = view.getInt32(at * 8) * TWO_TO_32 + view.getUint32(at * 8 + 4)
    return moment > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : moment
  })
}

function answerOf(row: ColumnsRow): ActivityIntervals {
  const places = new Map(row.variantRows.map((variant, place) => [variant, place]))
  const variant = row.variant ?? EMPTY
  const view = new DataView(variant.buffer, variant.byteOffset, variant.byteLength)
  return {
    stamp: row.stamp,
    starts: moments(row.starts ?? EMPTY),
    ends: moments(row.ends ?? EMPTY),
    variant: Uint32Array.from(
      { length: variant.byteLength / 4 },
      (_, at) => places.get(view.getInt32(at * 4)) ?? 0,
    ),
    variants: row.variantRows.map((_, place) => ({
      id: row.variantIds[place] ?? null,
      name: row.variantNames[place] ?? null,
    })),
    blocks: [],
  }
}

/** The stamp of an answer without conversations. */
const NO_STAMP = '0 0'

const NOTHING: ColumnsRow = {
  stamp: NO_STAMP,
  starts: null,
  ends: null,
  variant: null,
  variantRows: [],
  variantIds: [],
  variantNames: [],
}

const filterOf = ({ variantId, variantName, language, phoneNumber }: IntervalConditions) => ({
  variantId: variantId ?? null,
  variantName: variantName ?? null,
  language: language ?? null,
  phoneNumber: phoneNumber ?? null,
})

/** The port's methods that concurrency is counted from. */
export function intervalMethods({ define }: Session, places: Places): IntervalStore {
  const run = intervalStatements(define)
  return {
    async list(filter) {
      const { from, to } = filter
      const conditions = filterOf(filter)
      const scope = await places.find(filter)
      const row = scope === null ? undefined : await run.list.get({ ...conditions, scope, from, to })
      return answerOf(row ?? NOTHING)
    },
    async stamps(given, ranges: readonly TimeRange[]) {
      const conditions = filterOf(given)
      const [froms, tos] = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)]
      const scope = await places.find(given)
      if (scope === null) return froms.map(() => NO_STAMP)
      return (await run.stamps.all({ ...conditions, scope, froms, tos })).map(({ stamp }) => stamp)
    },
  }
}
