import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/**
 * The target after a JSON merge patch (RFC 7396): null removes a key, objects merge at every depth, everything else, arrays
 * included, replaces what was there. Keys keep their places; new ones come last.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(target), ...Object.keys(patch)])
  return Object.fromEntries(
    [...keys].flatMap((key): [string, Json][] => {
      const before = own(target, key)
      const change = own(patch, key)
      if (change === undefined) return before === undefined ? [] : [[key, before]]
      if (change === null) return []
      if (!isJsonObject(change)) return [[key, change]]
      return [[key, mergePatch(isJsonObject(before) ? before : {}, change)]]
    }),
  )
}

const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined
