import type { z } from 'zod'
import { parse } from '../../domain/parse.ts'

/** What a caller of the library has given, as the schema makes it. @throws SCHEMA_VALIDATION_FAILED naming every field that does not fit */
export const checked = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> =>
  parse(schema, value, 'field')
