import type { z } from 'zod'
import { PlatformError } from '../errors.ts'

/** The value as the schema makes it. @throws SCHEMA_VALIDATION_FAILED naming every field that does not fit */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.map(issue => `${issue.path.join('.') || 'value'}: ${issue.message}`)
  throw new PlatformError('SCHEMA_VALIDATION_FAILED', faults.join('; '))
}
