import type { TelephonyConnector } from '../../domain/access/access.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { PlatformError } from '../../errors.ts'

/** Returns the telephony connector that a request brings beside its key. @throws AUTH_USER_UNAUTHORISED */
export function lineOf(principal: Principal): TelephonyConnector {
  const line = principal.type === 'api_key' ? principal.line : undefined
  if (line !== undefined) return line
  throw new PlatformError('AUTH_USER_UNAUTHORISED', 'The id of a telephony connector is required.')
}
