import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder } from '../../database/statements.ts'
import type { Interval } from './interval-chunks.ts'
import { SPANS, STRETCH, UNPACKED_SPAN } from './spans.ts'

/** Where intervals of one class are kept. */
type Group = { scope: number; span: number }

/** Which chunks are read for a range. */
export type ChunkFilter = { scope: number; from: number; to: number }

/** Columns of chunks as JSON arrays of one length. */
export interface ChunkBounds {
  readonly rows: string
  readonly firstStarts: string
  readonly lastEnds: string
}

/**
 * Chunks that may hold what was active in the range, class by class. The bounds of stretches are rough, those of
 * moments decide.
 */
const chunksOf = (p: Placeholder<ChunkFilter>, columns: RawBuilder<unknown>) =>
  sql.join(
    SPANS.filter(({ span }) => span !== UNPACKED_SPAN).map(
      ({ span, longest }) => sql`
        select ${columns} from interval_chunk
        where scope = ${p('scope')} and span = ${sql.lit(span)}
          and stretch >= (${p('from')} - ${sql.lit(longest)}) / ${sql.lit(STRETCH)} - 1
          and stretch <= (${p('to')} - 1) / ${sql.lit(STRETCH)}
          and first_start < ${p('to')} and last_end >= ${p('from')}`,
    ),
    sql` union all `,
  )

const chunkStatements = (define: Define) => ({
  insertChunk: define<
    Group & {
      stretch: number
      firstStart: number
      lastEnd: number
      intervals: number
      called: string
      packed: Uint8Array
    }
  >()((db, p) =>
    db
      .insertInto('interval_chunk')
      .values({
        scope: p('scope'),
        span: p('span'),
        stretch: p('stretch'),
        first_start: p('firstStart'),
        last_end: p('lastEnd'),
        intervals: p('intervals'),
        called: p('called'),
        packed: p('packed'),
      })
      .compile(),
  ),
  dropChunk: define<{ row: number }>()((db, p) =>
    db.deleteFrom('interval_chunk').where('row', '=', p('row')).compile(),
  ),
  /** A chunk of the stretch that has room. */
  shortChunk: define<Group & { stretch: number; full: number }>()((db, p) =>
    db
      .selectFrom('interval_chunk')
      .select(['row', 'packed', 'called'])
      .where('scope', '=', p('scope'))
      .where('span', '=', p('span'))
      .where('stretch', '=', p('stretch'))
      .where('intervals', '<', p('full'))
      .limit(sql.lit(1))
      .compile(),
  ),
  /** Chunks of the stretch that may hold intervals which begin between the two moments, the likeliest first. */
  chunksAround: define<Group & { stretch: number; first: number; last: number }>()((db, p) =>
    db
      .selectFrom('interval_chunk')
      .select(['row', 'packed', 'called'])
      .where('scope', '=', p('scope'))
      .where('span', '=', p('span'))
      .where('stretch', '=', p('stretch'))
      .where('first_start', '<=', p('last'))
      .where('last_end', '>=', p('first'))
      .orderBy('first_start', 'desc')
      .compile(),
  ),
  /** The chunks that may hold what was active in the range: their rows, first starts and last ends, as JSON arrays. */
  chunkBounds: define<ChunkFilter>()((db, p) =>
    sql<ChunkBounds>`
      select json_group_array(row) as rows, json_group_array(first_start) as firstStarts,
        json_group_array(last_end) as lastEnds
      from (${chunksOf(p, sql`row, first_start, last_end`)})`.compile(db),
  ),
  /** The same chunks in the same order, with what they hold. */
  chunks: define<ChunkFilter>()((db, p) =>
    sql<{ readonly row: number; readonly stretch: number; readonly packed: Uint8Array }>`
      ${chunksOf(p, sql`row, stretch, packed`)}`.compile(db),
  ),
  called: define<{ row: number }>()((db, p) =>
    db.selectFrom('interval_chunk').select('called').where('row', '=', p('row')).compile(),
  ),
})

