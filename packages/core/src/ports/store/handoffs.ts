import type { DeskOutcome } from '../../domain/conversation/desk-outcome.ts'
import type { JoinedWait } from '../../domain/conversation/waiting-line.ts'
import type { AccountId, AgentId, ConversationId, HandoffId } from '../../domain/ids.ts'

/** A conversation that waits for, or talks to, a live agent. */
export interface HandoffEntry {
  readonly conversationId: ConversationId
  readonly handoffId: HandoffId
  readonly status: 'waiting' | 'active'
  readonly queueName: string
  readonly since: number
  /** The live agent of an active one; null for one that waits. */
  readonly liveAgentId: string | null
  /** The language of the conversation (`index.language`). */
  readonly language: string | null
}

/**
 * Conversations that wait for, or talk to, a live agent, by account. Part of the conversation's aggregate: its writes
 * change them.
 */
export interface HandoffStore {
  /**
   * Handoffs of an account in that status, in the order in which they were first written, not by `since`: the wall
   * clock may step. A handoff keeps its position when its status changes; a conversation's next handoff is a new entry.
   */
  list(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly HandoffEntry[]>
  /**
   * The conversation of the account's agent, of any environment, that has this id of the integrator's (`index.shared`).
   * Of several the one that was handed off last; of several of the same instant any. Null for none. Ids are compared
   * character by character.
   */
  findShared(accountId: AccountId, agentId: AgentId, sharedId: string): Promise<ConversationId | null>
  /** Waits of an account's queue whose handoffs were joined at `since` or later, newest first; at most `limit`. */
  joinedWaits(
    accountId: AccountId,
    queueName: string,
    since: number,
    limit: number,
  ): Promise<readonly JoinedWait[]>
  /** Ends of waits and talks of an account from `from` through `through`, newest first; at most `limit`. */
  outcomes(
    accountId: AccountId,
    span: { readonly from: number; readonly through: number },
    limit: number,
  ): Promise<readonly DeskOutcome[]>
  /**
   * Claims waiting lines until `until`: those of accounts that have a waiting handoff and whose claim has expired at
   * `now`, or lies beyond `claimReach`. In no particular order. Each line goes to one of several callers. Does not
   * change any conversation.
   */
  claimLines(now: number, until: number): Promise<readonly AccountId[]>
  /**
   * Returns the earliest end of a claim among lines with a waiting handoff. It is 0 for a line that was never claimed.
   * Returns null while nobody waits.
   */
  nextLine(): Promise<number | null>
}
