import type { ConversationId } from '../../domain/ids.ts'

/** When conversations must be woken: the `wakeAt` of their last write. Part of the conversation's aggregate. */
export interface TimerStore {
  /**
   * Takes conversations whose `wakeAt` is not after `now`, earliest first, and sets their `wakeAt` to `until`, so that
   * another caller does not take them before that. A write in between replaces it. One that is claimed again without a
   * write in between is left for twice as long as before, at most for `longest` milliseconds.
   *
   * @param longest @default until - now
   */
  claimDue(now: number, limit: number, until: number, longest?: number): Promise<readonly ConversationId[]>
  /**
   * Sets `wakeAt`s that lie after `after`, the latest first and at most `limit` of them, to `to`, which is not after
   * `after`. Says how many it has set: fewer than the limit when none is left.
   */
  hasten(after: number, to: number, limit: number): Promise<number>
}
