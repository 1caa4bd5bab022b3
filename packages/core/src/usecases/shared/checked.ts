import type * as z from 'zod'
import { parse } from '../../domain/parse.ts'

/** Parses a library caller's input by the schema. @throws SCHEMA_VALIDATION_FAILED naming every invalid field */
export const checked = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> =>
  parse(schema, value, 'field')