const looseStatements = (define: Define) => ({
  insertLoose: define<
    Group & {
      startedAt: number
      conversation: number
      finishedAt: number
      variant: number
      language: string | null
      toNumber: string
    }
  >()((db, p) =>
    db
      .insertInto('loose_interval')
      .values({
        scope: p('scope'),
        span: p('span'),
        started_at: p('startedAt'),
        conversation: p('conversation'),
        finished_at: p('finishedAt'),
        variant: p('variant'),
        language: p('language'),
        to_number: p('toNumber'),
      })
      .compile(),
  ),
  dropLoose: define<Group & { startedAt: number; conversation: number }>()((db, p) =>
    db
      .deleteFrom('loose_interval')
      .where('scope', '=', p('scope'))
      .where('span', '=', p('span'))
      .where('started_at', '=', p('startedAt'))
      .where('conversation', '=', p('conversation'))
      .compile(),
  ),
  /** Whether the class has more than that many. */
  looseBeyond: define<Group & { many: number }>()((db, p) =>
    db
      .selectFrom('loose_interval')
      .select('started_at')
      .where('scope', '=', p('scope'))
      .where('span', '=', p('span'))
      .limit(sql.lit(1))
      .offset(p('many'))
      .compile(),
  ),
  oldestLoose: define<Group & { limit: number }>()((db, p) =>
    sql<Interval & { readonly conversation: number }>`
      select started_at as startedAt, finished_at as finishedAt, variant, language, to_number as toNumber, conversation
      from loose_interval where scope = ${p('scope')} and span = ${p('span')}
      order by started_at, conversation limit ${p('limit')}`.compile(db),
  ),
  dropLooseUntil: define<Group & { startedAt: number; conversation: number }>()((db, p) =>
    sql`
      delete from loose_interval where scope = ${p('scope')} and span = ${p('span')}
        and (started_at, conversation) <= (${p('startedAt')}, ${p('conversation')})`.compile(db),
  ),
})

/** What is read of conversations that are not packed: those of a range, under a filter. */
export type LooseFilter = {
  scope: number
  from: number
  to: number
  variantId: string | null
  variantName: string | null
  language: string | null
  phoneNumber: string | null
}

/** Columns as JSON arrays: a third of the time that a JavaScript object for each row takes. */
export interface LooseColumns {
  readonly starts: string
  /** Null: in progress. */
  readonly ends: string
  readonly variants: string
}

const filtered = (p: Placeholder<LooseFilter>) => sql`
  and (${p('variantId')} is null or variant in (select row from variant where id = ${p('variantId')}))
  and (${p('variantName')} is null or variant in (select row from variant where name = ${p('variantName')}))
  and (${p('language')} is null or language = ${p('language')})
  and (${p('phoneNumber')} is null or to_number = ${p('phoneNumber')})`

const readStatements = (define: Define) => ({
  /** Those in progress, then loose ones by class. */
  loose: define<LooseFilter>()((db, p) =>
    sql<LooseColumns>`
      select json_group_array(started_at) as starts, json_group_array(finished_at) as ends,
        json_group_array(variant) as variants
      from (
        select started_at, finished_at, variant from conversation indexed by conversation_active
        where scope = ${p('scope')} and listed = 1 and finished_at is null and started_at < ${p('to')}
          ${filtered(p)}
        ${sql.join(
          SPANS.map(
            ({ span, longest }) => sql`
              union all
              select started_at, finished_at, variant from loose_interval
              where scope = ${p('scope')} and span = ${sql.lit(span)}
                and started_at >= ${p('from')} - ${sql.lit(longest)} and started_at < ${p('to')}
                and finished_at >= ${p('from')}
                ${filtered(p)}`,
          ),
          sql` `,
        )}
      )`.compile(db),
  ),
  variantRows: define<{ id: string | null; name: string | null }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from variant where id = ${p('id')} and (${p('name')} is null or name = ${p('name')})
      union all
      select row from variant where ${p('id')} is null and name = ${p('name')}`.compile(db),
  ),
})

/** The statements that keep and read when conversations were active, prepared. */
export const intervalStatements = (define: Define) => ({
  ...chunkStatements(define),
  ...looseStatements(define),
  ...readStatements(define),
})

/** The prepared statements that keep and read when conversations were active. */
export type IntervalStatements = ReturnType<typeof intervalStatements>
