import type { RecordText } from '../../domain/conversation/record.ts'
import type { WordCondition } from '../../domain/conversation/turn-words.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { ConversationScope } from './removals.ts'

/** Which records. All given conditions hold; `startTime <= startedAt < endTime`. Unlisted conversations never match. */
export interface RecordFilter {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly startTime?: number
  readonly endTime?: number
  readonly variantId?: string
  readonly variantName?: string
  readonly inProgress?: boolean
  /** Any of these. */
  readonly channels?: readonly string[]
  /** One turn holds all of these words; what the words of a turn are says `turnWords`. */
  readonly words?: WordCondition
}

/** Where a page begins: after a number of records, or after the record with this start and id. */
export type RecordPosition =
  | { readonly offset: number }
  | { readonly after: { readonly startedAt: number; readonly id: string } }

/** A record's place in the lists. */
export interface RecordPlace {
  readonly startedAt: number
  readonly id: ConversationId
}

/** A page in the order `startedAt`, then id (compared as code points of UTF-8). */
export interface RecordPage {
  readonly records: readonly {
    readonly id: ConversationId
    readonly startedAt: number
    readonly text: RecordText
  }[]
  /** True when a further record follows the last one of the page. */
  readonly more: boolean
}

/**
 * Listed conversations as records, in the order `startedAt`, then id (compared as code points of UTF-8). Part of the
 * conversation's aggregate: its writes change them.
 */
export interface RecordStore {
  /**
   * A page of at most so many records. With `bytes` it ends before the record with which its texts would have more
   * UTF-8 bytes, but holds one at least; `turns` that have more by themselves are null, and count nothing.
   */
  list(filter: RecordFilter, from: RecordPosition, limit: number, bytes?: number): Promise<RecordPage>
  /**
   * A page of all records of a scope in the opposite order: the newest first, of one moment the last id first. `after`
   * is a place in that order; `bytes` as in `list`.
   */
  newest(scope: ConversationScope, from: RecordPosition, limit: number, bytes?: number): Promise<RecordPage>
  /**
   * Places of records of the filter drawn at random, at most `limit`, all where there are not more: every choice of so
   * many is equally likely. In the list's order.
   */
  sample(filter: RecordFilter, limit: number): Promise<readonly RecordPlace[]>
  /**
   * Null when there is no listed conversation of that account, agent and id. Its `turns` are null where they have more
   * than `bytes`.
   */
  find(accountId: AccountId, agentId: AgentId, id: ConversationId, bytes?: number): Promise<RecordText | null>
}
