/** The middle one of the values; the mean of the two in the middle of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [left = Number.NaN, right = left] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (left + right) / 2
}
