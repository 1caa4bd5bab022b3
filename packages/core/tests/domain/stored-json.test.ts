import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { jsonOf, jsonText } from '../../src/domain/stored-json.ts'

it('a text and the value of it agree, whichever of the two was stored', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.boolean(), (value, textFirst) => {
      const text = JSON.stringify(value)
      const known = { text, value: JSON.parse(text) }
      const shown = ({ text, value }: { readonly text: string; readonly value: unknown }) => ({ text, value })
      for (const json of [jsonOf(known.value), jsonText(text)]) {
        expect(textFirst ? json.text : json.value).toEqual(textFirst ? known.text : known.value)
        expect(shown(json)).toEqual(known)
      }
      // There and back again.
      expect(shown(jsonText(jsonOf(value).text))).toEqual(known)
      expect(shown(jsonOf(jsonText(text).value))).toEqual(known)
    }),
    { numRuns: runs(300, 10_000) },
  )
})

it('the one that was not stored is made when it is asked for, and once', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const stringify = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const value = { a: [1, null] }
  const [ofValue, ofText, ofNull] = [
    jsonOf(value),
    jsonText<typeof value>('{"a":[1,null]}'),
    jsonText('null'),
  ]
  expect(ofValue.value).toBe(value)
  expect(ofText.text).toBe('{"a":[1,null]}')
  expect([parse.mock.calls.length, stringify.mock.calls.length]).toEqual([0, 0])
  expect([ofValue.text, ofValue.text]).toEqual([ofText.text, ofText.text])
  expect(ofText.value).toBe(ofText.value)
  expect([ofNull.value, ofNull.value]).toEqual([null, null])
  expect([parse.mock.calls.length, stringify.mock.calls.length]).toEqual([2, 1])
})

it('a copy of what was made of a value has its text, too', () => {
  expect(structuredClone(jsonOf({ a: 1 }))).toEqual({ text: '{"a":1}', value: { a: 1 } })
})
