import fc from 'fast-check'
import type { ActivityColumns } from '../../domain/concurrency/activity.ts'
import { WINDOW, type WindowRange } from '../../domain/concurrency/window.ts'

/** The time in which one conversation was active. */
export interface ActivityRow {
  readonly start: number
  /** Milliseconds since the epoch, like `start`; `Infinity` for a conversation in progress. */
  readonly end: number
  /** Index into {@link ACTIVITY_VARIANTS}. */
  readonly variant: number
}

/** The variants of {@link activityRows}: two under one id, of which the names differ, and none. */
export const ACTIVITY_VARIANTS: ActivityColumns['variants'] = [
  { id: 'b', name: 'Bee' },
  { id: 'a', name: 'Old' },
  { id: null, name: null },
  { id: 'a', name: 'New' },
]

/**
 * Instants in the range and around it that often fall on a mark, or beside one, or a second later, or on each other.
 */
export const activityInstants = ({ from, to }: WindowRange): fc.Arbitrary<number> =>
  fc
    .tuple(
      fc.integer({ min: from / WINDOW - 3, max: to / WINDOW + 2 }),
      fc.constantFrom(-1, 0, 0, 0, 1, 2, 999, 1_000, 1_001, 150_000),
    )
    .map(([mark, offset]) => mark * WINDOW + offset)

/** Conversations in the range and around it: without length, in progress, one after the other, together. */
export const activityRows = (range: WindowRange): fc.Arbitrary<readonly ActivityRow[]> => {
  const instant = activityInstants(range)
  const row = fc
    .tuple(instant, instant, fc.nat(5), fc.nat(ACTIVITY_VARIANTS.length - 1))
    .map(([a, b, kind, variant]): ActivityRow => {
      if (kind === 0) return { start: a, end: a, variant }
      if (kind === 1) return { start: a, end: Number.POSITIVE_INFINITY, variant }
      return { start: Math.min(a, b), end: Math.max(a, b), variant }
    })
  return fc.array(row, { maxLength: 40 })
}

/**
 * Returns the rows as a store gives them.
 *
 * @param packs which rows are packed, where they can be: in blocks of three. @default none
 */
export function activityColumns(
  rows: readonly ActivityRow[],
  packs: (row: number) => boolean = () => false,
): ActivityColumns {
  const isPacked = (row: ActivityRow, at: number) =>
    packs(at) && row.end >= row.start && Number.isFinite(row.end)
  const loose = rows.filter((row, at) => !isPacked(row, at))
  const packed = rows.filter(isPacked)
  const blocks = Array.from({ length: Math.ceil(packed.length / 3) }, (_, block) => {
    const some = packed.slice(3 * block, 3 * block + 3)
    const base = Math.min(...some.map(({ start }) => start)) - block
    return {
      base,
      starts: Uint32Array.from(some, row => row.start - base),
      durations: Uint32Array.from(some, row => row.end - row.start),
      variant: Uint32Array.from(some, row => row.variant),
    }
  })
  return {
    starts: Float64Array.from(loose, row => row.start),
    ends: Float64Array.from(loose, row => row.end),
    variant: Uint32Array.from(loose, row => row.variant),
    variants: ACTIVITY_VARIANTS,
    blocks,
  }
}
