import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/domain/json.ts'
import { compileSchema } from '../../../src/domain/real-time-config/compile-schema.ts'
import { FORMATS } from '../../../src/domain/real-time-config/formats.ts'
import { REAL_TIME_CONFIG_LIMITS as LIMITS } from '../../../src/domain/real-time-config/real-time-config.ts'

const check = (schema: JsonObject, variables: JsonObject) => compileSchema(schema)(variables)
const invalid = (reason: RegExp) =>
  expect.objectContaining({
    code: 'REAL_TIME_CONFIG_INVALID_SCHEMA',
    message: expect.stringMatching(reason),
  })

/** Calls that must end: one that does not runs into the test's time limit. */
const TOO_MANY = [expect.stringMatching(/^checking them takes more than 250000 steps/)]

/** A schema in which each of `levels` names stands for twice the next one. */
function doubling(levels: number, keyword: 'allOf' | 'anyOf', last: JsonObject): JsonObject {
  const names = Array.from({ length: levels }, (_, level) => {
    const next = { $ref: `#/definitions/d${level + 1}` }
    return [`d${level}`, { [keyword]: [next, next] }] as const
  })
  const definitions = Object.fromEntries([...names, [`d${levels}`, last]])
  return { definitions, $ref: '#/definitions/d0' }
}

