import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../src/domain/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/domain/json.ts'
import { compileSchema } from '../../../src/domain/real-time-config/compile-schema.ts'

const name = fc.constantFrom('a', 'b', 'ab')
const small = fc.integer({ min: 0, max: 3 })
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, '', 'a', 'ab', '😀', '2026-02-28', '2026-02-30', 1.5, -1),
  small,
)
const { value } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const variables = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true })

const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string')
const names = fc.uniqueArray(name, { maxLength: 2 })
const { schema } = fc.letrec<{ schema: Json; below: Json; object: Json }>(tie => {
  const one = tie('schema')
  const some = fc.array(one, { minLength: 1, maxLength: 3 })
  const below = tie('below')
  const rules = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: canonicalJson }),
    const: value,
    ...{ maximum: small, minimum: small, exclusiveMaximum: small, exclusiveMinimum: small },
    multipleOf: fc.constantFrom(0.5, 1, 2),
    ...{ maxLength: small, minLength: small, maxItems: small, minItems: small },
    ...{ maxProperties: small, minProperties: small },
    pattern: fc.constantFrom('^a', 'b$'),
    format: fc.constantFrom('date', 'uri', 'regex'),
    uniqueItems: fc.boolean(),
    required: names,
    items: fc.oneof(below, fc.array(below, { minLength: 1, maxLength: 2 })),
    ...{ additionalItems: below, contains: below, additionalProperties: below },
    propertyNames: one,
    properties: fc.dictionary(name, below, { maxKeys: 3 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), below, { maxKeys: 2 }),
    dependencies: fc.dictionary(name, fc.oneof(one, names), { maxKeys: 2 }),
    ...{ allOf: some, anyOf: some, oneOf: some, not: one },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    ...{ if: one, then: one, else: one },
  }
  return {
    schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.boolean(), tie('object')),
    below: fc.oneof(one, fc.constantFrom<Json>({ $ref: '#' }, { $ref: '#/definitions/a' })),
    object: fc
      .subarray(Object.keys(rules), { maxLength: 3 })
      .chain(kept =>
        fc.record(Object.fromEntries(Object.entries(rules).filter(([rule]) => kept.includes(rule)))),
      ),
  }
})

/** Keywords whose argument may be anything, or what the meta-schema says; others have rules of ours beside it. */
const ARGUMENTS = [
  ...['type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems', 'maxProperties', 'minProperties'],
  ...['required', 'title', 'description', 'default', 'examples', 'readOnly', 'contentMediaType', '$comment'],
]

function isTaken(rules: JsonObject): boolean {
  try {
    compileSchema(rules)
    return true
  } catch {
    return false
  }
}

/** What another implementation of draft 7 says: it makes code of the schema. */
function fitsByAjv(root: JsonObject, candidate: JsonObject): boolean {
  const own = {
    strict: false,
    ownProperties: true,
    logger: false,
    meta: false,
    validateSchema: false,
  } as const
  const ajv = new Ajv({ ...own, formats: fullFormats })
  return ajv.validate(root, candidate)
}

const root = fc
  .tuple(schema, schema)
  .map(([rules, a]): JsonObject => ({ ...(isJsonObject(rules) ? rules : {}), definitions: { a } }))

test('AG64 what fits a schema is what fits by another implementation of draft 7', () => {
  const seen = { fits: 0, fails: 0 }
  fc.assert(
    fc.property(root, variables, (rules, candidate) => {
      const fits = compileSchema(rules)(candidate).length === 0
      seen[fits ? 'fits' : 'fails']++
      expect(fits).toBe(fitsByAjv(rules, candidate))
    }),
    { numRuns: 400 },
  )
  expect(Math.min(seen.fits, seen.fails)).toBeGreaterThan(5)
})

test('AG64 what is no schema is none by another implementation of draft 7', () => {
  const broken = fc
    .tuple(root, fc.constantFrom(...ARGUMENTS), value)
    .map(([rules, keyword, argument]): JsonObject => ({ ...rules, [keyword]: argument }))
  const ajv = new Ajv({ strict: false, logger: false })
  const seen = { refused: 0, taken: 0 }
  fc.assert(
    fc.property(broken, rules => {
      const taken = isTaken(rules)
      seen[taken ? 'taken' : 'refused']++
      expect(taken).toBe(ajv.validateSchema(rules))
    }),
    { numRuns: 400 },
  )
  expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(5)
})
