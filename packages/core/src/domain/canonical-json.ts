import type { Json } from './json.ts'

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/**
 * One text for each JSON value, whatever the order of an object's keys: two values are equal exactly when their texts
 * are. Used to compare field values in a merge and to hash content.
 */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonicalJson(part)}`).join(',')}}`
}
