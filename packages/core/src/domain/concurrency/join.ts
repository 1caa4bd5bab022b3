import { isNewer, type VariantPeaks } from './peaks.ts'
import { WINDOW, type WindowRange } from './window.ts'

/** Figures of one part of a range. */
export interface PartPeaks<Series> {
  readonly range: WindowRange
  readonly series: Series
}

const windows = (from: number, to: number): number => Math.max((to - from) / WINDOW, 0)

/** One row of figures from those of its parts. */
export function joinPeaks(range: WindowRange, parts: readonly PartPeaks<Uint32Array>[]): Uint32Array {
  const peaks = new Uint32Array(windows(range.from, range.to))
  for (const part of parts) peaks.set(part.series, windows(range.from, part.range.from))
  return peaks
}

/**
 * Returns a row for each variant of any part, by variant id. Its name is the newest one, and it has zeros in the other
 * parts.
 */
export function joinVariants(
  range: WindowRange,
  parts: readonly PartPeaks<readonly VariantPeaks[]>[],
): readonly VariantPeaks[] {
  const rows = new Map<string, { newest: VariantPeaks; readonly parts: PartPeaks<Uint32Array>[] }>()
  for (const part of parts) {
    for (const variant of part.series) {
      const row = rows.get(variant.id) ?? { newest: variant, parts: [] }
      if (isNewer(variant, row.newest)) row.newest = variant
      row.parts.push({ range: part.range, series: variant.peaks })
      rows.set(variant.id, row)
    }
  }
  return [...rows.values()]
    .map(row => ({ ...row.newest, peaks: joinPeaks(range, row.parts) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
