import type { ConversationIndex } from '../../domain/conversation/record.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** An account, an agent and an environment: whose conversations a removal takes. */
export type ConversationScope = Pick<ConversationIndex, 'accountId' | 'agentId' | 'environment'>

/** What one step of a removal has done. */
export interface RemovalStep {
  /** How many are gone. */
  readonly removed: number
  /** False when none of those that were asked for is left. */
  readonly more: boolean
}

/** How conversations go: by age or one by one, with all that was kept of them. */
export interface RemovalStore {
  /** Each scope that conversations are kept of, once, in no particular order; maybe also some of which none is left. */
  scopes(): Promise<readonly ConversationScope[]>
  /**
   * Removes conversations of a scope, listed or not, whose `finishedAt` is before the moment and which have no
   * `wakeAt`: nothing is to be done for them any more. The longest finished go first, at most `limit`; fewer where
   * their logs are long, but one at least. All that was kept of a conversation goes with it at one instant, event ids
   * reserved for it included; its id, and theirs, are free then.
   *
   * Against an append, or an event that comes for it, whichever is first wins: what came before is removed with the
   * rest, or keeps the conversation where it gave it a `wakeAt` or took its `finishedAt`; an append that comes after is
   * `stale`, an event `unknown`. Of two removals one counts the conversation.
   *
   * A caller asks again at once: where one writer keeps others out, each step leaves them time for their writes.
   */
  removeFinished(scope: ConversationScope, finishedBefore: number, limit: number): Promise<RemovalStep>
  /**
   * The same for one conversation, listed or not. `missing` when that account and agent have none of that id;
   * `in_progress` when it has no `finishedAt`, or a `wakeAt`: nothing is removed then. An `outbox` is kept with the
   * removal.
   */
  remove(
    accountId: AccountId,
    agentId: AgentId,
    id: ConversationId,
    outbox?: Outbox,
  ): Promise<'removed' | 'in_progress' | 'missing'>
}
