import * as z from 'zod'

/** Items and names that a list or a map has at most where its schema says nothing of it. */
const MOST_ITEMS = 10_000

/** A list or a map with more in it than is allowed. */
export interface TooLong {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

const { $ZodArray, $ZodObject, $ZodRecord, $ZodOptional, $ZodNullable, $ZodDefault, $ZodPrefault } = z.core
const { $ZodReadonly, $ZodPipe, $ZodUnknown } = z.core

type Wrapper =
  | z.core.$ZodOptional
  | z.core.$ZodNullable
  | z.core.$ZodDefault
  | z.core.$ZodPrefault
  | z.core.$ZodReadonly

/** True for a schema that says when the value of another one may be missing. */
export const isWrapper = (schema: z.core.$ZodType): schema is Wrapper =>
  schema instanceof $ZodOptional ||
  schema instanceof $ZodNullable ||
  schema instanceof $ZodDefault ||
  schema instanceof $ZodPrefault ||
  schema instanceof $ZodReadonly

/** Returns the schema under what says when a value may be missing, or what becomes of it. */
export function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (isWrapper(schema)) return bare(schema._zod.def.innerType)
  if (!(schema instanceof $ZodPipe)) return schema
  const { in: first, out } = schema._zod.def
  return bare(first instanceof $ZodUnknown ? out : first)
}

const tooLong = (path: readonly PropertyKey[], what: string, most: number): TooLong => ({
  path,
  message: `Too big: expected ${what === 'items' ? 'array' : 'record'} to have <=${most} ${what}`,
})

/** True for a map with more names than that: no more of them are looked at. */
function hasMore(map: object, most: number): boolean {
  let count = 0
  for (const _ in map) if (++count > most) return true
  return false
}

/**
 * Finds the first list or map in a value that is longer than its schema allows, without reading its items. A schema
 * checks all items before it counts them, and notes each error: a megabyte of invalid ones takes seconds.
 */
export function findTooLong(
  given: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[] = [],
): TooLong | null {
  if (typeof value !== 'object' || value === null) return null
  const schema = bare(given)
  if (schema instanceof $ZodArray && Array.isArray(value)) {
    const { maximum } = schema._zod.bag
    const most = typeof maximum === 'number' ? maximum : MOST_ITEMS
    if (value.length > most) return tooLong(path, 'items', most)
    return first(value.keys(), at => findTooLong(schema._zod.def.element, value[at], [...path, at]))
  }
  if (schema instanceof $ZodRecord && hasMore(value, MOST_ITEMS)) return tooLong(path, 'keys', MOST_ITEMS)
  if (!(schema instanceof $ZodObject)) return null
  const { shape } = schema._zod.def
  return first(Object.keys(shape), name => {
    const inner = shape[name]
    return inner === undefined || !Object.hasOwn(value, name)
      ? null
      : findTooLong(inner, Reflect.get(value, name), [...path, name])
  })
}

function first<Key>(keys: Iterable<Key>, find: (key: Key) => TooLong | null): TooLong | null {
  for (const key of keys) {
    const found = find(key)
    if (found !== null) return found
  }
  return null
}
