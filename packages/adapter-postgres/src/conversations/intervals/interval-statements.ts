import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder, Tables } from '../../database/statements.ts'
import { SPANS, STRETCH } from './spans.ts'

/** What concurrency is filtered by. */
export type Filter = {
  scope: number
  variantId: string | null
  variantName: string | null
  language: string | null
  phoneNumber: string | null
}

/** Conversations in columns: big-endian numbers, one after the other; with the names of all variants of the answer. */
export interface SourcesRow {
  readonly stamp: string
  readonly starts: Buffer | null
  readonly ends: Buffer | null
  readonly variant: Buffer | null
  readonly variants: readonly number[]
  readonly variantIds: readonly (string | null)[]
  readonly variantNames: readonly (string | null)[]
  /** Rows of the blocks that others may be in. */
  readonly blocks: readonly number[]
}

/** A block; see the schema for its columns. */
export interface BlockRow {
  readonly row: number
  readonly stretch: number
  readonly span: number
  readonly intervals: number
  readonly packed: string
  readonly variants: readonly number[]
  readonly languages: readonly (string | null)[]
  readonly numbers: readonly (string | null)[]
  readonly pairs: string
}

/** Where conversations lie that are kept in one block, or could be. */
export type BlockPlace = { readonly span: number; readonly stretch: number }

/** The end of a conversation in progress. */
const NO_END = sql.lit('9223372036854775807')

const stretch = sql.lit(STRETCH)

const spans = sql.join(
  SPANS.map(
    ({ span, longest }) =>
      sql`(${sql.lit(span)}::smallint, ${longest === null ? sql`null` : sql.lit(longest)}::bigint)`,
  ),
)

/** A range of time, as SQL has it. */
interface Range {
  readonly from: RawBuilder<unknown>
  readonly to: RawBuilder<unknown>
}

type Scope = Pick<Filter, 'scope'>

/** Blocks of conversations that began late enough to be active in a range still. */
const blocks = (t: Tables, p: Placeholder<Scope>, { from, to }: Range) => sql`
  select b.row, b.span, b.stretch, b.first_start, b.last_end from (values ${spans}) as s (span, longest)
  join ${t('interval_block')} as b on b.scope = ${p('scope')}::int and b.span = s.span and b.packed is not null
    and b.stretch >= (${from} - s.longest) / ${stretch} - 1 and b.stretch <= ${to} / ${stretch}
  where ${from} < ${to}`

/** Stretches of time without a block of `b`, by class, as far back as conversations of the class are active still. */
const gaps = ({ from, to }: Range) => sql`
  select s.span, s.longest, coalesce(lag(e.past) over (partition by e.span order by e.since),
    ${from} - s.longest, ${sql.lit(Number.MIN_SAFE_INTEGER)}) as since, e.since as until
  from (values ${spans}) as s (span, longest) join (
    select span, stretch::bigint * ${stretch} as since, (stretch + 1)::bigint * ${stretch} as past from b
    union all select span, ${to}, ${to} from (values ${spans}) as s (span, longest)
  ) as e on e.span = s.span
  where ${from} < ${to}`

/**
 * Conversations that were active in a range and are in no block. The offset has each gap looked up by itself: the
 * planner, which knows nothing of their number, would else read all conversations.
 */
const loose = (t: Tables, p: Placeholder<Filter>, range: Range, called: RawBuilder<unknown>) => {
  const { from, to } = range
  return sql`
  (${gaps(range)}) as g cross join lateral (
    select c.row, c.started_at, c.finished_at, c.variant, c.place from ${t('conversation')} as c
    where c.listed and c.counted and c.scope = ${p('scope')}::int and c.span = g.span
      and c.started_at < least(g.until, ${to}) and c.started_at >= g.since
      and (c.finished_at is null or c.finished_at > ${from} or (c.finished_at = c.started_at and c.started_at = ${from}))
      and (${p('variantId')}::text is null or c.variant in (select row from ${t('variant')} where id = ${p('variantId')}))
      and (${p('variantName')}::text is null or c.variant in (select row from ${t('variant')} where name = ${p('variantName')}))
      ${called}
    offset 0
  ) as a`
}

