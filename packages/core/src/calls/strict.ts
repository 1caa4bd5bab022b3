import * as z from 'zod'
import { bare, isWrapper } from '../domain/too-long.ts'

const { $ZodArray, $ZodObject, $ZodPipe, $ZodLazy, $ZodRecord } = z.core

type Schema = z.core.$ZodType

/** Returns the schemas of an object's fields; null for what is no object of named fields. */
export function fieldsOf(schema: Schema): Readonly<Record<string, Schema>> | null {
  const inner = bare(schema)
  return inner instanceof $ZodObject ? inner._zod.def.shape : null
}

/** Returns the schema of a list's items; null for what is no list. */
export function itemsOf(schema: Schema): Schema | null {
  const inner = bare(schema)
  return inner instanceof $ZodArray ? inner._zod.def.element : null
}

/** True for a schema that looks into values however deep they go: it would follow a circular one for ever. */
export function isBottomless(schema: Schema): boolean {
  if (schema instanceof $ZodLazy) return true
  const inner = bare(schema)
  if (inner !== schema) return isBottomless(inner)
  if (schema instanceof $ZodObject) return Object.values(schema._zod.def.shape).some(isBottomless)
  if (schema instanceof $ZodRecord) return isBottomless(schema._zod.def.valueType)
  return schema instanceof $ZodArray && isBottomless(schema._zod.def.element)
}

/** Returns the schema at a place, through lists too; null if there is none. */
export const schemaAt = (schema: Schema, path: readonly PropertyKey[]): Schema | null =>
  path.reduce<Schema | null>((at, key) => {
    if (at === null) return null
    return typeof key === 'number' ? itemsOf(at) : (fieldsOf(at)?.[String(key)] ?? null)
  }, schema)

/** Returns the same schema, whose objects take no other fields than theirs, at any depth (EM8). */
export function strictly<Given extends Schema>(schema: Given): Given
export function strictly(schema: Schema): Schema {
  if (schema instanceof $ZodObject) {
    const own = schema._zod.def
    const shape = Object.fromEntries(Object.entries(own.shape).map(([name, one]) => [name, strictly(one)]))
    return z.core.clone(schema, { ...own, shape, catchall: own.catchall ?? z.never() })
  }
  if (schema instanceof $ZodArray) {
    const own = schema._zod.def
    return z.core.clone(schema, { ...own, element: strictly(own.element) })
  }
  if (schema instanceof $ZodPipe) {
    const own = schema._zod.def
    return z.core.clone(schema, { ...own, in: strictly(own.in), out: strictly(own.out) })
  }
  if (isWrapper(schema)) {
    const own = schema._zod.def
    return z.core.clone(schema, { ...own, innerType: strictly(own.innerType) })
  }
  return schema
}
