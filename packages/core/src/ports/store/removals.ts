import type { ConversationIndex } from '../../domain/conversation/record.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** An account, an agent and an environment: what a removal is limited to. */
export type ConversationScope = Pick<ConversationIndex, 'accountId' | 'agentId' | 'environment'>

/** The result of one step of a removal. */
export interface RemovalStep {
  /** The number of removed conversations. */
  readonly removed: number
  /** False when everything that was selected is removed. */
  readonly more: boolean
}

/** The result of one step that removes recordings of turns. */
export interface ForgottenTurnRecordings {
  /** The number of turns that have lost their recording. */
  readonly turns: number
  /** False when no recording is left that is as old. */
  readonly more: boolean
}

/**
 * Removes conversations, by age or one by one, with everything that is stored about them, or the recordings of
 * their turns alone.
 */
export interface RemovalStore {
  /** Every scope that has conversations, once, in no particular order; perhaps also scopes that have none left. */
  scopes(): Promise<readonly ConversationScope[]>
  /**
   * Removes conversations of a scope, listed or not, whose `finishedAt` is before `finishedBefore` and which have no
   * `wakeAt`, so no work is left for them. Earliest `finishedAt` first, at most `limit`; fewer if their logs are long,
   * but at least one. Everything stored about a conversation is removed at one instant, including reserved event ids;
   * its id and those event ids can then be used again.
   *
   * Races with an append or an external event: whichever is first wins. An earlier one is removed with the rest, or
   * prevents the removal if it set a `wakeAt` or cleared `finishedAt`; a later append is `stale`, a later event
   * `unknown`. Of two concurrent removals one counts the conversation.
   *
   * Callers start the next step at once: a store with a single writer must give other writes their turn between steps.
   */
  removeFinished(scope: ConversationScope, finishedBefore: number, limit: number): Promise<RemovalStep>
  /**
   * Removes one conversation, listed or not. `missing` when the account and agent have no such conversation;
   * `in_progress` when it has no `finishedAt`, or has a `wakeAt`: nothing is removed then. An `outbox` is stored with
   * the removal.
   */
  remove(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    outbox?: Outbox,
  ): Promise<'removed' | 'in_progress' | 'missing'>
  /**
   * Removes `recording` and `function_effects` from the details of turns, and nothing else, in conversations of any
   * scope whose `finishedAt` is before `finishedBefore`. Earliest `finishedAt` first; looks at no more than `turns`
   * turns. No version of a conversation changes. Of two callers at once each turn is counted by one. A conversation
   * that goes on again keeps what it has left until it finishes.
   *
   * Callers start the next step at once: a store with a single writer must give other writes their turn between steps.
   */
  forgetTurnRecordings(finishedBefore: number, turns: number): Promise<ForgottenTurnRecordings>
}
