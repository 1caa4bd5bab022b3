/** Rows from `first` to `last`, both included. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Rows that a list of ranges leaves out: those above `above` and below `below`. */
export interface RowGap {
  readonly above: number
  readonly below: number
}

/** What the ranges leave out, the highest rows first. Ranges are in order and apart. */
export function gapsFromTop(ranges: readonly RowRange[]): readonly RowGap[] {
  const firsts = [...ranges.map(({ first }) => first), Number.MAX_SAFE_INTEGER]
  const lasts = [0, ...ranges.map(({ last }) => last)]
  return lasts.map((above, at) => ({ above, below: firsts[at] ?? Number.MAX_SAFE_INTEGER })).toReversed()
}

/** The ranges together with another one, in order and apart. */
export function withRange(ranges: readonly RowRange[], added: RowRange): readonly RowRange[] {
  const touching = ranges.filter(({ first, last }) => first <= added.last + 1 && last >= added.first - 1)
  const joined = {
    first: Math.min(added.first, ...touching.map(({ first }) => first)),
    last: Math.max(added.last, ...touching.map(({ last }) => last)),
  }
  return [...ranges.filter(one => !touching.includes(one)), joined].toSorted(
    (one, other) => one.first - other.first,
  )
}
