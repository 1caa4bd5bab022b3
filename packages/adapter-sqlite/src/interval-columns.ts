import type { ActivityColumns, PackedActivity } from '@colloquy/core'
import type { LooseColumns } from './interval-statements.ts'
import { fromJson } from './json.ts'

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

/** Leaves the rows that are taken. In place: what is read from the file belongs to nobody else. */
export function takeRows(
  { base, starts, durations, variant }: PackedActivity,
  taken: (at: number) => boolean,
): PackedActivity {
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

/** Loose intervals that were active in `[from, to)`, as the columns of the port; `variant` holds rows of the variant table. */
export function looseColumns(
  loose: LooseColumns,
  from: number,
  to: number,
): Pick<ActivityColumns, 'starts' | 'ends' | 'variant'> {
  const allStarts = fromJson<readonly number[]>(loose.starts)
  const allEnds = fromJson<readonly (number | null)[]>(loose.ends)
  const rows = fromJson<readonly number[]>(loose.variants)
  const room = allStarts.length
  const [starts, ends, variant] = [new Float64Array(room), new Float64Array(room), new Uint32Array(room)]
  let length = 0
  for (let at = 0; at < room; at++) {
    const start = allStarts[at] ?? 0
    const end = allEnds[at] ?? Number.POSITIVE_INFINITY
    if (start >= to || (end <= from && !(end === start && start === from))) continue
    starts[length] = start
    ends[length] = end
    variant[length] = rows[at] ?? 0
    length++
  }
  return {
    starts: starts.subarray(0, length),
    ends: ends.subarray(0, length),
    variant: variant.subarray(0, length),
  }
}
