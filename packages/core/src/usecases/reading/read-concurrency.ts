import { peakPerWindow, peaksByVariant, type VariantPeaks } from '../../domain/concurrency/peaks.ts'
import { roundOutward, type WindowRange } from '../../domain/concurrency/window.ts'
import { PlatformError } from '../../errors.ts'
import type { IntervalFilter } from '../../ports/conversation-store.ts'
import type { Context } from '../context.ts'
import { refuseFilter } from './refuse-filter.ts'

const WEEK = 7 * 24 * 60 * 60 * 1000

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

/** Peak concurrent conversations per 5-minute window (decisions.md section 6). @throws SCHEMA_VALIDATION_FAILED */
export async function readConcurrency(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
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
  const activity = await store.conversations.intervals({ ...filter, ...range })
  const now = clock.now()
  if (sliceBy !== 'variant') {
    return { range, series: [{ variant: null, peaks: peakPerWindow(activity, range, now) }] }
  }
  const series = peaksByVariant(activity, range, now).map(({ id, name, peaks }) => ({
    variant: { id, name },
    peaks,
  }))
  return { range, series }
}
