import { hashSecret, MIN_SECRET_LENGTH } from '../../domain/access/secret.ts'
import { PlatformError } from '../../errors.ts'
import type { TokenKeys } from './token-keys.ts'

/**
 * Keys from the setting `tokenSecret` (CR16). The first signs. A `kid` is made of the secret's hash, so that all
 * processes agree on it.
 *
 * @throws Error without a secret, or when one is too short
 */
export function createConfiguredTokenKeys(secrets: readonly string[]): TokenKeys {
  const keys = secrets.map(secret => ({ id: hashSecret(`token-key ${secret}`).slice(0, 16), secret }))
  const [first] = keys
  if (first === undefined || secrets.some(secret => secret.length < MIN_SECRET_LENGTH))
    throw new Error(
      `The setting tokenSecret must be one or more secrets of at least ${MIN_SECRET_LENGTH} characters each.`,
    )
  return {
    signing: async () => first,
    verifying: async kid => keys.filter(({ id }) => id === kid),
    list: async () => [],
    async rotate() {
      throw new PlatformError(
        'TOKEN_KEYS_GIVEN',
        'The host configures the secrets of access tokens. Add a new one as the first of its setting tokenSecret.',
      )
    },
  }
}
