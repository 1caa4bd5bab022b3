/**
 * Checks values by JSON Schemas that are not trusted, in a bounded number of steps. For packages that are given such.
 */
export type { SchemaCheck } from './domain/real-time-config/compile-schema.ts'
export { compileForeignSchema } from './domain/real-time-config/foreign-schema.ts'
