import type { Environment } from '../environment.ts'
import type { AgentId } from '../ids.ts'
import type { JsonObject } from '../json.ts'

/** Bounds of a real-time config besides `Settings.limits.realTimeConfigBytes` (AG65). */
export const REAL_TIME_CONFIG_LIMITS = {
  /** The nesting depth of arrays and objects in the variables. */
  variablesDepth: 32,
  /** The depth of the schema, where each level of the variables costs two. */
  schemaDepth: 64,
  /** Schemas within a schema. */
  subschemas: 1_000,
  /** Characters of one regular expression. */
  patternLength: 500,
  /** Characters of all regular expressions of a schema. */
  patternsLength: 8_000,
  /** Instructions that all regular expressions of a schema compile to: `a{500}` has about 500. */
  patternsSize: 20_000,
  /** Problems named in one message. */
  problems: 5,
  /** Steps that one check of variables may take: one for each value and rule, one for ten of a regular expression. */
  steps: 250_000,
} as const

/** Values that an agent's conversations of one environment read at every turn, and the JSON Schema that they fit. */
export interface RealTimeConfig {
  readonly agentId: AgentId
  readonly environment: Environment
  readonly variables: JsonObject
  /** JSON Schema draft 7. Null: any variables fit. */
  readonly schema: JsonObject | null
  /** Counts the writes from 1, and guards them. */
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly updatedAt: number
}
