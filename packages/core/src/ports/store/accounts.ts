import type { Account } from '../../domain/access/access.ts'
import type { Outbox } from './outbox.ts'

/** A position in a list that is oldest first. The entry it names need not exist. */
export interface CreatedPosition {
  readonly createdAt: number
  readonly id: string
}

/** Selects a part of a list that is oldest first. */
export interface CreatedFilter {
  /** Only entries after this position. */
  readonly after?: CreatedPosition
}

/**
 * Accounts. Every method reads or writes at one instant; values are copied in and out. An `outbox` is kept with the
 * write (see `Outbox`).
 */
export interface AccountStore {
  /** `taken` when the id or the slug exists, also as the other's value; nothing is written then. */
  create(account: Account, outbox?: Outbox): Promise<'created' | 'taken'>
  /** By id or by slug; null when there is no such account. */
  find(idOrSlug: string): Promise<Account | null>
  /** Oldest first, then by the code points of the id; at most `limit`. */
  list(filter: CreatedFilter, limit: number): Promise<readonly Account[]>
}
