import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoTime } from '../../src/domain/time.ts'

it('MS42 every time is written as the date object of the language writes it', () => {
  const times = fc.oneof(
    fc.integer({ min: -62_198_755_200_000, max: 253_402_300_800_000 + 1e9 }),
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_120_000 }),
    fc.double({ min: -1e9, max: 1e12, noNaN: true }),
  )
  fc.assert(
    fc.property(times, at => {
      expect(isoTime(at)).toBe(new Date(at).toISOString())
    }),
  )
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})
