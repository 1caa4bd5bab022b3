import type { Context } from '../context.ts'
import { createConfiguredTokenKeys } from './configured-token-keys.ts'
import { createStoredTokenKeys } from './stored-token-keys.ts'
import type { TokenKeys } from './token-keys.ts'

/**
 * Returns the keys of a platform: those that its host gives, or those that its store keeps.
 * @throws Error for secrets that are too short
 */
export function createTokenKeys(context: Context): TokenKeys {
  const { tokenSecret } = context.settings
  if (tokenSecret === null) return createStoredTokenKeys(context)
  return createConfiguredTokenKeys(typeof tokenSecret === 'string' ? [tokenSecret] : tokenSecret)
}
