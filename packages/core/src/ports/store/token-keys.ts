import type { TokenKey } from '../../domain/access/token-key.ts'
import type { Outbox } from './outbox.ts'

/**
 * What signs access tokens; a store keeps it as it is. Every method reads or writes at one instant; values are copied
 * in and out. An `outbox` is kept with the write (see `Outbox`).
 */
export interface TokenKeyStore {
  /**
   * Keeps `candidate` under the name if nothing is kept there yet, and returns what is kept: all racers get the same.
   */
  secret(name: string, candidate: string): Promise<string>
  /** The newest first, which is the one that signs. */
  list(): Promise<readonly TokenKey[]>
  /**
   * Adds a key as the newest; the keys before it verify until `earlierUntil`, or until the moment that is stored when
   * that is earlier. `stale` when `key.number` is not one more than the newest's, 1 when there is none, or the id
   * exists: nothing is written then. Of racers with one number one wins.
   */
  add(key: TokenKey, earlierUntil: number, outbox?: Outbox): Promise<'added' | 'stale'>
  /** Removes every key whose `verifiesUntil` is `at` or earlier; never the one that signs. */
  remove(at: number): Promise<void>
}
