import { isJsonArray, isJsonObject, type Json } from '../json.ts'

/** Keywords whose value is a schema. */
const ONE = new Set([
  ...['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames'],
  ...['not', 'if', 'then', 'else'],
])
/** Keywords whose value is, or may be, a list of schemas. */
const LISTS = new Set(['items', 'allOf', 'anyOf', 'oneOf'])
/** Keywords whose value holds schemas by name; a dependency may be a list of names instead. */
const MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies'])

/** Keywords that apply their schemas to the same value, and not to a part of it. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependencies'],
])

/** Keywords of draft 7 that say something about a schema and nothing about values. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['readOnly', 'writeOnly', 'contentMediaType', 'contentEncoding'],
])

/** Keywords of draft 7 that values have to fit. */
export const ASSERTIONS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'format', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties'],
  ...['minProperties', 'required', '$ref'],
  ...[...ONE, ...LISTS, ...MAPS].filter(keyword => keyword !== 'definitions'),
])

/** Names that authors of schemas may use freely, for example for hints to a form. */
export const isFreeKeyword = (keyword: string): boolean => keyword.startsWith('x-')

/**
 * Returns the value of a keyword with each schema in it replaced by what `visit` makes of it. `path` leads from the
 * keyword to the schema. What holds no schema stays as it is.
 */
export function mapSubschemas(
  keyword: string,
  value: Json,
  visit: (schema: Json, path: readonly string[]) => Json,
): Json {
  if (isJsonArray(value))
    return LISTS.has(keyword) ? value.map((schema, index) => visit(schema, [String(index)])) : value
  if (ONE.has(keyword)) return visit(value, [])
  if (!MAPS.has(keyword) || !isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, schema]) => {
    return [name, isJsonArray(schema) ? schema : visit(schema, [name])] as const
  })
  return Object.fromEntries(entries)
}
