import type { Json, JsonObject } from './json.ts'

/** The parameters of a tool as every provider of language models accepts them, or why there are none such. */
export type ToolSchema = { readonly schema: JsonObject } | { readonly problem: string }

class Unfit extends Error {
  override readonly name = 'Unfit'
}

const TYPES: readonly Json[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
const DEEPEST = 32
/** Providers refuse unions and conditions at the top. What calls the function checks them all the same. */
const NOT_AT_TOP = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  '$ref',
  '$schema',
]
/** Each of these holds schemas by name. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const SINGLE = ['additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
const OPEN = ['additionalItems', 'unevaluatedItems', 'unevaluatedProperties']
const WORDS = ['description', 'title', '$comment', 'format']
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isNames = (value: Json | undefined): value is readonly string[] =>
  isList(value) && value.every(one => typeof one === 'string')
const own = (value: Json | undefined, key: string): Json | undefined =>
  (isObject(value) || isList(value)) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

/**
 * Makes the parameters of a function what strict providers accept: an object with `properties` and without unions at
 * the top, whose keywords are valid everywhere. A provider refuses each turn because of one tool that is not (FN2).
 */
export function toolSchema(parameters: JsonObject): ToolSchema {
  try {
    return { schema: topLevel(parameters) }
  } catch (error) {
    if (error instanceof Unfit) return { problem: error.message }
    throw error
  }
}

function topLevel(root: JsonObject): JsonObject {
  const parts = [...branches(root, root, 0)]
  const properties = new Map<string, Json>()
  // The first to describe a property is the outermost.
  for (const { schema } of parts)
    for (const [name, described] of Object.entries(own(schema, 'properties') ?? {}))
      if (!properties.has(name)) properties.set(name, described)
  const required = parts.flatMap(({ schema, holds }) => {
    const names = own(schema, 'required')
    return holds && isNames(names) ? names : []
  })
  const types = [root.type ?? 'object'].flat()
  if (!types.includes('object')) throw new Unfit('"type" at the top must be "object"')
  const kept = Object.entries(root).filter(([key]) => !NOT_AT_TOP.includes(key))
  const schema = { ...Object.fromEntries(kept), properties: Object.fromEntries(properties) }
  const all = [...new Set(required)]
  return accepted({ ...schema, type: 'object', ...(all.length > 0 && { required: all }) }, root, '', 0)
}

/** Returns the schema itself and the members of its unions; of what `holds`, the required properties are required. */
function* branches(
  schema: Json | undefined,
  root: JsonObject,
  depth: number,
  holds = true,
): Generator<{ readonly schema: JsonObject; readonly holds: boolean }> {
  if (!isObject(schema)) return
  if (depth > DEEPEST) throw tooDeep()
  yield { schema, holds }
  if (typeof schema.$ref === 'string') yield* branches(pointedAt(schema.$ref, root), root, depth + 1, holds)
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const member of listAt(schema, key))
      yield* branches(member, root, depth + 1, holds && key === 'allOf')
}

const listAt = (schema: JsonObject, key: string): readonly Json[] => {
  const list = own(schema, key)
  return isList(list) ? list : []
}

const tooDeep = (): Unfit => new Unfit(`it nests deeper than ${DEEPEST} levels`)

/** Returns the target of a reference within the same schema. */
function pointedAt(reference: string, root: JsonObject): Json {
  const parts = reference.split('/').slice(1)
  const found = parts.reduce<Json | undefined>(
    (at, part) => own(at, part.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  )
  if (!/^#(?:\/|$)/.test(reference) || found === undefined)
    throw new Unfit(`"$ref" ${JSON.stringify(reference)} leads nowhere`)
  return found
}

function accepted(schema: Json, root: JsonObject, path: string, depth: number): JsonObject {
  if (depth > DEEPEST) throw tooDeep()
  if (schema === true) return {}
  if (schema === false) return { not: {} }
  if (!isObject(schema)) throw new Unfit(`${path} is no schema`)
  const lifted = withRequired(schema)
  const entries = Object.entries(lifted).flatMap(([key, value]) => {
    const fitting = keyword(key, value, { root, path: `${path}/${key}`, depth })
    return fitting === undefined ? [] : [[key, fitting] as const]
  })
  const fitted: JsonObject = Object.fromEntries(entries)
  // Providers refuse an array whose items are of no kind, and a required property that is not described.
  const items = [fitted.type].flat().includes('array') && fitted.items === undefined ? { items: {} } : {}
  if (!isObject(fitted.properties) || !isNames(fitted.required)) return { ...fitted, ...items }
  const told = fitted.properties
  const missing = fitted.required.filter(name => !Object.hasOwn(told, name)).map(name => [name, {}] as const)
  return { ...fitted, ...items, properties: { ...told, ...Object.fromEntries(missing) } }
}

/** `required` is often written one level too deep, among the properties. */
function withRequired(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema
  if (!isObject(properties) || !isNames(own(properties, 'required'))) return schema
  const { required = [], ...others } = properties
  return { required, ...rest, properties: others }
}

/** A place in a schema: the whole of it, the path from there, and how deep that is. */
interface Place {
  readonly root: JsonObject
  readonly path: string
  readonly depth: number
}

/** Returns a keyword's value; undefined for one that says nothing and is left out. */
function keyword(key: string, value: Json | undefined, { root, path, depth }: Place): Json | undefined {
  if (value === undefined || (value === null && !['default', 'const'].includes(key))) return undefined
  const deeper = (one: Json, at = ''): JsonObject => accepted(one, root, `${path}${at}`, depth + 1)
  if (MAPS.includes(key)) {
    if (!isObject(value)) throw new Unfit(`${path} must hold schemas by name`)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deeper(one, `/${name}`)]))
  }
  if (LISTS.includes(key)) {
    if (!isList(value) || value.length === 0) throw new Unfit(`${path} must be a list of schemas`)
    return value.map((one, at) => deeper(one, `/${at}`))
  }
  if (key === 'items') return isList(value) ? anyOf(value.map(one => deeper(one))) : deeper(value)
  if (SINGLE.includes(key) || OPEN.includes(key)) return typeof value === 'boolean' ? value : deeper(value)
  return simple(key, value, root, path)
}

const anyOf = (members: readonly JsonObject[]): JsonObject => (members.length === 0 ? {} : { anyOf: members })

function simple(key: string, value: Json, root: JsonObject, path: string): Json | undefined {
  if (key === 'type') {
    const types = [value].flat()
    if (types.length === 0 || !types.every(one => TYPES.includes(one)))
      throw new Unfit(`${path} ${JSON.stringify(value)} is no type`)
    return value
  }
  if (key === 'enum' && !(isList(value) && value.length > 0))
    throw new Unfit(`${path} must be a list of values`)
  if (key === 'required') {
    // Earlier drafts said it of each property, with true or false.
    if (typeof value === 'boolean') return undefined
    if (!isNames(value)) throw new Unfit(`${path} must be a list of names`)
    return [...new Set(value)]
  }
  if (key === '$ref') {
    if (typeof value !== 'string') throw new Unfit(`${path} must be a reference`)
    pointedAt(value, root)
  }
  if (WORDS.includes(key) && typeof value !== 'string') return undefined
  if ([...NUMBERS, ...COUNTS].includes(key) && typeof value !== 'number') return undefined
  return key === 'pattern' && !isPattern(value) ? undefined : value
}

function isPattern(value: Json): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}
