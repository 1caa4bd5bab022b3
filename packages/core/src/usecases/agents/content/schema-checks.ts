import { LRUCache } from 'lru-cache'
import type { JsonObject } from '../../../domain/json.ts'
import type { SchemaCheck } from '../../../domain/real-time-config/compile-schema.ts'

/** Characters of the schemas whose compiled checks a process keeps: about 40 MB. */
const CACHED_SCHEMAS = 1_000_000

/** The size of the check of the shortest schema beside the schema itself, in characters of a schema. */
const OWN_WEIGHT = 600

/** Compiled schemas by their text. */
export type SchemaChecks = LRUCache<string, SchemaCheck>

/** Returns an empty, bounded cache of compiled schemas. Many short ones fill it as a few long ones do (FZ5). */
export const createSchemaChecks = (): SchemaChecks =>
  new LRUCache({
    maxSize: CACHED_SCHEMAS,
    sizeCalculation: (_, text) => Math.min(text.length + OWN_WEIGHT, CACHED_SCHEMAS),
  })

/**
 * Returns the check of a schema, compiled or kept. The compiler is loaded when it is first needed. It would add a third
 * to the start of a process, and most never need it. @throws REAL_TIME_CONFIG_INVALID_SCHEMA
 */
export async function schemaCheck(checks: SchemaChecks, schema: JsonObject): Promise<SchemaCheck> {
  const text = JSON.stringify(schema)
  const kept = checks.get(text)
  if (kept) return kept
  const { compileSchema } = await import('../../../domain/real-time-config/compile-schema.ts')
  const check = compileSchema(schema)
  checks.set(text, check)
  return check
}