describe('what fits', () => {
  test('AG63 every problem is named with its place and what is allowed', () => {
    const schema = {
      type: 'object',
      required: ['hours'],
      properties: {
        open: { type: 'boolean' },
        mode: { enum: ['day', 'night'] },
        kind: { const: 'hotel' },
        hours: { type: 'array', items: { type: 'object', properties: { 'a/b': { minimum: 8 } } } },
        codes: { uniqueItems: true },
        shut: false,
      },
      additionalProperties: false,
    }
    const problems = (variables: JsonObject) => check(schema, variables)
    expect(problems({ hours: [], open: true, mode: 'day', kind: 'hotel', codes: [1, '1', [1]] })).toEqual([])
    expect(problems({})).toEqual(['"/hours" is required'])
    expect(problems({ hours: [{}, { 'a/b': 7 }] })).toEqual(['"/hours/1/a~1b" must be >= 8'])
    expect(problems({ hours: [], open: 'yes' })).toEqual(['"/open" must be boolean'])
    expect(problems({ hours: [], mode: 'noon' })).toEqual(['"/mode" must be one of "day", "night"'])
    expect(problems({ hours: [], kind: 'inn' })).toEqual(['"/kind" must be "hotel"'])
    expect(
      problems({
        hours: [],
        codes: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      }),
    ).toEqual(['"/codes" must not hold two equal items'])
    expect(problems({ hours: [], shut: 1 })).toEqual(['"/shut" is not allowed'])
    expect(problems({ hours: [], opne: true })).toEqual([
      '"/opne" is not allowed, only "open", "mode", "kind", "hours", "codes", "shut"',
    ])
  })

  test('AG63 at most five places are named, and that there are more', () => {
    const required = Array.from({ length: 7 }, (_, index) => `r${index}`)
    expect(check({ required: required.slice(0, 5) }, {})).toHaveLength(5)
    expect(check({ required }, {})).toEqual([
      ...required.slice(0, 5).map(name => `"/${name}" is required`),
      'and more',
    ])
  })

  test('AG63 long values are cut in messages', () => {
    const [problem] = check({ properties: { a: { enum: ['x'.repeat(9_000)] } } }, { a: 1 })
    expect(problem?.length).toBeLessThan(200)
  })

  test('AG63 nothing is filled in and nothing is converted', () => {
    const schema = { properties: { n: { type: 'number', default: 5 } }, required: ['n'] }
    const variables = {}
    expect(check(schema, variables)).toEqual(['"/n" is required'])
    expect(variables).toEqual({})
    expect(check(schema, { n: '5' })).toEqual(['"/n" must be number'])
  })

  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      'if, then, else',
      JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}'),
      { c: 1 },
      { a: 1 },
    ],
    ['dependencies', { dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, b: 1 }, { c: 1 }],
    ['propertyNames', { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    [
      'patternProperties',
      { patternProperties: { '^n_': { type: 'number' } } },
      { n_a: 1, a: '' },
      { n_a: '' },
    ],
    ['contains', { properties: { a: { contains: { const: 1 } } } }, { a: [2, 1] }, { a: [2] }],
    [
      'items',
      { properties: { a: { items: [{ type: 'number' }], additionalItems: false } } },
      { a: [1] },
      { a: [1, 2] },
    ],
    ['oneOf', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, { a: 1, b: 1 }],
    ['not', { not: { required: ['a'] } }, { b: 1 }, { a: 1 }],
    ['format', { properties: { a: { format: 'date' } } }, { a: '2026-02-28' }, { a: '2026-02-29' }],
    ['pattern', { properties: { a: { pattern: '^[a-z]{2}-\\d+\\u0041$' } } }, { a: 'xy-1A' }, { a: 'XY-1A' }],
  ])('AG64 %s holds', (_, schema, fits, doesNot) => {
    expect(check(schema, fits)).toEqual([])
    expect(check(schema, doesNot)).not.toEqual([])
  })

  test('AG64 references within a schema: by path, by encoded path, to itself', () => {
    const tree = {
      definitions: {
        'a/b c': { properties: { next: { $ref: '#/definitions/a~1b%20c' }, value: { type: 'number' } } },
      },
      $ref: '#/definitions/a~1b%20c',
    }
    expect(check(tree, { next: { next: { value: 1 } } })).toEqual([])
    expect(check(tree, { next: { next: { value: 'x' } } })).toEqual(['"/next/next/value" must be number'])
    const itself = { properties: { next: { $ref: '#' } }, required: ['value'] }
    expect(check(itself, { value: 1, next: { value: 1, next: {} } })).toEqual([
      '"/next/next/value" is required',
    ])
    const sibling = { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } }
    expect(check(sibling, { a: '', b: 1 })).toEqual(['"/b" must be string'])
  })

  test('AG64 schemas of one $id do not see each other', () => {
    const one = compileSchema({ $id: 'https://example.com/s', required: ['a'] })
    const two = compileSchema({ $id: 'https://example.com/s', required: ['b'] })
    expect([one({}), two({})]).toEqual([['"/a" is required'], ['"/b" is required']])
    expect(one({ a: 1 })).toEqual([])
  })

  test('HT24 names that every object inherits are names like any other', () => {
    const schema = {
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
      required: ['valueOf'],
    }
    expect(check(schema, {})).toEqual(['"/valueOf" is required'])
    expect(check(schema, { valueOf: 1, constructor: 'c' })).toEqual([])
    expect(check(schema, { valueOf: 1, constructor: 1 })).toEqual(['"/constructor" must be string'])
    const allowed: JsonObject = JSON.parse('{"properties":{"a":{"enum":[{"valueOf":1},{"constructor":2}]}}}')
    expect(check(allowed, { a: { constructor: 2 } })).toEqual([])
    expect(check(allowed, { a: { valueOf: 2 } })).toHaveLength(1)
  })
})

