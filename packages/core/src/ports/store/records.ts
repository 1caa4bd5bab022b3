import type { RecordJson } from '../../domain/conversation/record.ts'
import type { WordCondition } from '../../domain/conversation/turn-words.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'

/**
 * The filter for records. All given conditions must hold; `startTime <= startedAt < endTime`. Unlisted conversations
 * never match.
 */
export interface RecordFilter {
  readonly accountId: AccountId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly startTime?: number
  readonly endTime?: number
  readonly variantId?: string
  readonly variantName?: string
  /** Its newest turn ran on this deployment. Conversations that are older than the filter have none. */
  readonly deploymentId?: string
  readonly inProgress?: boolean
  /** Any of these, as `comparedChannel` compares them. */
  readonly channels?: readonly string[]
  /** One turn rests on the topic of this name; with `words` the same turn. Older turns than the filter have none. */
  readonly topic?: string
  /** One turn contains all of these words, as split by `turnWords`. */
  readonly words?: WordCondition
}

/** The same without words: what the newest are chosen by. */
export type PlainRecordFilter = Omit<RecordFilter, 'words'>

/** The start of a page: after a number of records, or after a position. */
export type RecordPageStart =
  | { readonly offset: number }
  | { readonly after: { readonly startedAt: number; readonly id: string } }

/** A record's position in the lists. */
export interface RecordPosition {
  readonly startedAt: number
  readonly id: ConversationId
}

/** A page in the order `startedAt`, then id (compared as code points of UTF-8). */
export interface RecordPage {
  readonly records: readonly {
    readonly id: ConversationId
    readonly startedAt: number
    readonly json: RecordJson
  }[]
  /** True when a further record follows the last one of the page. */
  readonly more: boolean
}

/**
 * Listed conversations as records, in the order `startedAt`, then id (compared as code points of UTF-8). Part of the
 * conversation's aggregate: its writes change them.
 *
 * Their JSON is handed on as the store has it: `jsonText(text)` or `jsonOf(value)`.
 */
export interface RecordStore {
  /**
   * Returns a page of at most `limit` records. `bytes` bounds the UTF-8 bytes of its JSON as text, with at least one
   * record. If the `turns` of a record alone exceed it, they are null and are not counted.
   */
  list(filter: RecordFilter, from: RecordPageStart, limit: number, bytes?: number): Promise<RecordPage>
  /**
   * A page in the opposite order: newest first, then last id first. `from` is a position in that order; `bytes` as in
   * `list`. The newest that are in progress are found without looking at those that are over.
   */
  newest(filter: PlainRecordFilter, from: RecordPageStart, limit: number, bytes?: number): Promise<RecordPage>
  /**
   * Positions of at most `limit` records of the filter, drawn at random: every subset of that size is equally likely.
   * In the list's order.
   *
   * @param rest awaited after each page of positions, which are read in pages of a bounded size. @default nothing is
   */
  sample(filter: RecordFilter, limit: number, rest?: () => Promise<void>): Promise<readonly RecordPosition[]>
  /**
   * Null when there is no listed conversation of that account, agent and id. Its `turns` are null if they exceed
   * `bytes`.
   */
  find(accountId: AccountId, agentId: AgentId, id: ConversationId, bytes?: number): Promise<RecordJson | null>
}
