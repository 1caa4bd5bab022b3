import { LRUCache } from 'lru-cache'
import type { VariantPeaks } from '../../domain/concurrency/peaks.ts'

/** Figures of one part, and the stamp of what they were counted from. */
export interface CountedPart {
  readonly stamp: string
  /** One row for all, or one for each variant. */
  readonly series: readonly VariantPeaks[]
}

/** Figures of finished parts, by query. They are valid as long as the store returns the same stamp. */
export type CountedParts = LRUCache<string, CountedPart>

/** Caches about `most` figures, the last used ones; a part counts as at least one. */
export const createCountedParts = (figures: number): CountedParts =>
  new LRUCache<string, CountedPart>({
    maxSize: figures,
    sizeCalculation: ({ series }) => series.reduce((sum, { peaks }) => sum + peaks.length, 1),
  })
