/** A value that JSON can carry. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** An object that JSON can carry. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** True for arrays. */
export const isJsonArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** True for objects: neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns a copy of a value that is nothing but JSON: own keys, finite numbers, no key `__proto__`. Undefined for
 * anything else, and for what nests deeper than `depth` levels of arrays and objects.
 */
export function copyJson(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  if (Array.isArray(value)) {
    const items = value.map(item => copyJson(item, depth - 1))
    return items.every(item => item !== undefined) ? items : undefined
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || Object.hasOwn(value, '__proto__'))
    return undefined
  const entries = Object.entries(value).map(([key, item]) => [key, copyJson(item, depth - 1)] as const)
  const present = entries.flatMap(([key, item]) => (item === undefined ? [] : [[key, item] as const]))
  return present.length === entries.length ? Object.fromEntries(present) : undefined
}
