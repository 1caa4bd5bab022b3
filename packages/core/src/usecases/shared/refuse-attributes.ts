import { PlatformError } from '../../errors.ts'

/**
 * Refuses integration attributes that are no JSON, or too large: the conversation's state holds them, and every write
 * carries the state. `field` is how the caller calls them.
 */
export function refuseAttributes(attributes: unknown, field: string, limit: number): void {
  if (attributes === undefined) return
  const refuse = (why: string) =>
    new PlatformError('SCHEMA_VALIDATION_FAILED', `The body field "${field}" ${why}`)
  if (byteLength(attributes, refuse) > limit)
    throw refuse(`has more than ${limit} bytes of JSON, which is the limit.`)
}

function byteLength(value: unknown, refuse: (why: string) => PlatformError): number {
  try {
    return new TextEncoder().encode(JSON.stringify(value)).length
  } catch {
    throw refuse('is not valid: it must be JSON.')
  }
}
