import { millisecondsInWeek } from 'date-fns/constants'
import { joinVariants, type PartPeaks } from '../../domain/concurrency/join.ts'
import { peakPerWindow, peaksByVariant, type VariantPeaks } from '../../domain/concurrency/peaks.ts'
import { partsOf, roundOutward, type WindowRange } from '../../domain/concurrency/window.ts'
import { PlatformError } from '../../errors.ts'
import type { ActivityIntervals, IntervalConditions } from '../../ports/store/intervals.ts'
import type { Context } from '../context.ts'
import type { CountedPart, CountedParts } from './counted-parts.ts'
import { checkedFilter } from './refuse-filter.ts'

/** The dependencies of reading figures. */
export interface ReadingContext extends Pick<Context, 'store' | 'clock'> {
  readonly counted: CountedParts
}

/** The conversations to count, and the span. Times are milliseconds since the epoch, as given: not rounded. */
export interface ConcurrencyInput extends IntervalConditions {
  readonly startTime: number
  readonly endTime: number
  /** A series for each variant or deployment, or one for all. @default one for all */
  readonly sliceBy?: 'variant' | 'deployment'
}

/** Peaks of every window of the rounded span: one series, or one for each variant or deployment, by id. */
export interface Concurrency {
  readonly range: WindowRange
  readonly series: readonly {
    readonly variant: Pick<VariantPeaks, 'id' | 'name'> | null
    /** The id of the deployment where the series is of one, `""` for conversations without. */
    readonly deploymentId?: string
    /** One figure a window, in order. */
    readonly peaks: Uint32Array
  }[]
}

/** The question about each part. */
interface Asked {
  readonly conditions: IntervalConditions
  readonly sliceBy: ConcurrencyInput['sliceBy']
}

/** A part, and what an earlier count of it gave. */
interface Part {
  readonly range: WindowRange
  /** The key under which the count is cached. */
  readonly key: string
  readonly known: CountedPart | undefined
  /** The stamp that `known` must have to be used again. */
  readonly stamp: string | undefined
}

/** The variant of figures that are those of all. */
const EVERYBODY = { id: '', name: '', namedAt: 0 }

/** Returns the parts with their earlier counts. The store is asked once for the stamps of all parts. */
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

/** The store's answer about a part, and the time of it. */
interface Read {
  readonly activity: ActivityIntervals
  readonly now: number
}

/** Reads a part. Returns null if its earlier count is still valid. */
async function readPart(
  { store, clock }: ReadingContext,
  { conditions, sliceBy }: Asked,
  { range, known, stamp }: Part,
): Promise<Read | null> {
  if (known !== undefined && known.stamp === stamp) return null
  const activity = await store.conversations.intervals.list({ ...conditions, ...range, sliceBy })
  return { activity, now: clock.now() }
}

/**
 * Figures of one part. Those of a part that is over are kept: conversations in progress are active beyond its end,
 * whenever that is asked, so it depends on nothing but what the stamp stands for.
 */
function countPart(
  { counted }: ReadingContext,
  { sliceBy }: Asked,
  { range, key, known }: Part,
  read: Read | null,
): PartPeaks<readonly VariantPeaks[]> {
  if (read === null) return { range, series: known?.series ?? [] }
  const { activity, now } = read
  const series =
    sliceBy === undefined
      ? [{ ...EVERYBODY, peaks: peakPerWindow(activity, range, now) }]
      : peaksByVariant(activity, range, now)
  if (range.to <= now) counted.set(key, { stamp: activity.stamp, series })
  return { range, series }
}

/** Counts one part after the other, while the store reads the next. */
async function countParts(
  context: ReadingContext,
  asked: Asked,
  parts: readonly Part[],
): Promise<readonly PartPeaks<readonly VariantPeaks[]>[]> {
  const counts: PartPeaks<readonly VariantPeaks[]>[] = []
  const reading = (at: number): Promise<Read | null> => {
    const part = parts[at]
    const read = part === undefined ? Promise.resolve(null) : readPart(context, asked, part)
    // It may fail while the earlier part is counted. The error reaches whoever awaits it.
    read.catch(() => undefined)
    return read
  }
  let next = reading(0)
  for (const [at, part] of parts.entries()) {
    const read = await next
    next = reading(at + 1)
    counts.push(countPart(context, asked, part, read))
  }
  return counts
}

/**
 * Counts peak concurrent conversations per 5-minute window (contract/conversations.md, Concurrency). Counts part by
 * part, so that other tasks run in between. Each part is as of the instant at which it was read. @throws
 * SCHEMA_VALIDATION_FAILED
 */
export async function readConcurrency(
  context: ReadingContext,
  { sliceBy, ...given }: ConcurrencyInput,
): Promise<Concurrency> {
  const { startTime, endTime, ...conditions } = checkedFilter(given)
  if (endTime - startTime > millisecondsInWeek) {
    throw new PlatformError(
      'SCHEMA_VALIDATION_FAILED',
      'start_time and end_time must be at most one week apart.',
    )
  }
  const range = roundOutward(startTime, endTime)
  const asked = { conditions, sliceBy }
  const parts = await countParts(context, asked, await knownParts(context, asked, partsOf(range)))
  const series = joinVariants(range, parts)
  if (sliceBy === 'variant')
    return { range, series: series.map(({ id, name, peaks }) => ({ variant: { id, name }, peaks })) }
  if (sliceBy === 'deployment')
    return { range, series: series.map(({ id, peaks }) => ({ variant: null, deploymentId: id, peaks })) }
  return { range, series: [{ variant: null, peaks: series[0]?.peaks ?? new Uint32Array() }] }
}
