import type { TokenKeyId } from '../ids.ts'

/**
 * A key that signs visitors' access tokens. Unlike every other secret it is kept as it is: a hash signs nothing.
 * Readers of the store can sign tokens, so the store's files and copies are to be guarded, or `Settings.tokenSecret`
 * used.
 */
export interface TokenKey {
  /** Counts from 1. The highest one signs. */
  readonly number: number
  /** The `kid` of the tokens that it signs. */
  readonly id: TokenKeyId
  readonly secret: string
  readonly createdAt: number
  /** From this moment on its tokens are refused; null for the one that signs. */
  readonly verifiesUntil: number | null
}

/** Reports whether tokens of that key are still good at that moment. */
export const verifies = ({ verifiesUntil }: TokenKey, now: number): boolean =>
  verifiesUntil === null || now < verifiesUntil

/** Returns the keys that may have signed a token with that `kid` and are still good. */
export const keysFor = (keys: readonly TokenKey[], kid: string, now: number): readonly TokenKey[] =>
  keys.filter(key => key.id === kid && verifies(key, now))