describe('what is no schema', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['a wrong type', { type: 'strin' }, /"\/type" must be one of "array", "boolean"/],
    [
      'a wrong value',
      { required: 'a', minLength: -1 },
      /"\/minLength" must be >= 0; "\/required" must be array/,
    ],
    [
      'a wrong schema within',
      { properties: { a: { items: 5 } } },
      /"\/properties\/a\/items" must be object,boolean/,
    ],
    ['a misspelt keyword', { requierd: ['a'] }, /"\/requierd" is not a keyword of JSON Schema draft 7/],
    [
      'a later draft',
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      /"\/\$schema" must be "http/,
    ],
    ['a keyword of a later draft', { $defs: {} }, /"\/\$defs" is not a keyword/],
    [
      'code that waits',
      { properties: { a: { $async: true } } },
      /"\/properties\/a\/\$async" is not a keyword/,
    ],
    [
      'data as a rule',
      { properties: { a: { maximum: { $data: '1/b' } } } },
      /"\/properties\/a\/maximum" must be number/,
    ],
    [
      'an unknown format',
      { properties: { a: { format: 'url' } } },
      /format" must be one of date-time, date, /,
    ],
    ['an $id within', { properties: { a: { $id: 'b' } } }, /"\/properties\/a\/\$id" is allowed at the root/],
    [
      'a remote reference',
      { $ref: 'https://example.com/s.json' },
      /"\/\$ref" must be "#", or "#\/" and the path/,
    ],
    ['a reference to nowhere', { $ref: '#/definitions/a' }, /"\/\$ref" must be/],
    ['a reference to no schema', { default: { type: 'string' }, $ref: '#/default' }, /"\/\$ref" must be/],
    ['a reference that cannot be decoded', { $ref: '#/%zz' }, /"\/\$ref" must be/],
    [
      'rules beside a reference',
      { definitions: { a: {} }, $ref: '#/definitions/a', minimum: 1 },
      /ignore minimum beside it/,
    ],
    [
      'look-ahead',
      { properties: { a: { pattern: '(?=a)b' } } },
      /pattern" is not a regular expression of RE2/,
    ],
    ['look-behind', { properties: { a: { pattern: '(?<!a)b' } } }, /no look-around/],
    [
      'a back-reference',
      { properties: { a: { pattern: '(a)\\1' } } },
      /no look-around and no back-references/,
    ],
    [
      'an open bracket',
      { patternProperties: { '[': {} } },
      /"\/patternProperties" has the key "\[", which is not a regular/,
    ],
    ['itself', { $ref: '#' }, /"#" refers to itself for the same value/],
    [
      'itself in a choice',
      { definitions: { a: { anyOf: [{ $ref: '#/definitions/a' }] } } },
      /refers to itself/,
    ],
  ])('AG64 %s is refused, and the message says where and why', (_, schema, reason) => {
    expect(() => compileSchema(schema)).toThrow(invalid(reason))
  })

  test('AG64 names that begin with x- are free', () => {
    const schema = { 'x-order': ['a'], properties: { a: { 'x-hint': { pattern: '(' }, type: 'string' } } }
    expect(check(schema, { a: 1 })).toEqual(['"/a" must be string'])
  })

  test('AG65 too many schemas, or regular expressions that are too large, are refused', () => {
    const many = (count: number) => ({ allOf: Array.from({ length: count }, () => ({})) })
    expect(check(many(LIMITS.subschemas - 1), {})).toEqual([])
    expect(() => compileSchema(many(LIMITS.subschemas))).toThrow(invalid(/holds 1001 schemas; at most 1000/))
    const pattern = (source: string) => ({ properties: { a: { pattern: source } } })
    expect(check(pattern('a'.repeat(LIMITS.patternLength)), {})).toEqual([])
    expect(() => compileSchema(pattern('a'.repeat(501)))).toThrow(invalid(/longer than 500 characters/))
    expect(() => compileSchema(pattern('x{0,1000}'.repeat(50)))).toThrow(
      invalid(/at most 20000 instructions/),
    )
    const all = Array.from({ length: 17 }, (_, index) => ({ pattern: `${'a'.repeat(490)}${index}` }))
    expect(check({ anyOf: all.slice(0, 16) }, {})).toEqual([])
    expect(() => compileSchema({ anyOf: all })).toThrow(invalid(/"\/anyOf\/16\/pattern" is one too many/))
  })
})

