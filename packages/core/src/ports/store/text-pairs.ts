import type { TextPair } from '../../domain/text/text-pair.ts'

/**
 * Pairs of numbers that text each other. Every method reads or writes at one instant; values are copied in and out. A
 * store decides no rule. Deleting an agent deletes its pairs.
 */
export interface TextPairStore {
  /** Null when nothing is known of the two numbers. */
  find(ours: string, theirs: string): Promise<TextPair | null>
  /**
   * Writes the pair whole. Of two writers with the same expected version one wins; 0 for a pair that is not there yet.
   * `stale` when there is another version, and nothing was written.
   */
  save(pair: TextPair, expectedVersion: number): Promise<'saved' | 'stale'>
}
