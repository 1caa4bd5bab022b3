import { millisecondsInWeek } from 'date-fns/constants'
import { joinVariants, type PartPeaks } from '../../domain/concurrency/join.ts'
import { peakPerWindow, peaksByVariant, type VariantPeaks } from '../../domain/concurrency/peaks.ts'
import { partsOf, roundOutward, type WindowRange } from '../../domain/concurrency/window.ts'
import { PlatformError } from '../../errors.ts'
import type { IntervalConditions } from '../../ports/store/intervals.ts'
import type { Context } from '../context.ts'
import type { CountedPart, CountedParts } from './counted-parts.ts'
import { refuseFilter } from './refuse-filter.ts'

/** The dependencies of reading figures. */
export interface ReadingContext extends Pick<Context, 'store' | 'clock'> {
  readonly counted: CountedParts
}

/** Which conversations to count, and over which span. Times are milliseconds since the epoch, as given: not rounded. */
export interface ConcurrencyInput extends IntervalConditions {
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

/** What is asked of each part. */
interface Asked {
  readonly conditions: IntervalConditions
  readonly sliceBy: ConcurrencyInput['sliceBy']
}

/** A part, and what an earlier count of it gave. */
interface Part {
  readonly range: WindowRange
  /** What the count is kept by. */
  readonly key: string
  readonly known: CountedPart | undefined
  /** The stamp that `known` must have to be used again. */
  readonly stamp: string | undefined
}

/** Whose figures they are when they are those of all. */
const EVERYBODY = { id: '', name: '', namedAt: 0 }

/** The store is asked once for the stamps of all parts. */
async function knownParts(
  { store, counted }: ReadingContext,
  { conditions, sliceBy }: Asked,
  ranges: readonly WindowRange[],
): Promise<readonly Part[]> {
  const keys = ranges.map(({ from, to }) => JSON.stringify([sliceBy, from, to, conditions]))
  const known = keys.map(key => counted.get(key))
  const stamps = known.some(part => part !== undefined)
    ? await store.conversations.intervals.stamps(conditions, ranges)
    : []
  return ranges.map((range, at) => ({ range, key: keys[at] ?? '', known: known[at], stamp: stamps[at] }))
}

/**
 * Figures of one part. Those of a part that is over are kept: conversations in progress are active beyond its end,
 * whenever that is asked, so it depends on nothing but what the stamp stands for.
 */
async function countPart(
  { store, clock, counted }: ReadingContext,
  { conditions, sliceBy }: Asked,
  { range, key, known, stamp }: Part,
): Promise<PartPeaks<readonly VariantPeaks[]>> {
  if (known !== undefined && known.stamp === stamp) return { range, series: known.series }
  const activity = await store.conversations.intervals.list({ ...conditions, ...range })
  const now = clock.now()
  const series =
    sliceBy === 'variant'
      ? peaksByVariant(activity, range, now)
      : [{ ...EVERYBODY, peaks: peakPerWindow(activity, range, now) }]
  if (range.to <= now) counted.set(key, { stamp: activity.stamp, series })
  return { range, series }
}

/**
 * Peak concurrent conversations per 5-minute window (contract/conversations.md, Concurrency). Counted part by part, so
 * that other tasks run in between; each part as of the instant of its own count.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export async function readConcurrency(
  context: ReadingContext,
  { startTime, endTime, sliceBy, ...conditions }: ConcurrencyInput,
): Promise<Concurrency> {
  refuseFilter({ startTime, endTime, ...conditions })
  if (endTime - startTime > millisecondsInWeek) {
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'start_time and end_time must be at most one week apart.',
    )
  }
  const range = roundOutward(startTime, endTime)
  const asked = { conditions, sliceBy }
  const parts: PartPeaks<readonly VariantPeaks[]>[] = []
  for (const part of await knownParts(context, asked, partsOf(range))) {
    parts.push(await countPart(context, asked, part))
  }
  const series = joinVariants(range, parts)
  if (sliceBy === 'variant') {
    return { range, series: series.map(({ id, name, peaks }) => ({ variant: { id, name }, peaks })) }
  }
  return { range, series: [{ variant: null, peaks: series[0]?.peaks ?? new Uint32Array() }] }
}
