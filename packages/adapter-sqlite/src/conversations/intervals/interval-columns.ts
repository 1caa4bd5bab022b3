import type { ActivityBlock, ActivityColumns, TimeRange } from '@colloquy/core/domain'
import { fromJson } from '../../database/json.ts'
import type { LooseColumns } from './interval-statements.ts'

/** Rows of the variant table as places in a list that grows as they occur. */
export interface VariantPlaces {
  readonly rows: readonly number[]
  /** Puts places where the column has rows of the table, in place. */
  replace(column: Uint32Array): void
}

/** No variants yet. */
export function createVariantPlaces(): VariantPlaces {
  const rows: number[] = []
  const places: number[] = []
  return {
    rows,
    // A counted loop, as below: a week is a million of them.
    replace(column) {
      for (let at = 0; at < column.length; at++) {
        const row = column[at] ?? 0
        places[row] ??= rows.push(row) - 1
        column[at] = places[row]
      }
    },
  }
}

/** Leaves the rows that are taken. In place: rows read from the file have no other owner. */
export function takeRows(
  { base, starts, durations, variant }: ActivityBlock,
  taken: (at: number) => boolean,
): ActivityBlock {
  let length = 0
  for (let at = 0; at < starts.length; at++) {
    if (!taken(at)) continue
    starts[length] = starts[at] ?? 0
    durations[length] = durations[at] ?? 0
    variant[length] = variant[at] ?? 0
    length++
  }
  return {
    base,
    starts: starts.subarray(0, length),
    durations: durations.subarray(0, length),
    variant: variant.subarray(0, length),
  }
}

/** Loose intervals in columns; `variant` holds rows of the variant table. */
export type LooseIntervals = Pick<ActivityColumns, 'starts' | 'ends' | 'variant'>

/** Loose intervals as numbers. */
export const looseIntervals = ({ starts, ends, variants }: LooseColumns): LooseIntervals => ({
  starts: Float64Array.from(fromJson<readonly number[]>(starts)),
  ends: Float64Array.from(fromJson<readonly (number | null)[]>(ends).map(end => end ?? Infinity)),
  variant: Uint32Array.from(fromJson<readonly number[]>(variants)),
})

/** True when a conversation was active in the range. Plain numbers: it is asked a hundred thousand times at once. */
export const isWithin = (start: number, end: number, from: number, to: number): boolean =>
  start < to && (end > from || (end === start && start === from))

/** Those that were active in the range. */
export function looseWithin(loose: LooseIntervals, { from, to }: TimeRange): LooseIntervals {
  const [starts, ends, variant] = [loose.starts.slice(), loose.ends.slice(), loose.variant.slice()]
  let length = 0
  for (let at = 0; at < starts.length; at++) {
    const [start, end] = [starts[at] ?? 0, ends[at] ?? 0]
    if (!isWithin(start, end, from, to)) continue
    starts[length] = start
    ends[length] = end
    variant[length] = variant[at] ?? 0
    length++
  }
  return {
    starts: starts.subarray(0, length),
    ends: ends.subarray(0, length),
    variant: variant.subarray(0, length),
  }
}
