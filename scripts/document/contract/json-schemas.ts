import * as z from 'zod'

/** A JSON Schema of 2020-12, or a part of a document. */
export type JsonObject = { readonly [name: string]: unknown }

const DEFS = '#/$defs/'
const COMPONENTS = '#/components/schemas/'

/** Name that zod gives to the only recursive shape without an id. */
const JSON_VALUE = '__schema0'

const nameOf = (def: string): string => (def === JSON_VALUE ? 'Json' : def)

/** Schemas of values that come as text, for rules that only code expresses. */
export type Overrides = ReadonlyMap<unknown, JsonObject>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The bounds of what JavaScript counts exactly, which say nothing of a field. */
const SAFE: ReadonlySet<unknown> = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])

/** The same with references to the components, and without what says nothing to readers of a document. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if ((name === '$schema' || name === 'id') && typeof inner === 'string') return []
      if (name === 'readOnly' && inner === true) return []
      if ((name === 'maximum' || name === 'minimum') && SAFE.has(inner)) return []
      if (name === '$ref' && typeof inner === 'string')
        return [[name, `${COMPONENTS}${nameOf(inner.replace(DEFS, ''))}`]]
      return [[name, cleaned(inner)]]
    }),
  )
}

/**
 * Leaves the items of a component's own arrays of itself open, which for any JSON value means the same. TypeScript cannot
 * name such an array where it declares the component as a property, as openapi-typescript does.
 */
function withOpenArrays(name: string, def: JsonObject): JsonObject {
  if (!Array.isArray(def.anyOf)) return def
  const isOfItself = (one: unknown): boolean =>
    isObject(one) && isObject(one.items) && one.items.$ref === `${COMPONENTS}${name}`
  return { ...def, anyOf: def.anyOf.map(one => (isOfItself(one) ? { ...one, items: {} } : one)) }
}

/** Schemas as a document has them: those with an id among its components, each once. */
export class Components {
  readonly #named = new Map<string, JsonObject>()

  /**
   * A schema of what is sent (`input`) or of what is made of it (`output`).
   *
   * @throws Error when two shapes have one id
   */
  schema(schema: z.ZodType, io: 'input' | 'output' = 'input', overrides: Overrides = new Map()): JsonObject {
    const json: JsonObject = z.toJSONSchema(z.object({ schema }), {
      io,
      unrepresentable: 'any',
      reused: 'inline',
      override({ zodSchema, jsonSchema }) {
        const own = overrides.get(zodSchema)
        if (own === undefined) return
        for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name)
        Object.assign(jsonSchema, own)
      },
    })
    const defs = isObject(json.$defs) ? json.$defs : {}
    for (const [name, def] of Object.entries(defs)) this.#add(nameOf(name), cleaned(def))
    const properties = isObject(json.properties) ? json.properties : {}
    const made = cleaned(properties.schema)
    return isObject(made) ? made : {}
  }

  #add(name: string, def: unknown): void {
    if (!isObject(def)) return
    const known = this.#named.get(name)
    const opened = withOpenArrays(name, def)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(opened))
      throw new Error(`Two schemas have the id ${name}.`)
    this.#named.set(name, opened)
  }

  /** All that have an id, by id. */
  named(): JsonObject {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}
