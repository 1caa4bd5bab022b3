import type { ConversationId } from '../../domain/ids.ts'

/**
 * The times at which conversations must be woken: the `wakeAt` of their last write. Part of the conversation's
 * aggregate.
 */
export interface TimerStore {
  /**
   * Claims conversations whose `wakeAt` is not after `now`, earliest first, and sets their `wakeAt` to `until`, so that
   * no other caller claims them before that. A write to the conversation replaces it. A conversation that is claimed
   * again without a write in between is claimed for twice as long as before, at most `longest` milliseconds.
   *
   * @param longest @default until - now
   */
  claimDue(now: number, limit: number, until: number, longest?: number): Promise<readonly ConversationId[]>
  /**
   * The earliest `wakeAt`; null if no conversation is to be woken. For one that was deferred since the last `claimDue`,
   * it may be the earlier moment.
   */
  nextDue(): Promise<number | null>
  /**
   * Sets up to `limit` `wakeAt`s that are later than `after`, latest first, to `to`, which is not after `after`.
   * Resolves to the number set: fewer than `limit` when no more are left.
   */
  hasten(after: number, to: number, limit: number): Promise<number>
}
