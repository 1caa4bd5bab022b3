import type { VisitorKey } from '../../domain/conversation/visitor-key.ts'
import type { Environment } from '../../domain/environment.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { TextPair } from '../../domain/text/text-pair.ts'

/** A conversation of a visitor. */
export interface VisitorConversation {
  readonly id: ConversationId
  readonly agentId: AgentId
  readonly environment: Environment
  readonly startedAt: number
  /** Whether it has finished and no work is left for it, so that it can be removed. */
  readonly isOver: boolean
}

/** The last conversation of a page. */
export type VisitorPlace = Pick<VisitorConversation, 'startedAt' | 'id'>

/**
 * The data of one visitor of an account. Part of the conversation's aggregate: its writes change what is listed.
 * Every method reads or writes at one instant.
 */
export interface VisitorStore {
  /**
   * Conversations of a visitor of the account, of all its agents and environments, listed or not. Newest first by
   * `startedAt`, then by id, after a place; null: from the newest one. At most `limit`.
   */
  conversations(
    accountId: AccountId,
    visitor: VisitorKey,
    after: VisitorPlace | null,
    limit: number,
  ): Promise<readonly VisitorConversation[]>
  /**
   * Pairs of numbers of the account in which the visitor has this number, in the order of the account's own numbers,
   * after one of these; null: from the first one. At most `limit`.
   */
  pairs(
    accountId: AccountId,
    theirs: string,
    after: string | null,
    limit: number,
  ): Promise<readonly TextPair[]>
  /**
   * Removes a pair as it was read, and writes what is to be left of it in its place; null: nothing. False when the pair
   * has changed meanwhile, and then it stays.
   */
  removePair(pair: TextPair, left: TextPair | null): Promise<boolean>
}
