import { hashSecret, MIN_SECRET_LENGTH } from '../../domain/access/secret.ts'
import { PlatformError } from '../../errors.ts'
import { signingKey, type TokenKeys } from './token-keys.ts'

/**
 * Keys that the host gives (CR16). The first signs. A `kid` is made of the secret's hash, so that all processes agree on it;
 * a token without one may have been signed with any of them.
 *
 * @throws Error when there is none, or one is too short
 */
export function createConfiguredTokenKeys(secrets: readonly string[]): TokenKeys {
  const keys = secrets.map(secret => signingKey(hashSecret(`token-key ${secret}`).slice(0, 16), secret))
  const [first] = keys
  if (first === undefined || secrets.some(secret => secret.length < MIN_SECRET_LENGTH))
    throw new Error(
      `The setting tokenSecret must be one or more secrets of at least ${MIN_SECRET_LENGTH} characters each`,
    )
  return {
    signing: async () => first,
    verifying: async kid => keys.filter(({ id }) => kid === undefined || id === kid),
    list: async () => [],
    async rotate() {
      throw new PlatformError(
        'TOKEN_KEYS_GIVEN',
        'The host gives the secrets that sign access tokens. Put a new one in front of the others in its setting tokenSecret.',
      )
    },
  }
}
