import type { TokenKey } from '../../domain/access/token-key.ts'
import type { Caller } from '../../domain/audit/audit.ts'

/** What signs a token, and the `kid` that says so. */
export interface SigningKey {
  readonly id: string
  readonly secret: Uint8Array
}

/** A token key as it is shown: without its secret. */
export type TokenKeyInfo = Omit<TokenKey, 'secret'>

/** How token keys are rotated. */
export interface TokenKeyRotation {
  /** The keys before the new one stop at once, with every token that they have signed (CR14). @default false */
  readonly revokeEarlier?: boolean
}

/** The keys that sign visitors' access tokens (CR11 to CR16). */
export interface TokenKeys {
  /** The key that signs now. */
  signing(): Promise<SigningKey>
  /** The keys that may have signed a token with that `kid`, undefined for one without; none when all of them are gone. */
  verifying(kid: string | undefined): Promise<readonly SigningKey[]>
  /** The newest first; empty where the host gives the secrets. */
  list(): Promise<readonly TokenKeyInfo[]>
  /** Makes a new key sign, as that caller wants it, and returns all. @throws TOKEN_KEYS_GIVEN where the host gives the secrets */
  rotate(caller: Caller, rotation: TokenKeyRotation): Promise<readonly TokenKeyInfo[]>
}

/** A key as jose takes it. */
export const signingKey = (id: string, secret: string): SigningKey => ({
  id,
  secret: new TextEncoder().encode(secret),
})
