import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'

/**
 * Returns the end of a new credential, or the new end of an old one: a moment in the future, or null.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function checkExpiry(expiresAt: number | null | undefined, now: number): number | null {
  if (expiresAt === null || expiresAt === undefined) return null
  if (expiresAt > now) return expiresAt
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `The field "expiresAt" is not valid: expected a moment after now, which is ${isoTime(now)}.`,
  )
}
