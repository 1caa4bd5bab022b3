import type { SharedReply } from '../../domain/conversation/shared-reply.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/** The result of writing a shared reply. */
export type SavedReply = 'saved' | 'stale' | 'code_taken' | 'full' | 'no_agent'

/**
 * Replies that the live agents of an account share. Every method reads or writes at one instant; values are copied in
 * and out. An `outbox` is kept with the write (see `Outbox`). Deleting an agent deletes its own replies.
 */
export interface SharedReplyStore {
  /** Null when the account has no reply of that id. */
  find(accountId: AccountId, id: string): Promise<SharedReply | null>
  /** All replies of the account, by their codes (`codeKey`). */
  list(accountId: AccountId): Promise<readonly SharedReply[]>
  /**
   * Writes the reply whole. Of two writers with the same expected version one wins; 0 for a reply that is not there
   * yet. `code_taken` when another reply of the account has the code (`codeKey`); `full` when a new one would be more
   * than `most`; `no_agent` when the account has no agent of the reply's `agentId`.
   */
  save(reply: SharedReply, expectedVersion: number, most: number, outbox?: Outbox): Promise<SavedReply>
  /** False when the account has no reply of that id. */
  remove(accountId: AccountId, id: string, outbox?: Outbox): Promise<boolean>
}
