import { median } from '../median.ts'

/** One figure of a bench: the median of its rounds, with the least and the most. */
export interface Result {
  readonly row: string
  readonly variant: string
  readonly median: number
  readonly min: number
  readonly max: number
  readonly unit: string
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
