import { joinVariants, type PartPeaks } from '../../domain/concurrency/join.ts'
import { peakPerWindow, peaksByVariant, type VariantPeaks } from '../../domain/concurrency/peaks.ts'
import { partsOf, roundOutward, type WindowRange } from '../../domain/concurrency/window.ts'
import { PlatformError } from '../../errors.ts'
import type { IntervalFilter } from '../../ports/conversation-store.ts'
import type { Context } from '../context.ts'
import type { CountedParts } from './counted-parts.ts'
import { refuseFilter } from './refuse-filter.ts'

const WEEK = 7 * 24 * 60 * 60 * 1000

/** What the reading of figures needs. */
export interface ReadingContext extends Pick<Context, 'store' | 'clock'> {
  readonly counted: CountedParts
}

/** Which conversations to count, and over which span. Times are milliseconds since the epoch, as given: not rounded. */
export interface ConcurrencyInput extends Omit<IntervalFilter, 'from' | 'to'> {
  readonly startTime: number
  readonly endTime: number
  /** A series for each variant, or one for all. @default one for all */
  readonly sliceBy?: 'variant'
}

/** Peaks of every window of the rounded span: one series without a variant, or one for each variant, by variant id. */
export interface Concurrency {
  readonly range: WindowRange
  readonly series: readonly {
    readonly variant: Pick<VariantPeaks, 'id' | 'name'> | null
    /** One figure a window, in order. */
    readonly peaks: Uint32Array
  }[]
}

/** What is asked of one part. */
interface Asked {
  readonly filter: Omit<IntervalFilter, 'from' | 'to'>
  readonly sliceBy: ConcurrencyInput['sliceBy']
}

/** Whose figures they are when they are those of all. */
const EVERYBODY = { id: '', name: '', namedAt: 0 }

/**
 * Figures of one part. Those of a part that is over are kept: conversations in progress are active beyond its end, whenever
 * that is asked, so it depends on nothing but what the stamp stands for.
 */
async function countPart(
  { store, clock, counted }: ReadingContext,
  { filter, sliceBy }: Asked,
  range: WindowRange,
): Promise<PartPeaks<readonly VariantPeaks[]>> {
  const part = { ...filter, ...range }
  const key = JSON.stringify([sliceBy, part])
  const known = counted.get(key)
  if (known !== undefined && known.stamp === (await store.conversations.intervalsStamp(part))) {
    return { range, series: known.series }
  }
  const activity = await store.conversations.intervals(part)
  const now = clock.now()
  const series =
    sliceBy === 'variant'
      ? peaksByVariant(activity, range, now)
      : [{ ...EVERYBODY, peaks: peakPerWindow(activity, range, now) }]
  if (range.to <= now) counted.set(key, { stamp: activity.stamp, series })
  return { range, series }
}

/**
 * Peak concurrent conversations per 5-minute window (decisions.md section 6). Counted part by part, so that others have their
 * turn between; each part as of the instant of its own count.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export async function readConcurrency(
  context: ReadingContext,
  { startTime, endTime, sliceBy, ...filter }: ConcurrencyInput,
): Promise<Concurrency> {
  refuseFilter({ startTime, endTime, ...filter })
  if (endTime - startTime > WEEK) {
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'start_time and end_time must be at most one week apart',
    )
  }
  const range = roundOutward(startTime, endTime)
  const parts: PartPeaks<readonly VariantPeaks[]>[] = []
  for (const part of partsOf(range)) parts.push(await countPart(context, { filter, sliceBy }, part))
  const series = joinVariants(range, parts)
  if (sliceBy === 'variant') {
    return { range, series: series.map(({ id, name, peaks }) => ({ variant: { id, name }, peaks })) }
  }
  return { range, series: [{ variant: null, peaks: series[0]?.peaks ?? new Uint32Array() }] }
}
