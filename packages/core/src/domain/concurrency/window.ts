import { millisecondsInMinute } from 'date-fns/constants'

/** Length of a concurrency window, milliseconds (contract/conversations.md, Concurrency). */
export const WINDOW = 5 * millisecondsInMinute

/** A span `[from, to)`, in milliseconds since the epoch. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** One of whole windows: its ends are 5-minute marks. */
export interface WindowRange extends TimeRange {}

/**
 * Rounds a span outward to 5-minute marks: its start down, its end up (contract/conversations.md, Concurrency). The
 * marks are those of UTC; `roundToNearestMinutes` of date-fns takes those of the machine's time zone.
 */
export const roundOutward = (startTime: number, endTime: number): WindowRange => ({
  from: Math.floor(startTime / WINDOW) * WINDOW,
  to: Math.ceil(endTime / WINDOW) * WINDOW,
})

/** Windows are counted in parts that begin and end at multiples of this, milliseconds since the epoch. */
const PART = 48 * WINDOW

/**
 * Returns the parts of a range, in order: short enough to be counted in one go, and the same ones for ranges that
 * overlap.
 */
export function partsOf({ from, to }: WindowRange): readonly WindowRange[] {
  const parts: WindowRange[] = []
  for (let start = from; start < to; ) {
    const end = Math.min((Math.floor(start / PART) + 1) * PART, to)
    parts.push({ from: start, to: end })
    start = end
  }
  return parts
}
