import { expect } from 'vitest'
import { unpackActivity } from '../../domain/concurrency/activity.ts'
import type { TimeRange } from '../../domain/concurrency/window.ts'
import type { ActivityIntervals } from '../../ports/store/intervals.ts'

/** A conversation of {@link intervalRows}. */
export interface IntervalRow {
  readonly start: number
  readonly end: number
  /** The id of its variant. Undefined if the answer does not give it. */
  readonly id: string | null | undefined
  readonly name: string | null | undefined
}

/**
 * Returns the answer of `ConversationStore.intervals` for a range, a row each, by start and end, after checking its
 * form.
 */
export function intervalRows(intervals: ActivityIntervals, range: TimeRange): readonly IntervalRow[] {
  for (const { starts, durations, variant } of intervals.blocks) {
    for (const column of [starts, durations, variant]) {
      expect(column).toBeInstanceOf(Uint32Array)
      expect(column.length).toBe(starts.length)
    }
  }
  expect(intervals.starts).toBeInstanceOf(Float64Array)
  expect(intervals.ends).toBeInstanceOf(Float64Array)
  expect(intervals.variant).toBeInstanceOf(Uint32Array)
  expect(intervals.ends.length).toBe(intervals.starts.length)
  expect(intervals.variant.length).toBe(intervals.starts.length)
  const { starts, ends, variant, variants } = unpackActivity(intervals, range)
  const rows = Array.from(starts, (start, row) => {
    const of = variants[variant[row] ?? -1]
    return { start, end: ends[row] ?? Number.NaN, id: of?.id, name: of?.name }
  })
  return rows.sort((a, b) => a.start - b.start || (a.end < b.end ? -1 : 1))
}
