import type { JoinedWait } from '../../domain/conversation/waiting-line.ts'
import type { AccountId, ConversationId, HandoffId } from '../../domain/ids.ts'

/** A conversation that waits for, or talks to, a live agent. */
export interface HandoffEntry {
  readonly conversationId: ConversationId
  readonly handoffId: HandoffId
  readonly status: 'waiting' | 'active'
  readonly queueName: string
  readonly since: number
}

/**
 * Conversations that wait for, or talk to, a live agent, by account. Part of the conversation's aggregate: its writes
 * change them.
 */
export interface HandoffStore {
  /**
   * Handoffs of an account in that status, in the order of the writes that first held them, whatever their `since`: the
   * wall clock may step. One keeps its place when its status changes; the next one of a conversation is a new one.
   */
  list(accountId: AccountId, status: 'waiting' | 'active'): Promise<readonly HandoffEntry[]>
  /** Waits of an account's queue whose handoffs were joined at `since` or later: the newest that many, newest first. */
  joinedWaits(
    accountId: AccountId,
    queueName: string,
    since: number,
    limit: number,
  ): Promise<readonly JoinedWait[]>
  /**
   * Takes the lines in which somebody waits and that nobody holds after `now`, or only beyond
   * `claimReach`, and holds them until `until`: accounts with
   * a waiting handoff, in no particular order. Of several callers one gets each of them. No conversation changes by it.
   */
  claimLines(now: number, until: number): Promise<readonly AccountId[]>
}
