import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.ts'
import { pointerOf } from '../plain-json.ts'
import { FORMATS } from './formats.ts'
import { ANNOTATIONS, ASSERTIONS, IN_PLACE, isFreeKeyword, mapSubschemas } from './keywords.ts'
import { createPatternSet, type Pattern } from './patterns.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from './real-time-config.ts'

/** The keyword that stands in every prepared schema: what its own rules cost, for the meter. */
export const STEP = 'x-step'

/** A schema that may be compiled: nothing in it reaches outside or runs for ever. */
export interface PreparedSchema {
  readonly schema: JsonObject
  /** Every regular expression in it, by its source. */
  readonly patterns: ReadonlyMap<string, Pattern>
}

/** A schema within a schema. */
interface Subschema {
  readonly schema: Json
  /** Pointers of the schemas that apply to the same value. */
  readonly inPlace: readonly string[]
}

type Subschemas = ReadonlyMap<string, Subschema>

const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

/**
 * Checks what the meta-schema of draft 7 leaves open, and rewrites the schema so that compiling it is safe: references
 * become names in `definitions`, annotations go, and every schema is metered. The schema must fit the meta-schema.
 *
 * @returns the prepared schema, or what is wrong with it: at most `LIMITS.problems` places
 */
export function prepareSchema(root: JsonObject): PreparedSchema | readonly string[] {
  const nodes = collect(root)
  if (nodes.size > LIMITS.subschemas) {
    return [`holds ${nodes.size} schemas; at most ${LIMITS.subschemas} are allowed`]
  }
  const patterns = createPatternSet()
  const problems: string[] = []
  for (const [pointer, { schema }] of nodes) {
    if (!isJsonObject(schema)) continue
    for (const [keyword, value] of Object.entries(schema)) {
      const reasons = check(keyword, value, { pointer, schema, nodes, add: patterns.add })
      problems.push(...reasons.map(reason => `"${pointer}/${pointerOf([keyword]).slice(1)}" ${reason}`))
      if (problems.length >= LIMITS.problems) return problems.slice(0, LIMITS.problems)
    }
  }
  if (problems.length > 0) return problems
  const circle = findCircle(nodes)
  if (circle !== null) return [`"${circle}" refers to itself for the same value, without an end`]
  return { schema: rebuild(root, nodes), patterns: patterns.patterns }
}

/** Every schema in a schema, itself included, by its JSON pointer. */
function collect(root: JsonObject): Subschemas {
  const nodes = new Map<string, Subschema>()
  const visit = (schema: Json, pointer: string): void => {
    const inPlace: string[] = []
    nodes.set(pointer, { schema, inPlace })
    if (!isJsonObject(schema)) return
    const target = targetOf(schema)
    if (target !== null) inPlace.push(target)
    for (const [keyword, value] of Object.entries(schema)) {
      mapSubschemas(keyword, value, (inner, path) => {
        const at = pointer + pointerOf([keyword, ...path])
        if (IN_PLACE.has(keyword)) inPlace.push(at)
        visit(inner, at)
        return inner
      })
    }
  }
  visit(root, '')
  return nodes
}

/** Returns the pointer that a `$ref` holds; null without one, and for one that leads out of the schema. */
function targetOf({ $ref }: JsonObject): string | null {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return null
  try {
    return decodeURIComponent($ref.slice(1))
  } catch {
    return null
  }
}

interface Place {
  readonly pointer: string
  readonly schema: JsonObject
  readonly nodes: Subschemas
  /** Adds a regular expression to those of the schema. */
  add(source: string): string | null
}

