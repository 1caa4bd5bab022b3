import type { Account } from '../../domain/access/access.ts'
import type { Outbox } from './outbox.ts'

/**
 * A place in a list that is oldest first: what was created at that moment under that id, whether it is there or not.
 */
export interface CreatedPlace {
  readonly createdAt: number
  readonly id: string
}

/** Which part of a list that is oldest first. */
export interface CreatedFilter {
  /** Only what comes behind this place in the order of the list. */
  readonly after?: CreatedPlace
}

/**
 * Accounts. Every method reads or writes at one instant; values are copied in and out. An `outbox` is kept with the
 * write (see `Outbox`).
 */
export interface AccountStore {
  /** `taken` when the id or the slug exists, also as the other's value; nothing is written then. */
  create(account: Account, outbox?: Outbox): Promise<'created' | 'taken'>
  /** By id or by slug; null when there is none. */
  find(idOrSlug: string): Promise<Account | null>
  /** Oldest first, then by the code points of the id; at most `limit`. */
  list(filter: CreatedFilter, limit: number): Promise<readonly Account[]>
}
