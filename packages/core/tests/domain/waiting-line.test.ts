import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  estimateWait,
  type JoinedWait,
  WAIT_SAMPLES,
  WAIT_WINDOW,
  withPositions,
} from '../../src/domain/conversation/waiting-line.ts'

const NOW = 10 * WAIT_WINDOW
const MINUTE = 60_000

/** As many waits of that length, spread over the time before now. */
const waits = (count: number, waited: number, over = WAIT_WINDOW): JoinedWait[] =>
  Array.from({ length: count }, (_, index) => ({
    joinedAt: NOW - Math.floor((over * index) / count),
    waited,
  }))

const someWaits = fc.array(
  fc.record({
    joinedAt: fc.integer({ min: NOW - 2 * WAIT_WINDOW, max: NOW }),
    waited: fc.oneof(fc.integer({ min: 0, max: 600_000 }), fc.constantFrom(0, 1, 1e12)),
  }),
  { maxLength: WAIT_SAMPLES, size: 'max' },
)
const places = fc.integer({ min: 1, max: 5_000 })

describe('places', () => {
  it('DK12 are counted for each queue by itself, in the order of the line', () => {
    const line = ['sales', 'desk', 'sales', '__proto__', 'desk'].map(queueName => ({ queueName }))
    expect(withPositions(line).map(({ position }) => position)).toEqual([1, 1, 2, 1, 2])
  })
})

describe('the estimated wait', () => {
  it('DK12 is unknown when nobody was joined within the hour', () => {
    expect(estimateWait(1, [], NOW)).toBeNull()
    expect(estimateWait(1, [{ joinedAt: NOW - WAIT_WINDOW, waited: MINUTE }], NOW)).toBeNull()
    expect(estimateWait(1, [{ joinedAt: NOW - WAIT_WINDOW + 1, waited: MINUTE }], NOW)).not.toBeNull()
  })

  it('DK12 is about a whole wait for each place in a quiet queue', () => {
    expect(estimateWait(1, waits(1, MINUTE), NOW)).toBe(60)
    expect(estimateWait(3, waits(1, MINUTE), NOW)).toBe(178)
  })

  it('DK12 follows the pace of a busy queue: sixty joined in an hour are about a minute for each place', () => {
    // Ten minutes for the first of ten: each waited while some ten others did.
    expect(estimateWait(1, waits(60, 10 * MINUTE), NOW)).toBe(55)
    expect(estimateWait(10, waits(60, 10 * MINUTE), NOW)).toBe(546)
  })

  it('DK12 knows the pace of a very busy queue from the newest waits alone', () => {
    // 200 within ten minutes: three seconds for each place.
    expect(estimateWait(20, waits(WAIT_SAMPLES, 10 * MINUTE, 10 * MINUTE), NOW)).toBe(60)
  })

  it('DK12 does not follow one visitor who was forgotten', () => {
    const usual = estimateWait(2, waits(9, MINUTE), NOW)
    const forgotten = { joinedAt: NOW, waited: 50 * MINUTE }
    const after = estimateWait(2, [...waits(9, MINUTE), forgotten], NOW)
    expect(Math.abs((after ?? 0) - (usual ?? 0))).toBeLessThanOrEqual(5)
  })

  it('DK12 takes the mean of the middle two', () => {
    const two = [10_000, 30_000].map(waited => ({ joinedAt: NOW, waited }))
    expect(estimateWait(1, two, NOW)).toBe(20)
  })

  it('DK12 is a whole number of seconds from 0 to 3600, whatever the waits and clocks', () => {
    fc.assert(
      fc.property(places, someWaits, (position, waits) => {
        const estimate = estimateWait(position, waits, NOW)
        if (estimate === null) return waits.every(({ joinedAt }) => joinedAt <= NOW - WAIT_WINDOW)
        return Number.isInteger(estimate) && estimate >= 0 && estimate <= 3_600
      }),
    )
    expect(estimateWait(1, [{ joinedAt: NOW + 500, waited: -3 }], NOW)).toBe(0)
  })

  it('DK12 never shrinks with the place, and does not depend on the order of the waits', () => {
    fc.assert(
      fc.property(places, someWaits, (position, waits) => {
        const here = estimateWait(position, waits, NOW) ?? 0
        expect(estimateWait(position + 1, waits, NOW) ?? 0).toBeGreaterThanOrEqual(here)
        expect(estimateWait(position, waits.toReversed(), NOW) ?? 0).toBe(here)
      }),
    )
  })
})
