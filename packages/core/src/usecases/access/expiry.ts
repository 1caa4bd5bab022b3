import { expirySchema } from '../../domain/access/schemas.ts'
import { parse } from '../../domain/parse.ts'
import { isoTime } from '../../domain/time.ts'
import { PlatformError } from '../../errors.ts'

/**
 * The end of a new credential, or the new end of an old one: a moment in the future, or null.
 * @throws SCHEMA_VALIDATION_FAILED
 */
export function checkExpiry(expiresAt: number | null | undefined, now: number): number | null {
  const at = parse(expirySchema.nullable(), expiresAt ?? null, 'expiresAt')
  if (at === null || at > now) return at
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `The field "expiresAt" is not valid: expected a moment after now, which is ${isoTime(now)}.`,
  )
}
