import { PlatformError } from '../errors.ts'

/** Refuses testers without a version, which callers without types may pass. @throws SCHEMA_VALIDATION_FAILED */
export function refuseUnnamed(name: string, { version }: { readonly version: unknown }): void {
  if (typeof version === 'string' && version !== '' && version.length <= 200) return
  throw new PlatformError(
    'SCHEMA_VALIDATION_FAILED',
    `${name} must have a version: a text of 1 to 200 characters.`,
  )
}
