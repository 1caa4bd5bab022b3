/** One figure of a bench: the median of its rounds, with the least and the most. */
export interface Result {
  readonly row: string
  readonly variant: string
  readonly median: number
  readonly min: number
  readonly max: number
  readonly unit: string
}

/** The middle one of the values; the mean of the two in the middle of an even number. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [left = Number.NaN, right = left] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (left + right) / 2
}

/** Returns the measurements of all rounds as one result. */
export const resultOf = (
  { row, variant, unit }: Pick<Result, 'row' | 'variant' | 'unit'>,
  values: readonly number[],
): Result => ({
  ...{ row, variant, unit },
  ...{ median: median(values), min: Math.min(...values), max: Math.max(...values) },
})

/** A figure as people read it: three digits that matter, and thousands apart. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 1_000) return Math.round(value).toLocaleString('en-GB')
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}
