import type { TokenKey } from '../../domain/access/token-key.ts'
import type { Outbox } from './outbox.ts'

/**
 * Keys that sign access tokens, stored as they are given. Every method reads or writes at one instant; values are
 * copied in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface TokenKeyStore {
  /**
   * Stores `candidate` under the name unless a value is stored already, and returns the stored value: all racing
   * callers get the same.
   */
  secret(name: string, candidate: string): Promise<string>
  /** Newest first; the newest signs. */
  list(): Promise<readonly TokenKey[]>
  /**
   * Adds a key as the newest. Earlier keys verify until `earlierUntil`, or until their stored end if that is earlier.
   * `stale`, and nothing is written, when the id exists or `key.number` is not the newest number plus one (1 for the
   * first key). Of several callers with the same number one wins.
   */
  add(key: TokenKey, earlierUntil: number, outbox?: Outbox): Promise<'added' | 'stale'>
  /** Removes every key whose `verifiesUntil` is `at` or earlier, but never the newest. */
  remove(at: number): Promise<void>
}
