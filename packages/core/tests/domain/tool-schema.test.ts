import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolSchema } from '../../src/domain/tool-schema.ts'
import type { Json, JsonObject } from '../../src/index.ts'

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What strict providers say against a schema, as they document it; null for nothing. */
function refusal(schema: unknown, top = true): string | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'not a schema'
  const at = (key: string): unknown => Reflect.get(schema, key)
  if (top && at('type') !== 'object') return 'not of type object'
  if (top && at('properties') === undefined) return 'no properties'
  if (top)
    for (const key of ['oneOf', 'anyOf', 'allOf', 'enum', 'not'])
      if (key in schema) return `${key} at the top`
  for (const type of [at('type')].flat())
    if (type !== undefined && !TYPES.includes(String(type))) return `type ${type}`
  if ([at('type')].flat().includes('array') && at('items') === undefined) return 'no items'
  const required = at('required') ?? []
  if (!Array.isArray(required) || !required.every(name => typeof name === 'string')) return 'required'
  const properties = at('properties') ?? {}
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return 'properties'
  if ('properties' in schema && !required.every(name => Object.hasOwn(properties, name))) return 'undescribed'
  const members: unknown[] = [at('anyOf') ?? [], at('oneOf') ?? [], at('allOf') ?? []].flat()
  const items = at('items') === undefined ? [] : [at('items')]
  const problems = [...Object.values(properties), ...members, ...items].map(one => refusal(one, false))
  return problems.find(one => one !== null) ?? null
}

const fitted = (parameters: JsonObject): Json => {
  const made = toolSchema(parameters)
  return 'schema' in made ? made.schema : made.problem
}

const A = { type: 'string' } as const

describe('parameters for providers', () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ['nothing', {}, { type: 'object', properties: {} }],
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['properties of null', { type: 'object', properties: null }, { type: 'object', properties: {} }],
    ['a nullable object', { type: ['object', 'null'] }, { type: 'object', properties: {} }],
    [
      'required alternatives',
      { type: 'object', properties: { a: A }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { a: A } },
    ],
    [
      'a union of objects',
      {
        oneOf: [{ type: 'object', properties: { a: A }, required: ['a'] }, { $ref: '#/$defs/B' }],
        $defs: { B: { properties: { b: A } } },
      },
      { type: 'object', properties: { a: A, b: A }, $defs: { B: { properties: { b: A } } } },
    ],
    [
      'an intersection',
      { allOf: [{ properties: { a: A }, required: ['a'] }], properties: { b: A } },
      { type: 'object', properties: { a: A, b: A }, required: ['a'] },
    ],
    [
      'required among the properties',
      { type: 'object', properties: { coin: A, required: ['coin'] } },
      { type: 'object', properties: { coin: A }, required: ['coin'] },
    ],
    [
      'a required property that is not described',
      { type: 'object', required: ['a'] },
      { type: 'object', properties: { a: {} }, required: ['a'] },
    ],
    [
      'drafts and nulls',
      {
        type: 'object',
        properties: { a: { type: 'string', required: true, description: null, minLength: '1' } },
      },
      { type: 'object', properties: { a: A } },
    ],
    [
      'arrays',
      { type: 'object', properties: { a: { type: 'array' }, b: { type: 'array', items: [A, true] } } },
      {
        type: 'object',
        properties: { a: { type: 'array', items: {} }, b: { type: 'array', items: { anyOf: [A, {}] } } },
      },
    ],
  ])('FN2 %s become what strict providers accept', (_, parameters, wanted) => {
    expect(fitted(parameters)).toEqual(wanted)
    expect(refusal(fitted(parameters))).toBeNull()
  })

  it.each<readonly [string, JsonObject, string]>([
    ['an unknown type', { properties: { a: { type: 'int' } } }, '/properties/a/type "int" is no type'],
    ['another top', { type: 'array' }, '"type" at the top must be "object"'],
    ['a property that is no schema', { properties: { a: ['x'] } }, '/properties/a is no schema'],
    [
      'properties that are a list',
      { properties: { a: { properties: [] } } },
      '/properties/a/properties must hold schemas by name',
    ],
    [
      'an enum that is no list',
      { properties: { a: { enum: 'x' } } },
      '/properties/a/enum must be a list of values',
    ],
    [
      'a reference that leads nowhere',
      { properties: { a: { $ref: '#/$defs/A' } } },
      '"$ref" "#/$defs/A" leads nowhere',
    ],
    [
      'a reference to elsewhere',
      { properties: { a: { $ref: 'https://example.com/a' } } },
      '"$ref" "https://example.com/a" leads nowhere',
    ],
    ['required that are no names', { required: [1] }, '/required must be a list of names'],
  ])('FN2 %s cannot be made so, and the place is named', (_, parameters, problem) => {
    expect(toolSchema(parameters)).toEqual({ problem })
  })

  it('FN2 what turns in circles or nests too deep is refused', () => {
    const deep = Array.from({ length: 5_000 }).reduce<JsonObject>(items => ({ type: 'array', items }), A)
    const tooDeep = { problem: 'it nests deeper than 32 levels' }
    expect(toolSchema({ properties: { deep } })).toEqual(tooDeep)
    expect(toolSchema({ $ref: '#' })).toEqual(tooDeep)
    const tree = { type: 'object', properties: { next: { $ref: '#' } } } as const
    expect(toolSchema(tree)).toEqual({ schema: tree })
  })

  it('FN2 whatever a schema is, it is accepted by providers or refused, and never throws', () => {
    const leaf = fc.constantFrom<Json>(
      null,
      true,
      'string',
      'int',
      'object',
      'array',
      1,
      '#/properties/a',
      [],
    )
    const keys = [
      'type',
      'properties',
      'items',
      'required',
      'anyOf',
      'allOf',
      '$ref',
      'enum',
      'a',
      '__proto__',
    ]
    const { schema } = fc.letrec<{ schema: Json }>(tie => ({
      schema: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.dictionary(fc.constantFrom(...keys), tie('schema'), { maxKeys: 4 }),
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), schema, { maxKeys: 4 }), parameters => {
        const made = toolSchema(parameters)
        if ('schema' in made) expect(refusal(made.schema)).toBeNull()
        // Once made so, it stays so.
        if ('schema' in made) expect(toolSchema(made.schema)).toEqual(made)
      }),
      { numRuns: 2_000 },
    )
  })
})
