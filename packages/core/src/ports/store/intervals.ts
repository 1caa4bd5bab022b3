import type { ActivityColumns } from '../../domain/concurrency/activity.ts'
import type { TimeRange } from '../../domain/concurrency/window.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId } from '../../domain/ids.ts'

/**
 * The conditions, apart from the time, on conversations that count for concurrency. They are listed, counted and
 * match every condition.
 */
export interface IntervalConditions {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly variantId?: string
  readonly variantName?: string
  readonly deploymentId?: string
  readonly language?: string
  /** Compares with `toNumber`. */
  readonly phoneNumber?: string
}

/** Further limited to those that were active at some instant of `[from, to)`. */
export interface IntervalFilter extends IntervalConditions, TimeRange {
  /** `deployment`: `variants` has the deployments of conversations in place of their variants, without a name. */
  readonly sliceBy?: 'variant' | 'deployment' | undefined
}

/**
 * The times at which conversations were active, in any order. A conversation is active in `[start, end)`. One in
 * progress has the end `Infinity`. If start and end are the same instant, it counts as active at that instant. Every
 * variant that occurs is listed once, and others may be. Id and name are null for conversations without a variant.
 *
 * Each conversation comes once: as a row of the columns or in one of the `blocks`, at the store's choice. A store
 * that reads rows leaves `blocks` empty. Blocks exist for speed. Counting a million conversations (a week) takes
 * about 14 ms of processor time from blocks, and 22 ms if the store converts them to columns first. A block may also
 * hold conversations outside the range.
 */
export interface ActivityIntervals extends ActivityColumns {
  /**
   * Identifies the content: for one filter, answers with the same stamp are equal. Equal answers may have different
   * stamps.
   */
  readonly stamp: string
}

/**
 * The times at which listed and counted conversations were active: the source of concurrency. Part of the
 * conversation's aggregate.
 */
export interface IntervalStore {
  /** Conversations that were active in the range, or touch it. */
  list(filter: IntervalFilter): Promise<ActivityIntervals>
  /** For each range, the stamp that `list` would return now, at a fraction of the cost. */
  stamps(conditions: IntervalConditions, ranges: readonly TimeRange[]): Promise<readonly string[]>
}
