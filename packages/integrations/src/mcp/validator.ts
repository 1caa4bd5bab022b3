import type { Json } from '@colloquy/core'
import { compileForeignSchema } from '@colloquy/core/json-schema'
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client'
import * as z from 'zod'

const schemaShape = z.record(z.string(), z.json())

const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a function that validates a value against a server's schema. It returns the error, or null if the value is
 * valid. It takes a bounded number of steps for any schema and value, and generates no code (MC4).
 *
 * @throws PlatformError for an invalid schema
 */
export function checkOf(schema: unknown): (value: unknown) => string | null {
  const check = compileForeignSchema(schemaShape.parse(schema))
  return value => {
    if (!isObject(value)) return 'it must be an object'
    const problems = check(value)
    return problems.length === 0 ? null : problems.join('; ')
  }
}

/** The validator for the SDK, which checks structured content with it. */
export const validator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const check = checkOf(schema)
    const fits = (value: unknown): value is T => check(value) === null
    return value =>
      fits(value)
        ? { valid: true, data: value, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: check(value) ?? 'it does not fit' }
  },
}
