import type { CopiedKind } from '../../store/copies.ts'

/** A kind of what is copied. */
export type CopyPart = CopiedKind | 'conversation'

/** The result of a copy for the parts of a kind. */
export interface CopyCounts {
  readonly part: CopyPart
  /** The number of parts that were the same in the other store already. */
  readonly same: number
  /** Were written. */
  readonly copied: number
  /** Were in the other store alone, and are removed. */
  readonly dropped: number
}

/** Counts that grow. */
export type Tally = { -readonly [Name in keyof CopyCounts]: CopyCounts[Name] }
