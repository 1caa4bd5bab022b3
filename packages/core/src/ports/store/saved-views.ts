import type { SavedView } from '../../domain/conversation/saved-view.ts'
import type { AccountId } from '../../domain/ids.ts'
import type { Outbox } from './outbox.ts'

/**
 * Saved views of accounts. Names are the same by `viewKey`. Every method reads or writes at one instant; values are
 * copied in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface SavedViewStore {
  /** Null when the account has no view of that name. */
  find(accountId: AccountId, name: string): Promise<SavedView | null>
  /** All views of the account, by the code points of their `viewKey`. */
  list(accountId: AccountId): Promise<readonly SavedView[]>
  /**
   * Writes a view whole. Of two writers with the same expected version one wins; 0 for a name that the account has not
   * yet. `full` when a new one would be more than `most`.
   */
  save(
    view: SavedView,
    expectedVersion: number,
    most: number,
    outbox?: Outbox,
  ): Promise<'saved' | 'stale' | 'full'>
  /** False when the account has no view of that name. */
  remove(accountId: AccountId, name: string, outbox?: Outbox): Promise<boolean>
}
