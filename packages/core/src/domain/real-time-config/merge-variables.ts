import type { Json, JsonObject } from '../json.ts'

/**
 * Returns the stored variables after a change (AG62): a given key replaces its value whole, null removes it, and keys
 * that are not given stay. Keys keep their places; new ones come last.
 */
export function mergeVariables(stored: JsonObject, change: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(stored), ...Object.keys(change)])
  return Object.fromEntries(
    [...keys].flatMap((key): [string, Json][] => {
      const value = own(change, key)
      if (value === null) return []
      const next = value ?? own(stored, key)
      return next === undefined ? [] : [[key, next]]
    }),
  )
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
