import type { ActivityColumns } from '../../domain/concurrency/activity.ts'
import type { TimeRange } from '../../domain/concurrency/window.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'

/** Which conversations count for concurrency, beside the time: ones that are listed and counted, and fit all of it. */
export interface IntervalConditions {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly variantId?: string
  readonly variantName?: string
  readonly language?: string
  /** Compares with `toNumber`. */
  readonly phoneNumber?: string
}

/** Those of them that were active at some instant of `[from, to)`. */
export interface IntervalFilter extends IntervalConditions, TimeRange {}

/**
 * When conversations were active, in any order. A conversation is active in `[start, end)`; one in progress has the end
 * `Infinity`. One whose start and end are the same instant counts as active at that instant. Variants that occur are
 * told once, others perhaps too; id and name are null for conversations without one.
 *
 * Each conversation comes once, as a row of the columns or in one of the `blocks`, as the store likes: one that reads
 * rows leaves `blocks` empty. Blocks are there because a week may hold a million conversations: counted from blocks
 * that costs about 14 ms of processor time, and 22 ms where a store makes columns of them first. A block may hold
 * conversations that lie beyond the range.
 */
export interface ActivityIntervals extends ActivityColumns {
  /** Names the content: of one filter, two answers with the same stamp are the same. The opposite need not hold. */
  readonly stamp: string
}

/**
 * When listed and counted conversations were active, which concurrency is figured from. Part of the conversation's
 * aggregate.
 */
export interface IntervalStore {
  /** What was active in a range, or touched it. */
  list(filter: IntervalFilter): Promise<ActivityIntervals>
  /** For each range the stamp that `list` would give for it now, for much less. */
  stamps(conditions: IntervalConditions, ranges: readonly TimeRange[]): Promise<readonly string[]>
}