/** Returns the errors in one keyword of one schema. */
function check(keyword: string, value: Json, { pointer, schema, nodes, add }: Place): readonly string[] {
  switch (keyword) {
    case '$schema':
      if (typeof value === 'string' && DRAFT_7.test(value)) return []
      return ['must be "http://json-schema.org/draft-07/schema#": other drafts are not supported']
    case '$id':
      return pointer === '' ? [] : ['is allowed at the root of the schema alone']
    case '$ref':
      return checkReference(schema, nodes)
    case 'format':
      if (typeof value === 'string' && Object.hasOwn(FORMATS, value)) return []
      return [`must be one of ${Object.keys(FORMATS).join(', ')}`]
    case 'pattern':
      return typeof value === 'string' ? [add(value)].filter(reason => reason !== null) : []
    case 'patternProperties':
      return isJsonObject(value)
        ? Object.keys(value).flatMap(source => {
            const reason = add(source)
            return reason === null ? [] : [`has the key "${source}", which ${reason}`]
          })
        : []
    default:
      if (ASSERTIONS.has(keyword) || ANNOTATIONS.has(keyword) || isFreeKeyword(keyword)) return []
      return ['is not a keyword of JSON Schema draft 7; names of your own must begin with "x-"']
  }
}

function checkReference(schema: JsonObject, nodes: Subschemas): readonly string[] {
  const target = targetOf(schema)
  if (target === null || !nodes.has(target))
    return ['must be "#", or "#/" and the path of a schema within this schema: nothing else is ever read']
  const ignored = Object.keys(schema).filter(name => name !== '$ref' && ASSERTIONS.has(name))
  if (ignored.length === 0) return []
  return [`makes draft 7 ignore ${ignored.join(', ')} beside it: put the reference into "allOf"`]
}

/**
 * Returns a schema from which a chain of schemas for the same value leads back to itself; null without such a cycle.
 */
function findCircle(nodes: Subschemas): string | null {
  const state = new Map<string, 'open' | 'done'>()
  const visit = (pointer: string): string | null => {
    if (state.get(pointer) === 'done') return null
    if (state.get(pointer) === 'open') return pointer
    state.set(pointer, 'open')
    for (const next of nodes.get(pointer)?.inPlace ?? []) {
      const found = visit(next)
      if (found !== null) return found
    }
    state.set(pointer, 'done')
    return null
  }
  for (const pointer of nodes.keys()) {
    const found = visit(pointer)
    if (found !== null) return found === '' ? '#' : found
  }
  return null
}

/** Returns the schema with every reference as a name in `definitions`, without annotations, and metered. */
function rebuild(root: JsonObject, nodes: Subschemas): JsonObject {
  const names = new Map<string, string>()
  for (const { schema } of nodes.values()) {
    const target = isJsonObject(schema) ? targetOf(schema) : null
    if (target !== null && !names.has(target))
      names.set(target, target === '' ? '#' : `#/definitions/${names.size}`)
  }

  const copy = (schema: Json, pointer: string): Json => {
    if (!isJsonObject(schema)) return schema
    const target = targetOf(schema)
    const kept = Object.entries(schema).filter(([keyword]) => keyword !== '$ref' && ASSERTIONS.has(keyword))
    const rules = kept.map(([keyword, value]) => {
      const inner = mapSubschemas(keyword, value, (sub, path) =>
        place(sub, pointer + pointerOf([keyword, ...path])),
      )
      return [keyword, inner] as const
    })
    const reference = target === null ? {} : { $ref: names.get(target) ?? '#' }
    return { [STEP]: weightOf(schema), ...Object.fromEntries(rules), ...reference }
  }
  const place = (schema: Json, pointer: string): Json => {
    const name = names.get(pointer)
    return name === undefined ? copy(schema, pointer) : { $ref: name }
  }

  const definitions = [...names].flatMap(([pointer, name]) =>
    pointer === ''
      ? []
      : [[name.replace('#/definitions/', ''), copy(nodes.get(pointer)?.schema ?? true, pointer)] as const],
  )
  const prepared = copy(root, '')
  return { ...(isJsonObject(prepared) ? prepared : {}), definitions: Object.fromEntries(definitions) }
}

/** Returns the cost of the rules of one schema, without those of the schemas in it. */
function weightOf({ enum: _, const: __, ...schema }: JsonObject): number {
  const rules = Object.entries(schema).filter(([keyword]) => ASSERTIONS.has(keyword))
  const sizes = rules.map(([, value]) =>
    isJsonArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 1,
  )
  return sizes.reduce((sum, size) => sum + size, 1)
}
