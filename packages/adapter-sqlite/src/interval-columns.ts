/** Intervals in columns of equal length; `variant` holds places in `variantRows`: rows of the variant table, each once. */
export interface IntervalColumns {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly variant: Uint32Array
  readonly variantRows: readonly number[]
}

/** Intervals as they lie in a chunk: in milliseconds from a base, and from their own start. */
export interface RelativeColumns {
  readonly base: number
  readonly starts: Uint32Array
  readonly durations: Uint32Array
  /** Rows of the variant table. */
  readonly variants: Uint32Array
}

/** Collects the intervals that were active in a range. */
export interface ColumnCollector {
  add(start: number, end: number, variant: number): void
  /** Those of a chunk for which `taken` is true; null: all. */
  addChunk(chunk: RelativeColumns, taken: ((at: number) => boolean) | null): void
  /** What was collected, in the order of adding. */
  collected(): IntervalColumns
}

/** Collects at most `room` intervals; those that were not active at any instant of `[from, to)` are left out. */
export function collectColumns(room: number, from: number, to: number): ColumnCollector {
  const starts = new Float64Array(room)
  const ends = new Float64Array(room)
  const variant = new Uint32Array(room)
  let length = 0
  const variantRows: number[] = []
  const places: number[] = []
  const placeOf = (row: number): number => {
    places[row] ??= variantRows.push(row) - 1
    return places[row]
  }
  return {
    add(start, end, row) {
      if (start >= to || (end <= from && !(end === start && start === from))) return
      starts[length] = start
      ends[length] = end
      variant[length] = placeOf(row)
      length++
    },
    // A week is a million of them: one loop over numbers, without a call for each.
    addChunk(chunk, taken) {
      const [earliest, latest] = [from - chunk.base, to - chunk.base]
      let filled = length
      for (let at = 0; at < chunk.starts.length; at++) {
        const start = chunk.starts[at] ?? 0
        const end = start + (chunk.durations[at] ?? 0)
        if (start >= latest || (end <= earliest && !(end === start && start === earliest))) continue
        if (taken !== null && !taken(at)) continue
        starts[filled] = chunk.base + start
        ends[filled] = chunk.base + end
        variant[filled] = placeOf(chunk.variants[at] ?? 0)
        filled++
      }
      length = filled
    },
    collected: () => ({
      starts: starts.subarray(0, length),
      ends: ends.subarray(0, length),
      variant: variant.subarray(0, length),
      variantRows,
    }),
  }
}
