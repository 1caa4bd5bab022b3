import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shortened, startOf, wellFormed } from '../../src/domain/cut-text.ts'

/** Text of whole characters, most of them pairs. */
const text = fc.array(fc.constantFrom('😀', 'a', 'é', '👩‍🚒', '我')).map(parts => parts.join(''))
const half = fc.constantFrom('\ud83d', '\ude00', '😀', 'a', 'b')

describe('text that is cut', () => {
  it('is within its bound, begins as the whole did, and has no half of a character', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 30 }), (whole, length) => {
        for (const cut of [startOf(whole, length), shortened(whole, Math.max(length, 1))]) {
          expect(cut.length).toBeLessThanOrEqual(Math.max(length, 1))
          expect(cut.isWellFormed()).toBe(true)
          expect(whole.startsWith(cut.replace(/…$/, ''))).toBe(true)
        }
        if (whole.length <= length) expect(startOf(whole, length)).toBe(whole)
        else expect(startOf(whole, length).length).toBeGreaterThan(length - 2)
      }),
    )
  })

  it('values are made well-formed at any depth, and stay the same object where they are', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.array(half).map(parts => parts.join('')),
        (value, odd) => {
          const made = wellFormed({ value, [odd]: [odd, { deep: odd }] })
          for (const part of JSON.stringify(made).matchAll(/"((?:[^"\\]|\\.)*)"/g))
            expect(String(JSON.parse(part[0])).isWellFormed()).toBe(true)
          const whole = wellFormed(value)
          expect(wellFormed(whole)).toBe(whole)
        },
      ),
    )
    const bytes = new Uint8Array([1])
    expect(wellFormed({ bytes }).bytes).toBe(bytes)
  })
})
