import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keepableJson } from '../../src/http/json-text.ts'

/** What is left of a text once it has been UTF-8. */
const kept = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** A string as JSON in which every character is an escape. */
const escaped = (text: string): string =>
  `"${text.replace(/[\s\S]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`

/** Halves, whole pairs, backslashes and letters that look like escapes, in any order. */
const texts = fc
  .array(fc.constantFrom('\ud83d', '\ude00', '😀', '\\', 'u', 'd800', '"', 'ü', '\ufffd'), { maxLength: 30 })
  .map(parts => parts.join(''))

describe('JSON from a client', () => {
  test('HT38 means what is left of its strings when they are kept, however they are written', () => {
    fc.assert(
      fc.property(texts, text => {
        expect(JSON.parse(keepableJson(JSON.stringify(text)))).toBe(kept(text))
        expect(JSON.parse(keepableJson(escaped(text)))).toBe(kept(text))
        expect(JSON.parse(keepableJson(escaped(text).toUpperCase().replaceAll('\\U', '\\u')))).toBe(
          kept(text),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('HT38 is left as it is where it holds no half of a pair', () => {
    for (const json of ['{"a":"\\\\ud800"}', '{"a":"😀 \\ud83d\\ude00"}', '', '{"a":'])
      expect(keepableJson(json)).toBe(json)
  })

  test('HT38 names of fields are strings as well', () => {
    expect(JSON.parse(keepableJson('{"\\ud800":"\\\\\\ud800"}'))).toEqual({ '\ufffd': '\\\ufffd' })
  })
})
