import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { plainJsonObject } from '../../../src/domain/plain-json.ts'
import { mergeVariables } from '../../../src/domain/real-time-config/merge-variables.ts'

const RULES = { noun: 'variables', code: 'SCHEMA_VALIDATION_FAILED', bytes: 1_000, depth: 4 } as const
const refusal = (message: string) => expect.objectContaining({ code: 'SCHEMA_VALIDATION_FAILED', message })

describe('merging', () => {
  test.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: 'b' }, { c: null }, { a: 'b' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c', d: 'e' } }, { a: { b: 'd', c: null } }, { a: { b: 'd', c: null } }],
    [{ a: { b: 'c' } }, { a: {} }, { a: {} }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ a: 1 }, { a: [null, { b: null }] }, { a: [null, { b: null }] }],
    [{}, { constructor: { a: 1 }, toString: 2 }, { constructor: { a: 1 }, toString: 2 }],
    [{ a: 1 }, { a: false, b: 0, c: '' }, { a: false, b: 0, c: '' }],
  ])('AG62 %j and %j make %j', (stored, change, merged) => {
    expect(mergeVariables(stored, change)).toEqual(merged)
  })

  test('AG62 whatever is merged: each key has the given value, else the stored one, and null has none', () => {
    const json = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(json, json, (left, right) => {
        const [stored, change] = [plainCopy(left), plainCopy(right)]
        const merged = mergeVariables(stored, change)
        const given = Object.entries({ ...stored, ...change })
        const kept = given.filter(([key, value]) => !(Object.hasOwn(change, key) && value === null))
        expect(merged).toEqual(Object.fromEntries(kept))
      }),
    )
  })
})

const plainCopy = (value: unknown): JsonObject =>
  plainJsonObject(
    JSON.parse(JSON.stringify(value, (key, part) => (key === '__proto__' ? undefined : part))),
    {
      ...RULES,
      bytes: 1_000_000,
      depth: 50,
    },
  )

describe('plain JSON', () => {
  const itself: { again?: unknown } = {}
  itself.again = itself

  test.each<[string, unknown, string]>([
    ['a list', [], 'The variables must be an object, not an array.'],
    ['nothing', null, 'The variables must be an object, not null.'],
    ['text', 'x', 'The variables must be an object, not a string.'],
    ['a date', { at: new Date(0) }, '"/at" in the variables must be JSON, not an instance of Date.'],
    ['a map', { a: [new Map()] }, '"/a/0" in the variables must be JSON, not an instance of Map.'],
    ['no number', { a: Number.NaN }, '"/a" in the variables must be JSON, not NaN.'],
    ['undefined', { 'a/b': undefined }, '"/a~1b" in the variables must be JSON, not undefined.'],
    ['a function', { a: () => 1 }, '"/a" in the variables must be JSON, not a function.'],
    ['a big integer', { a: 1n }, '"/a" in the variables must be JSON, not a bigint.'],
    ['itself', itself, 'The variables must not nest deeper than 4 levels.'],
    ['five levels', { a: { b: { c: [{}] } } }, 'The variables must not nest deeper than 4 levels.'],
    ['too much', { a: 'é'.repeat(497) }, 'The variables must be at most 1000 bytes of JSON, not 1002.'],
  ])('AG65 %s is refused, and the message says where', (_, value, message) => {
    expect(() => plainJsonObject(value, RULES)).toThrow(refusal(message))
  })

  test('AG65 what is just within the limits is taken', () => {
    const deep = { a: { b: { c: [] } } }
    expect(plainJsonObject(deep, RULES)).toEqual(deep)
    expect(plainJsonObject({ a: 'é'.repeat(496) }, RULES)).toEqual({ a: 'é'.repeat(496) })
  })

  test('HT24 a key __proto__ is refused, at any depth', () => {
    const value: unknown = JSON.parse('{"a":{"__proto__":{"admin":true}}}')
    const message = '"/a" in the variables must have no key "__proto__".'
    expect(() => plainJsonObject(value, RULES)).toThrow(refusal(message))
  })
})
