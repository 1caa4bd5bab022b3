/** Intervals in the order of their starts; `variant` holds rows of the variant table. */
export interface SortedRun {
  readonly starts: number[]
  readonly ends: number[]
  readonly variant: number[]
}

/** Intervals of several runs in one order. `variant` holds indexes into `variantRows`. */
export interface MergedRuns {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly variant: Uint32Array
  readonly variantRows: readonly number[]
}

/** Two runs as one. */
function mergeTwo(a: SortedRun, b: SortedRun): SortedRun {
  const merged: SortedRun = { starts: [], ends: [], variant: [] }
  let [i, j] = [0, 0]
  while (i < a.starts.length || j < b.starts.length) {
    const first = (a.starts[i] ?? Infinity) <= (b.starts[j] ?? Infinity)
    const run = first ? a : b
    const at = first ? i++ : j++
    merged.starts.push(run.starts[at] ?? 0)
    merged.ends.push(run.ends[at] ?? 0)
    merged.variant.push(run.variant[at] ?? 0)
  }
  return merged
}

/** Merges sorted runs, two by two, so that each interval moves as often as the logarithm of their number. */
export function mergeRuns(runs: readonly SortedRun[]): MergedRuns {
  let left = [...runs].sort((a, b) => a.starts.length - b.starts.length)
  while (left.length > 1) {
    const [a, b, ...rest] = left
    if (a === undefined || b === undefined) break
    left = [...rest, mergeTwo(a, b)].sort((x, y) => x.starts.length - y.starts.length)
  }
  const { starts, ends, variant } = left[0] ?? { starts: [], ends: [], variant: [] }
  const numbers = new Map<number, number>()
  const indexes = new Uint32Array(variant.length)
  for (const [at, row] of variant.entries()) {
    const known = numbers.get(row) ?? numbers.size
    numbers.set(row, known)
    indexes[at] = known
  }
  return {
    starts: Float64Array.from(starts),
    ends: Float64Array.from(ends),
    variant: indexes,
    variantRows: [...numbers.keys()],
  }
}
