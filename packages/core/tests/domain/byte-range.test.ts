import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rangeOf } from '../../src/domain/byte-range.ts'

describe('ranges of bytes', () => {
  test.each([
    ['bytes=0-', { from: 0, to: 100 }],
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=10-19', { from: 10, to: 20 }],
    ['Bytes= 10-19 ', { from: 10, to: 20 }],
    ['bytes=99-200', { from: 99, to: 100 }],
    ['bytes=-7', { from: 93, to: 100 }],
    ['bytes=-700', { from: 0, to: 100 }],
    ['bytes=100-', null],
    ['bytes=100-200', null],
    ['bytes=-0', null],
    // Not understood, or several: all of them.
    ...[undefined, '', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=0-1,5-6', 'bytes=0-1, 5-6'].map(
      (header): [string | undefined, 'everything'] => [header, 'everything'],
    ),
    ...['rows=0-1', 'bytes=a-b', 'bytes=0x1-2', 'bytes=1.5-2', 'bytes=0-1-2', 'bytes=+1-2'].map(
      (header): [string, 'everything'] => [header, 'everything'],
    ),
    [`bytes=0-${'9'.repeat(16)}`, 'everything'],
  ] as const)('HT70 of 100 bytes %s are %o', (header, expected) => {
    expect(rangeOf(header, 100)).toEqual(expected)
  })

  test('HT70 what is found is there, and there is nothing of nothing', () => {
    expect(rangeOf('bytes=0-', 0)).toBeNull()
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.oneof(
          fc.string(),
          fc.tuple(fc.nat(60), fc.nat(60)).map(([from, to]) => `bytes=${from}-${to}`),
          fc.nat(60).map(last => `bytes=-${last}`),
        ),
        (bytes, header) => {
          const found = rangeOf(header, bytes)
          if (found === null || found === 'everything') return
          expect(found.from).toBeGreaterThanOrEqual(0)
          expect(found.to).toBeGreaterThan(found.from)
          expect(found.to).toBeLessThanOrEqual(bytes)
        },
      ),
    )
  })
})