/** Every write of a conversation's place changes the sum: it is told by its row and its transaction. */
const looseStamp = sql`count(*) || ' ' || coalesce(sum(hashint8extended(a.place, a.row)), 0)`

/** A block never changes: what has changed is another one, or none. */
const blockStamp = ({ from, to }: Range) => sql`
  select count(*) || ' ' || coalesce(sum(hashint8extended(b.row, 0)), 0)
  from b where b.first_start < ${to} and b.last_end >= ${from}`

/** Those of a language or called number; without either the index alone answers. */
const called = (p: Placeholder<Filter>) => sql`
      and (${p('language')}::text is null or c.language = ${p('language')})
      and (${p('phoneNumber')}::text is null or c.to_number = ${p('phoneNumber')})`

const sourcesStatement = (define: Define, calledOf: (p: Placeholder<Filter>) => RawBuilder<unknown>) =>
  define<Filter & { from: number; to: number }>('read when conversations were active')<SourcesRow>((t, p) => {
    const range = { from: sql`${p('from')}::bigint`, to: sql`${p('to')}::bigint` }
    const { from, to } = range
    return sql`
    with b as materialized (${blocks(t, p, range)}), found as materialized (
      select a.* from ${loose(t, p, range, calledOf(p))}
    ), block as materialized (
      select k.row, k.variants from b join ${t('interval_block')} as k using (row)
      where b.first_start < ${to} and b.last_end >= ${from}
    ), variants as (
      select row, id, name from ${t('variant')}
      where row in (select variant from found union select unnest(variants) from block)
    )
    select ${looseStamp} || ' ' || (${blockStamp(range)}) as stamp, string_agg(int8send(a.started_at), '') as starts,
      string_agg(int8send(coalesce(a.finished_at, ${NO_END})), '') as ends, string_agg(int4send(a.variant), '') as variant,
      array(select row from variants order by row) as variants,
      array(select id from variants order by row) as "variantIds",
      array(select name from variants order by row) as "variantNames",
      array(select row from block) as blocks
    from found as a`
  })

const stampsStatement = (define: Define, calledOf: (p: Placeholder<Filter>) => RawBuilder<unknown>) =>
  define<Filter & { froms: readonly number[]; tos: readonly number[] }>(
    'read when conversations were active',
  )<{ readonly stamp: string }>((t, p) => {
    const range = { from: sql`r."from"`, to: sql`r."to"` }
    return sql`
    select answer.stamp from unnest(${p('froms')}::bigint[], ${p('tos')}::bigint[]) with ordinality as r ("from", "to", place)
    cross join lateral (
      with b as materialized (${blocks(t, p, range)})
      select ${looseStamp} || ' ' || (${blockStamp(range)}) as stamp from ${loose(t, p, range, calledOf(p))}
    ) as answer order by r.place`
  })

/** The statements that read when conversations were active. */
export const readStatements = (define: Define) => ({
  all: { list: sourcesStatement(define, () => sql``), stamps: stampsStatement(define, () => sql``) },
  called: { list: sourcesStatement(define, called), stamps: stampsStatement(define, called) },
  blocks: define<{ rows: readonly number[] }>('read when conversations were active')<BlockRow>(
    (t, p) => sql`
    select row, stretch, span, intervals, packed, variants, languages, numbers, pairs
    from ${t('interval_block')} where row = any (${p('rows')}::bigint[])`,
  ),
})

