import fc from 'fast-check'
import type { Schema } from './document.ts'

/** Values that fit a JSON Schema, as far as it says what fits. */

/** Levels that a schema which holds itself is followed. */
const DEEPEST = 9

/** Values of fields whose meaning no schema states, one or several, by name. */
export type Known = ReadonlyMap<string, readonly string[]>

interface Ground {
  readonly components: Readonly<Record<string, Schema>>
  readonly known: Known
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemaAt = (value: unknown): Schema => (isSchema(value) ? value : {})

const numberAt = (schema: Schema, name: string, otherwise: number): number => {
  const value = schema[name]
  return typeof value === 'number' ? value : otherwise
}

function texts(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map(date => date.toISOString())
  if (schema.format === 'uri') return fc.webUrl({ validSchemes: ['https'] })
  if (typeof schema.pattern === 'string') {
    const [shortest, longest] = [numberAt(schema, 'minLength', 0), numberAt(schema, 'maxLength', Infinity)]
    return fc
      .stringMatching(new RegExp(schema.pattern))
      .filter(text => text.length >= shortest && text.length <= longest)
  }
  const minLength = numberAt(schema, 'minLength', 0)
  const maxLength = Math.min(numberAt(schema, 'maxLength', minLength + 20), minLength + 20)
  return fc.string({ minLength, maxLength })
}

function objects(schema: Schema, ground: Ground, depth: number): fc.Arbitrary<unknown> {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const named = Object.entries(schemaAt(schema.properties)).map(([name, inner]) => {
    const values = ground.known.get(name) ?? []
    const schema = schemaAt(inner)
    if (values.length === 0) return [name, fitsWithin(schema, ground, depth + 1)] as const
    const several = fc.subarray([...values], { minLength: 1 })
    return [name, schema.type === 'array' ? several : fc.constantFrom(...values)] as const
  })
  const fields = fc.record(Object.fromEntries(named), {
    requiredKeys: named.map(([name]) => name).filter(name => required.includes(name)),
  })
  if (!isSchema(schema.additionalProperties)) return fields
  const keys = texts(schemaAt(schema.propertyNames)).filter(name => name !== '__proto__')
  const more = fitsWithin(schema.additionalProperties, ground, depth + 1)
  return fc
    .tuple(fc.dictionary(keys, more, { maxKeys: 3 }), fields)
    .map(([one, other]) => ({ ...one, ...other }))
}

function fitsWithin(schema: Schema, ground: Ground, depth: number): fc.Arbitrary<unknown> {
  if (depth > DEEPEST) return fc.constant(null)
  const { $ref, type } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return fitsWithin(ground.components[name] ?? {}, ground, depth + 1)
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices: unknown = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return fc.oneof(...choices.map(one => fitsWithin(schemaAt(one), ground, depth)))
  if (Array.isArray(type))
    return fc.oneof(...type.map(one => fitsWithin({ ...schema, type: one }, ground, depth)))
  switch (type) {
    case 'string':
      return texts(schema)
    case 'integer': {
      const min = numberAt(schema, 'minimum', 0)
      return fc.integer({ min, max: Math.min(numberAt(schema, 'maximum', min + 1_000), 2_000_000_000) })
    }
    case 'number':
      return fc.double({
        min: numberAt(schema, 'minimum', -1e6),
        max: numberAt(schema, 'maximum', 1e6),
        noNaN: true,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const minLength = numberAt(schema, 'minItems', 0)
      const maxLength = Math.min(numberAt(schema, 'maxItems', minLength + 3), minLength + 3)
      return fc.array(fitsWithin(schemaAt(schema.items), ground, depth + 1), { minLength, maxLength })
    }
    case 'object':
      return objects(schema, ground, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Values that fit the schema. */
export const fitting = (
  schema: Schema,
  components: Readonly<Record<string, Schema>>,
  known: Known,
): fc.Arbitrary<unknown> => fitsWithin(schema, { components, known }, 0)

/** Values that seldom fit in place of others. */
const odd = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 1e21, '', ' ', 'x', 'x'.repeat(70_000), [], [[]], {}, { x: {} }, ['x', 1]],
)

/** The same with one place, up to three levels deep, missing or holding something odd. */
export const nearly = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), fc.option(odd))
    .map(([whole, way, other]) => {
      const copy: unknown = structuredClone(whole)
      let at: unknown = copy
      for (const [step, choice] of way.entries()) {
        if (typeof at !== 'object' || at === null) break
        const names = Object.keys(at)
        const name = names[choice % Math.max(1, names.length)]
        if (name === undefined) break
        const inner: unknown = Reflect.get(at, name)
        const isLast = step === way.length - 1 || typeof inner !== 'object' || inner === null
        if (!isLast) at = inner
        else if (other === null) Reflect.deleteProperty(at, name)
        else Reflect.set(at, name, other)
        if (isLast) break
      }
      return copy
    })
