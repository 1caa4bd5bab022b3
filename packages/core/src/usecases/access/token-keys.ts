import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { TokenKey } from '../../domain/access/token-key.ts'
import type { Caller } from '../../domain/audit/audit.ts'

/** A secret that signs tokens, and the `kid` that names it. */
export interface SigningKey {
  readonly id: string
  readonly secret: string
}

/** A token key as it is shown: without its secret. */
export type TokenKeyInfo = Omit<TokenKey, 'secret'>

/** The schema of {@link TokenKeyRotation}. */
export const tokenKeyRotationSchema = z.object({
  /** The earlier keys stop working at once, with all tokens that they signed (CR14). @default false */
  revokeEarlier: z.boolean().exactOptional(),
})

/** The options of a rotation of token keys. */
export type TokenKeyRotation = InputOf<typeof tokenKeyRotationSchema>

/** The keys that sign visitors' access tokens (CR11 to CR16). */
export interface TokenKeys {
  /** Returns the current signing key. */
  signing(): Promise<SigningKey>
  /** Returns the keys that may have signed a token with that `kid`. Empty when all of them have expired. */
  verifying(kid: string): Promise<readonly SigningKey[]>
  /** Lists the keys, newest first. Empty if the host configures the secrets. */
  list(): Promise<readonly TokenKeyInfo[]>
  /**
   * Makes a new key sign, as that caller wants it, and returns all.
   * @throws TOKEN_KEYS_GIVEN when the host configures the secrets
   */
  rotate(caller: Caller, rotation: TokenKeyRotation): Promise<readonly TokenKeyInfo[]>
}
