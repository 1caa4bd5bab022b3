const BUCKETS = 8_192
const FEW = 32
const LARGEST_KEY = 2 ** 32

/** Intervals in columns of equal length; `variant` holds rows of the variant table. */
export interface IntervalColumns {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly variant: Uint32Array
}

/** Collects the intervals that were active in a range. */
export interface ColumnCollector {
  add(start: number, end: number, variant: number): void
  /** What was collected, ordered by start. */
  ordered(): IntervalColumns
}

/** Collects at most `room` intervals; those that were not active at any instant of `[from, to)` are left out. */
export function collectColumns(room: number, from: number, to: number): ColumnCollector {
  const starts = new Float64Array(room)
  const ends = new Float64Array(room)
  const variant = new Uint32Array(room)
  let length = 0
  let latest = -Infinity
  let inOrder = true
  return {
    add(start, end, row) {
      if (start >= to || (end <= from && !(end === start && start === from))) return
      if (start < latest) inOrder = false
      latest = start
      starts[length] = start
      ends[length] = end
      variant[length] = row
      length++
    },
    ordered() {
      const found = {
        starts: starts.subarray(0, length),
        ends: ends.subarray(0, length),
        variant: variant.subarray(0, length),
      }
      return inOrder ? found : reorder(found, from)
    },
  }
}

function reorder({ starts, ends, variant }: IntervalColumns, from: number): IntervalColumns {
  const order = ascending(starts, from)
  const ordered = {
    starts: new Float64Array(order.length),
    ends: new Float64Array(order.length),
    variant: new Uint32Array(order.length),
  }
  for (let at = 0; at < order.length; at++) {
    const row = order[at] ?? 0
    ordered.starts[at] = starts[row] ?? 0
    ordered.ends[at] = ends[row] ?? 0
    ordered.variant[at] = variant[row] ?? 0
  }
  return ordered
}

/** Rows in the order of their starts. Most starts lie close behind `from` and go into buckets, the others are compared. */
function ascending(starts: Float64Array, from: number): Uint32Array {
  const order = new Uint32Array(starts.length)
  let near = 0
  let far = starts.length
  for (let row = 0; row < starts.length; row++) {
    const key = (starts[row] ?? 0) - from
    if (key >= 0 && key < LARGEST_KEY) order[near++] = row
    else order[--far] = row
  }
  const compared = order.slice(far).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0))
  const early = compared.findIndex(row => (starts[row] ?? 0) >= from)
  const split = early === -1 ? compared.length : early
  const result = new Uint32Array(starts.length)
  result.set(compared.subarray(0, split))
  result.set(sortByBuckets(order.subarray(0, near), starts, from), split)
  result.set(compared.subarray(split), split + near)
  return result
}

/** Rows by `start - from`, which fits into 32 bits: into buckets of close starts first, then in order within each of them. */
function sortByBuckets(rows: Uint32Array, starts: Float64Array, from: number): Uint32Array {
  let largest = 0
  for (let at = 0; at < rows.length; at++) {
    const key = (starts[rows[at] ?? 0] ?? 0) - from
    if (key > largest) largest = key
  }
  const width = Math.floor(largest / BUCKETS) + 1
  const bounds = new Uint32Array(BUCKETS + 2)
  const bucketOf = new Uint16Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const bucket = Math.floor(((starts[rows[at] ?? 0] ?? 0) - from) / width)
    bucketOf[at] = bucket
    bounds[bucket + 2] = (bounds[bucket + 2] ?? 0) + 1
  }
  for (let bucket = 2; bucket < bounds.length; bucket++) {
    bounds[bucket] = (bounds[bucket] ?? 0) + (bounds[bucket - 1] ?? 0)
  }
  const sorted = new Uint32Array(rows.length)
  for (let at = 0; at < rows.length; at++) {
    const bucket = (bucketOf[at] ?? 0) + 1
    const place = bounds[bucket] ?? 0
    sorted[place] = rows[at] ?? 0
    bounds[bucket] = place + 1
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    sortSlice(sorted, starts, bounds[bucket] ?? 0, bounds[bucket + 1] ?? 0)
  }
  return sorted
}

/** Puts the rows of `[from, to)` in the order of their starts: few by insertion, many by comparing. */
function sortSlice(rows: Uint32Array, starts: Float64Array, from: number, to: number): void {
  if (to - from > FEW) {
    rows.subarray(from, to).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0))
    return
  }
  for (let at = from + 1; at < to; at++) {
    const row = rows[at] ?? 0
    const start = starts[row] ?? 0
    let place = at
    while (place > from && (starts[rows[place - 1] ?? 0] ?? 0) > start) {
      rows[place] = rows[place - 1] ?? 0
      place--
    }
    rows[place] = row
  }
}

/** Replaces rows of the variant table by their place in the list of those that occur, which is returned. */
export function numberVariants(variant: Uint32Array): {
  readonly variant: Uint32Array
  readonly rows: readonly number[]
} {
  const places: number[] = []
  const rows: number[] = []
  const numbered = new Uint32Array(variant.length)
  for (let at = 0; at < variant.length; at++) {
    const row = variant[at] ?? 0
    let place = places[row]
    if (place === undefined) {
      place = rows.length
      places[row] = place
      rows.push(row)
    }
    numbered[at] = place
  }
  return { variant: numbered, rows }
}
