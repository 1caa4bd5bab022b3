/** Intervals in the order of their starts; `variant` holds rows of the variant table. */
export interface SortedRun {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly variant: Uint32Array
}

/** Room for that many intervals. */
const emptyRun = (length: number): SortedRun => ({
  starts: new Float64Array(length),
  ends: new Float64Array(length),
  variant: new Uint32Array(length),
})

/** Two runs as one. */
function mergeTwo(a: SortedRun, b: SortedRun): SortedRun {
  const length = a.starts.length + b.starts.length
  const merged = emptyRun(length)
  let [i, j] = [0, 0]
  for (let at = 0; at < length; at++) {
    const first = (a.starts[i] ?? Infinity) <= (b.starts[j] ?? Infinity)
    const run = first ? a : b
    const from = first ? i++ : j++
    merged.starts[at] = run.starts[from] ?? 0
    merged.ends[at] = run.ends[from] ?? 0
    merged.variant[at] = run.variant[from] ?? 0
  }
  return merged
}

/** Merges sorted runs, the two shortest first, so that the long ones move least often. */
export function mergeRuns(runs: readonly SortedRun[]): SortedRun {
  const left = [...runs]
  while (left.length > 1) {
    left.sort((a, b) => b.starts.length - a.starts.length)
    const [a, b] = [left.pop(), left.pop()]
    if (a !== undefined && b !== undefined) left.push(mergeTwo(a, b))
  }
  return left[0] ?? emptyRun(0)
}

/** Replaces rows of the variant table by their place in the list of those that occur, which is returned. */
export function numberVariants({ variant }: SortedRun): { variant: Uint32Array; rows: readonly number[] } {
  const places = new Map<number, number>()
  const numbered = new Uint32Array(variant.length)
  for (let at = 0; at < variant.length; at++) {
    const row = variant[at] ?? 0
    let place = places.get(row)
    if (place === undefined) {
      place = places.size
      places.set(row, place)
    }
    numbered[at] = place
  }
  return { variant: numbered, rows: [...places.keys()] }
}
