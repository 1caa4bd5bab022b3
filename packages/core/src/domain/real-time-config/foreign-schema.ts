import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { compileSchema, type SchemaCheck } from './compile-schema.ts'
import { FORMATS } from './formats.ts'
import { ASSERTIONS, mapSubschemas } from './keywords.ts'
import { createPatternSet } from './patterns.ts'

/** Keywords of later drafts that are written otherwise in draft 7. */
const RENAMED: Readonly<Record<string, string>> = { $defs: 'definitions', dependentSchemas: 'dependencies' }

const REFERENCE = '#/$defs/'

/** Reports whether a pattern can be checked in linear time. */
type TakesPattern = (source: string) => boolean

/**
 * Returns a keyword as draft 7 has it; null for one that is left out, because draft 7 does not know it or it cannot be
 * checked.
 */
function keywordOf(keyword: string, value: Json, takes: TakesPattern): readonly [string, Json] | null {
  const name = RENAMED[keyword] ?? keyword
  if (name === '$ref' && typeof value === 'string')
    return [name, value.startsWith(REFERENCE) ? `#/definitions/${value.slice(REFERENCE.length)}` : value]
  if (name === 'pattern') return typeof value === 'string' && !takes(value) ? null : [name, value]
  if (name === 'format')
    return typeof value === 'string' && Object.hasOwn(FORMATS, value) ? [name, value] : null
  if (name === 'patternProperties' && isJsonObject(value))
    return [name, Object.fromEntries(Object.entries(value).filter(([source]) => takes(source)))]
  // A keyword of draft 4, where it is a flag.
  if (name.startsWith('exclusive') && typeof value === 'boolean') return null
  return name === 'definitions' || ASSERTIONS.has(name) ? [name, value] : null
}

/** Joins keywords that later drafts split in two into the single one of draft 7. */
function joined({ prefixItems, dependentRequired, ...schema }: JsonObject): JsonObject {
  const { items, dependencies } = schema
  const tuple =
    prefixItems !== undefined && isJsonArray(prefixItems)
      ? { items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) }
      : {}
  const needs =
    dependentRequired !== undefined && isJsonObject(dependentRequired)
      ? {
          dependencies: {
            ...(dependencies !== undefined && isJsonObject(dependencies) ? dependencies : {}),
            ...dependentRequired,
          },
        }
      : {}
  return { ...schema, ...tuple, ...needs }
}

function translate(schema: Json, takes: TakesPattern): Json {
  if (!isJsonObject(schema)) return schema
  const entries = Object.entries(joined(schema)).flatMap(([keyword, value]): [string, Json][] => {
    const made = keywordOf(keyword, value, takes)
    if (made === null) return []
    const [name, kept] = made
    return [[name, mapSubschemas(name, kept, inner => translate(inner, takes))]]
  })
  const { $ref, definitions, ...rest } = Object.fromEntries(entries)
  const shared = definitions === undefined ? {} : { definitions }
  if ($ref === undefined) return { ...rest, ...shared }
  // Draft 7 reads nothing beside a reference.
  return Object.keys(rest).length === 0 ? { $ref, ...shared } : { allOf: [{ $ref }, rest], ...shared }
}

/**
 * Compiles a JSON Schema of any draft that somebody else has written, with the bounds of {@link compileSchema}: no
 * check takes more than so many steps, and expressions take linear time. Keywords that draft 7 does not know, formats
 * that are not known and expressions that RE2 does not know say nothing.
 *
 * @throws REAL_TIME_CONFIG_INVALID_SCHEMA for what is no schema, or too large
 */
export function compileForeignSchema(schema: JsonObject): SchemaCheck {
  const { add } = createPatternSet()
  const translated = translate(schema, source => add(source) === null)
  return compileSchema(isJsonObject(translated) ? translated : {})
}
