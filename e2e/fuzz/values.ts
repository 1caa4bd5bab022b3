import fc from 'fast-check'
import { z } from 'zod'
import { QUESTIONS } from './tenant.ts'

/** A schema as zod's JSON Schema, as far as it is read here. */
export type Shape = z.core.JSONSchema.BaseSchema

/** Returns the input that a route's schema accepts, as JSON Schema. */
export const shapeOf = (schema: z.ZodType): Shape =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

const text = (minLength: number, maxLength: number) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 12), unit: 'grapheme' }),
    },
    {
      weight: 1,
      arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40), unit: 'binary' }),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...QUESTIONS)
        .filter(({ length }) => length >= minLength && length <= maxLength),
    },
  )

const aTime = fc
  .integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) })
  .map(at => new Date(at).toISOString())

const soon = fc
  .integer({ min: 3_600_000, max: 86_400_000 })
  .map(ms => new Date(Date.now() + ms).toISOString())

const aWeek = fc.constantFrom(0, 1).map(days => new Date(Date.now() - days * 86_400_000).toISOString())

const jsonSchema = fc.oneof(
  fc.constant(null),
  fc.constant({ type: 'object', properties: { text: { type: 'string' } } }),
  fc.constant({
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^a+b?$' }] },
  }),
)

/** Values that a schema alone does not tell, by the name of the field: what leads deep into the code. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  start_time: fc.constant(new Date(Date.now() - 86_400_000).toISOString()),
  end_time: aWeek,
  expiresAt: fc.oneof(soon, soon, soon, aTime),
  environment: fc.constantFrom('sandbox', 'pre-release', 'live'),
  clientEnv: fc.constantFrom('sandbox', 'sandbox', 'sandbox', 'pre-release', 'live'),
  targetEnvironment: fc.constantFrom('pre-release', 'live'),
  limit: fc.integer({ min: 1, max: 20 }).map(String),
  offset: fc.integer({ min: 0, max: 3 }).map(String),
  wait: fc.constant('0'),
  hosts: fc.subarray(['localhost', 'example.com', 'https://example.org:8443', 'com.example.app']),
  url: fc.webUrl({ validSchemes: ['https'] }),
  content_url: fc.webUrl({ validSchemes: ['https'] }),
  preview_image_url: fc.oneof(fc.constant(''), fc.webUrl({ validSchemes: ['https'] })),
  schema: jsonSchema,
  message: fc.oneof(fc.constant('I want to pay'), fc.constantFrom(...QUESTIONS), text(0, 50)),
  event_id_location: fc.constantFrom('headers', 'querystring', 'payload'),
  path: fc.array(fc.constantFrom('topics', 'behavior', 'Payment own words', 'content', 'x'), {
    minLength: 1,
    maxLength: 3,
  }),
  permissions: fc.constant(undefined),
  region: fc.constant(undefined),
}

const anyJson = fc.jsonValue({ maxDepth: 3 })

/** Knowledge that the schemas lack. */
export interface Known {
  /** Values to use for fields of a name. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** Number of times that an optional field is left out, for each time that it is present. */
  readonly leftOut: number
}

/**
 * Values that a schema accepts. Where a name has no known values and the schema tells too little, its meaning is looked
 * up.
 */
export function valuesOf(shape: Shape, known: Known, name = ''): fc.Arbitrary<unknown> {
  const ids = known.values.get(name)
  if (ids !== undefined && ids.length > 0) {
    const one = fc.constantFrom(...ids)
    return shape.type === 'array' ? fc.uniqueArray(one, { minLength: 1, maxLength: 2 }) : one
  }
  const named = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  if (named !== undefined) return named
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (shape.const !== undefined) return fc.constant(shape.const)
  const union = shape.anyOf ?? shape.oneOf
  if (union !== undefined) return fc.oneof(...union.map(one => valuesOf(schemaOf(one), known)))
  if (shape.type === 'string') return textOf(shape)
  if (shape.type === 'boolean') return fc.boolean()
  if (shape.type === 'null') return fc.constant(null)
  if (shape.type === 'integer' || shape.type === 'number') return numberOf(shape)
  if (shape.type === 'array') return listOf(shape, known)
  if (shape.type === 'object') return objectOf(shape, known)
  return anyJson
}

/** A schema within a schema; `true`, and a list in the place of one, say nothing. */
const schemaOf = (schema: Shape | boolean | readonly unknown[] | undefined): Shape =>
  typeof schema !== 'object' || isList(schema) ? {} : schema

const isList = (schema: Shape | readonly unknown[]): schema is readonly unknown[] => Array.isArray(schema)

function textOf({ pattern, minLength = 0, maxLength = 1000 }: Shape): fc.Arbitrary<string> {
  if (pattern === undefined) return text(minLength, maxLength)
  // Found by trying: patterns may be unanchored, and some allow a great deal.
  return fc.stringMatching(new RegExp(pattern), { size: 'xsmall' }).filter(one => one.length <= maxLength)
}

const numberOf = ({ minimum = -1000, maximum = 100_000 }: Shape) =>
  fc.integer({ min: minimum, max: Math.min(maximum, 1_000_000) })

function listOf({ items, minItems = 0, maxItems = 5 }: Shape, known: Known) {
  return fc.array(valuesOf(schemaOf(items), known), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
  })
}

function objectOf(shape: Shape, known: Known): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = shape
  if (properties === undefined) {
    const values =
      additionalProperties === undefined ? anyJson : valuesOf(schemaOf(additionalProperties), known)
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), values, {
      maxKeys: 4,
      noNullPrototype: true,
    })
  }
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const value = valuesOf(schemaOf(field), known, name)
      return [
        name,
        required.includes(name)
          ? value
          : fc.oneof(
              { weight: known.leftOut, arbitrary: fc.constant(undefined) },
              { weight: 1, arbitrary: value },
            ),
      ]
    }),
  )
  return fc.record(fields, { noNullPrototype: true })
}