/** The statements that pack. */
export const packStatements = (define: Define) => ({
  /** Places without a block that many conversations lie in, and no further one can come to. */
  due: define<{ scope: number; from: number; to: number; least: number; most: number }>(
    'look for conversations to pack',
  )<BlockPlace>((t, p) => {
    const range = { from: sql`${p('from')}::bigint`, to: sql`${p('to')}::bigint` }
    const { to } = range
    return sql`
    with b as (${blocks(t, p, range)})
    select g.span, (c.started_at / ${stretch})::int as stretch from (${gaps(range)}) as g
    cross join lateral (
      select c.started_at from ${t('conversation')} as c
      where c.listed and c.counted and c.scope = ${p('scope')}::int and c.span = g.span
        and c.started_at >= greatest(g.since, 0) and c.started_at < least(g.until, ${to})
      offset 0
    ) as c
    where (c.started_at / ${stretch} + 1) * ${stretch} + g.longest < extract(epoch from clock_timestamp()) * 1000
    group by 1, 2 having count(*) >= ${p('least')} order by 2, 1 limit ${p('most')}`
  }),
  begin: define<{ scope: number; spans: readonly number[]; stretches: readonly number[] }>(
    'begin to pack conversations',
  )<never>(
    (t, p) => sql`
    insert into ${t('interval_block')} (scope, span, stretch)
    select ${p('scope')}::int, span, stretch from unnest(${p('spans')}::smallint[], ${p('stretches')}::int[]) as g (span, stretch)
    on conflict do nothing`,
  ),
  /** What all transactions come after that begin from now on. */
  horizon: define('begin to pack conversations')<{ readonly next: string }>(
    () => sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
  ),
  /** Whether no transaction is left that began before. */
  isPast: define<{ next: string }>('begin to pack conversations')<{ readonly past: boolean }>(
    (_, p) => sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${p('next')}::text::xid8 as past`,
  ),
  lock: define<{ scope: number } & BlockPlace>('pack conversations')<{ readonly row: number }>(
    (t, p) => sql`
    select row from ${t('interval_block')}
    where scope = ${p('scope')} and span = ${p('span')} and stretch = ${p('stretch')} and packed is null for update`,
  ),
  fill: define<{ row: number }>('pack conversations')<never>(
    (t, p) => sql`
    with c as (
      select c.started_at - b.stretch::bigint * ${stretch} as start, c.started_at, c.finished_at, c.variant, c.language, c.to_number,
        dense_rank() over (order by c.variant) - 1 as place,
        dense_rank() over (order by c.language nulls first, c.to_number) - 1 as pair
      from ${t('interval_block')} as b join ${t('conversation')} as c on c.listed and c.counted
        and c.scope = b.scope and c.span = b.span
        and c.started_at >= b.stretch::bigint * ${stretch} and c.started_at < (b.stretch + 1)::bigint * ${stretch}
      where b.row = ${p('row')}
    ), bounds as (
      select count(*) as intervals, min(started_at) as first_start, max(finished_at) as last_end,
        max(place) as place, max(pair) as pair from c
    ), bytes as (
      select string_agg(substring(int8send(start) from 6), '') as starts,
        string_agg(substring(int8send(finished_at - started_at) from 6), '') as short,
        string_agg(substring(int8send(finished_at - started_at) from 5), '') as long,
        string_agg(substring(int8send(c.place) from case when bounds.place = 0 then 9 when bounds.place < 256 then 8 else 7 end), '')
          as places,
        string_agg(substring(int8send(c.pair) from case when bounds.pair = 0 then 9 else 7 end), '') as pairs
      from c, bounds
    )
    update ${t('interval_block')} as b set
      first_start = bounds.first_start, last_end = bounds.last_end, intervals = bounds.intervals,
      packed = encode(starts || case when b.span = 0 then short else long end || places, 'base64'),
      pairs = encode(bytes.pairs, 'base64'),
      variants = array(select distinct variant from c order by variant),
      languages = array(select language from (select distinct language, to_number from c) as d order by language nulls first, to_number),
      numbers = array(select to_number from (select distinct language, to_number from c) as d order by language nulls first, to_number)
    from bounds, bytes
    where b.row = ${p('row')} and bounds.intervals > 0 and bounds.place < 65536 and bounds.pair < 65536`,
  ),
})
