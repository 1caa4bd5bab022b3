import { startOf } from '../cut-text.ts'
import type { Json, JsonObject } from '../json.ts'

/** Names that an entry lists at most. */
const MAX_NAMES = 50
/** Characters of a name that an entry shows. */
const MAX_NAME_LENGTH = 100

/**
 * Returns the fields that differ, each as `{from, to}`. The caller names the fields, so that a new field of a
 * shape is shown by decision and never by accident.
 */
export function changedFields(before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(after).flatMap(([name, to]): [string, Json][] => {
    const from = before[name] ?? null
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [[name, { from, to }]]
  })
  return Object.fromEntries(changed)
}

/** Names in order; of very many the first 50, and the number of all: `{names, count}`. */
export const namesOf = (values: Readonly<Record<string, unknown>>): JsonObject => {
  const names = Object.keys(values).sort()
  return {
    names: names.slice(0, MAX_NAMES).map(name => startOf(name, MAX_NAME_LENGTH)),
    count: names.length,
  }
}

/** Returns an address as far as it is no secret: path and query are often what lets a caller in. */
export const originOf = (url: string): string => new URL(url).origin
