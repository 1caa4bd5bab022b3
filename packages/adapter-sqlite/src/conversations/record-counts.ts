import type { Define } from '../database/statements.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** Buckets from `from` on, before `to`. */
interface Buckets {
  readonly from: number
  readonly to: number
}

const EVERY_BUCKET: Buckets = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

/**
 * How many listed conversations began when: finds a page deep in a list without counting through what lies before it.
 */
export interface RecordCounts {
  /** One conversation more (1) or less (-1) that began then. */
  add(scope: number, startedAt: number, records: 1 | -1): void
  /** How many there are. */
  total(scope: number): number
  /**
   * The days on which some began, in order: their number since the epoch and how many records; `from` and `to` are
   * moments.
   */
  days(
    scope: number,
    from: number,
    to: number,
  ): readonly { readonly bucket: number; readonly records: number }[]
  /**
   * A moment not after the record of that number, and how many records lie between. Null when there are fewer records.
   */
  locate(
    scope: number,
    startTime: number | null,
    offset: number,
  ): { readonly from: number; readonly skip: number } | null
}

/** The statements that keep and sum the counts, prepared. */
export const countStatements = (define: Define) => ({
  add: define<{ scope: number; width: number; bucket: number; records: number }>()((db, p) =>
    db
      .insertInto('record_count')
      .values({ scope: p('scope'), width: p('width'), bucket: p('bucket'), records: p('records') })
      .onConflict(conflict =>
        conflict
          .columns(['scope', 'width', 'bucket'])
          .doUpdateSet(row => ({ records: row('record_count.records', '+', p('records')) })),
      )
      .compile(),
  ),
  dropEmpty: define<{ scope: number; width: number; bucket: number }>()((db, p) =>
    db
      .deleteFrom('record_count')
      .where('scope', '=', p('scope'))
      .where('width', '=', p('width'))
      .where('bucket', '=', p('bucket'))
      .where('records', '=', row => row.lit(0))
      .compile(),
  ),
  buckets: define<{ scope: number; width: number; from: number; to: number }>()((db, p) =>
    db
      .selectFrom('record_count')
      .select(['bucket', 'records'])
      .where('scope', '=', p('scope'))
      .where('width', '=', p('width'))
      .where('bucket', '>=', p('from'))
      .where('bucket', '<', p('to'))
      .orderBy('bucket')
      .compile(),
  ),
  before: define<{ scope: number; from: number; to: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select(row => row.fn.countAll<number>().as('records'))
      .where('scope', '=', p('scope'))
      .where('listed', '>', row => row.lit(0))
      .where('started_at', '>=', p('from'))
      .where('started_at', '<', p('to'))
      .compile(),
  ),
})

/** Counts by day and by minute: two short sums instead of a long count. */
export function createRecordCounts(define: Define): RecordCounts {
  const run = countStatements(define)
  const sum = (scope: number, width: number, from: number, to: number): number => {
    let records = 0
    for (const bucket of run.buckets.each({ scope, width, from, to })) records += bucket.records
    return records
  }
  const countBefore = (scope: number, time: number): number => {
    const day = Math.floor(time / DAY)
    const minute = Math.floor(time / MINUTE)
    const rest = run.before.get({ scope, from: minute * MINUTE, to: time })?.records ?? 0
    return (
      sum(scope, DAY, Number.MIN_SAFE_INTEGER, day) + sum(scope, MINUTE, (day * DAY) / MINUTE, minute) + rest
    )
  }
  const find = (scope: number, width: number, { from, to }: Buckets, target: number) => {
    let skip = target
    for (const { bucket, records } of run.buckets.each({ scope, width, from, to })) {
      if (skip < records) return { bucket, skip }
      skip -= records
    }
    return null
  }
  return {
    add(scope, startedAt, records) {
      for (const width of [DAY, MINUTE]) {
        const place = { scope, width, bucket: Math.floor(startedAt / width) }
        run.add.run({ ...place, records })
        // Sums step over every bucket that is there: those of removed years must not be.
        if (records === -1) run.dropEmpty.run(place)
      }
    },
    total: scope => sum(scope, DAY, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    days: (scope, from, to) =>
      run.buckets.all({ scope, width: DAY, from: Math.floor(from / DAY), to: Math.ceil(to / DAY) }),
    locate(scope, startTime, offset) {
      const target = offset + (startTime === null ? 0 : countBefore(scope, startTime))
      const day = find(scope, DAY, EVERY_BUCKET, target)
      if (day === null) return null
      const first = (day.bucket * DAY) / MINUTE
      const minute = find(scope, MINUTE, { from: first, to: first + DAY / MINUTE }, day.skip)
      return minute === null ? null : { from: minute.bucket * MINUTE, skip: minute.skip }
    },
  }
}