describe('schemas that would stop the process', () => {
  test('AG65 a reference that doubles at every step ends', () => {
    expect(check(doubling(60, 'allOf', { type: 'object' }), {})).toEqual(TOO_MANY)
    expect(check(doubling(60, 'anyOf', { type: 'string' }), {})).toEqual(TOO_MANY)
    expect(check(doubling(8, 'allOf', { type: 'object' }), {})).toEqual([])
  })

  test('AG65 a chain of a thousand references works', () => {
    const links = Array.from(
      { length: 990 },
      (_, link) => [`d${link}`, { $ref: `#/definitions/d${link + 1}` }] as const,
    )
    const definitions = Object.fromEntries([...links, ['d990', { type: 'object' }]])
    const schema = { definitions, $ref: '#/definitions/d0' }
    expect(check(schema, {})).toEqual([])
    expect(
      check({ ...schema, definitions: { ...definitions, d990: { maxProperties: 0 } } }, { a: 1 }),
    ).toEqual(['the root must NOT have more than 0 properties'])
  })

  test('AG65 a regular expression takes linear time, and not too much of it', () => {
    const text = { a: `${'a'.repeat(60_000)}!` }
    const against = (pattern: string) => check({ properties: { a: { pattern } } }, text)
    expect(against('^(a+)+$')).toEqual(['"/a" must match pattern "^(a+)+$"'])
    expect(against('^(?:a|a)*$')).toHaveLength(1)
    expect(against('(?:a|b){500}'.repeat(30))).toEqual(TOO_MANY)
    const names = { patternProperties: { '(a+)+$': false }, properties: { [`${'a'.repeat(40)}!`]: true } }
    expect(check(names, { [`${'a'.repeat(60_000)}!`]: 1 })).toEqual([])
  })

  test.each(Object.keys(FORMATS))('AG65 the format %s is checked in linear time', format => {
    const hostile = [
      'a',
      '1',
      '-',
      '.',
      ':',
      '/',
      '%41',
      '{a}',
      '~0',
      'a@',
      'a.',
      ':1',
      '1:',
      '[',
      '0/',
      '\\',
      ' ',
    ]
    const validate = compileSchema({ properties: { a: { format } } })
    for (const piece of hostile) {
      const long = piece.repeat(60_000 / piece.length)
      for (const text of [long, `${long}\n`, `http://${long}\u0000`, `a@${long}!`, `1.${long}_`]) {
        expect(Array.isArray(validate({ a: text }))).toBe(true)
      }
    }
  })

  test('AG65 no format is checked by less than the whole of ajv-formats', () => {
    for (const [name, format] of Object.entries(FORMATS)) expect(Reflect.get(fullFormats, name)).toBe(format)
  })

  describe('many rules for many values', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index)
    const times = (count: number, rule: JsonObject) => Array.from({ length: count }, () => rule)
    const of = (rule: JsonObject) => ({ properties: { a: rule } })
    const names = Array.from({ length: 5_000 }, (_, index) => `k${index}`)

    test.each<[string, JsonObject, readonly Json[]]>([
      ['limits for each', of({ items: { allOf: times(300, { minimum: 20_000 }) } }), numbers],
      ['names for each', of({ items: { required: names } }), times(10_000, {})],
      ['comparing all, often', { allOf: times(300, of({ uniqueItems: true })) }, numbers],
      ['comparing the whole, often', { allOf: times(300, { enum: [1] }) }, numbers],
    ])('AG65 %s: the check ends', (_, schema, a) => {
      expect(check(schema, { a })).toEqual(TOO_MANY)
    })

    test('AG65 comparing all, once, is no problem', () => {
      expect(check(of({ uniqueItems: true }), { a: numbers })).toEqual([])
      expect(check(of({ items: { enum: numbers } }), { a: numbers })).toEqual([])
    })
  })

  test('AG65 a check that was given up leaves the next one all its steps', () => {
    const validate = compileSchema({ properties: { a: { pattern: '^(?:a|b){100}' } } })
    expect(validate({ a: 'ab'.repeat(30_000) })).toEqual(TOO_MANY)
    expect(validate({ a: 'ab'.repeat(60) })).toEqual([])
  })
})
