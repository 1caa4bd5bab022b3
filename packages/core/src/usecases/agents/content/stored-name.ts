import { isProperName, PROPER_NAME, properName } from '../../../domain/agent/proper-name.ts'
import { PlatformError } from '../../../errors.ts'

/** Returns a name as it is stored. A value that is no text is left to the schema. @throws SCHEMA_VALIDATION_FAILED */
export function storedName(name: unknown): unknown {
  if (typeof name !== 'string') return name
  if (isProperName(name) || name === '') return properName(name)
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', `The field "name" is not valid: ${PROPER_NAME}.`)
}
