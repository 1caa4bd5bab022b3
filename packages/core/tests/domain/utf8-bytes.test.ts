import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonBytes } from '../../src/domain/utf8-bytes.ts'

const bytesOfText = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** Any units of UTF-16, halves of pairs among them. */
const units = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })),
)
const text = units.map(codes => String.fromCharCode(...codes))
const json = fc.oneof(
  fc.jsonValue({ noUnicodeString: false }),
  fc.dictionary(text, fc.oneof(text, fc.constant(undefined), fc.array(text), fc.double())),
)

it('CM50 counts the bytes of a value’s JSON as if that were written', () => {
  fc.assert(
    fc.property(json, value => {
      expect(jsonBytes(value)).toBe(bytesOfText(value))
    }),
    { numRuns: runs(300, 10_000) },
  )
})

it('CM50 counts escapes, halves of pairs and fields that are left out', () => {
  const values = [
    '"\\\b\f\n\r\t\u0001',
    '\ud800',
    'a\udc00',
    '\ud83d\ude00é€',
    { a: undefined },
    [undefined],
    {},
    [],
  ]
  for (const value of values) expect(jsonBytes(value), JSON.stringify(value)).toBe(bytesOfText(value))
  expect(jsonBytes([Number.NaN, -0, 1e21, 1e-7])).toBe(bytesOfText([Number.NaN, -0, 1e21, 1e-7]))
})
