import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRolloutSum, ENOUGH, ROLLOUT_MEASURES } from '../../src/domain/rollout/figures.ts'
import { difference, estimate } from '../../src/domain/rollout/interval.ts'
import {
  earlyOf,
  isParkedBy,
  placeOf,
  ROLLOUT_LIMITS,
  sideOf,
  withShare,
} from '../../src/domain/rollout/rollout.ts'
import { aRollout } from '../../src/testing/index.ts'

const share = fc.integer({ min: 0, max: ROLLOUT_LIMITS.whole })
const key = fc.constantFrom('visitor', 'conversation')
const participant = fc.record({
  conversationId: fc.uuid(),
  visitor: fc.option(fc.string({ minLength: 1 })),
  runs: fc.constant(null),
})
const rolloutOf = (basisPoints: number, values: Parameters<typeof aRollout>[1] = {}) =>
  aRollout('R-1', { ...values, shares: [{ basisPoints, at: 0, by: 'library' }] })

describe('sides', () => {
  test('RO2 the share of many keys is the candidate’s, within what chance allows', () => {
    const [keys, salt] = [runs(100_000, 1_000_000), 'a salt']
    const places = Array.from({ length: keys }, (_, at) => placeOf(salt, `visitor ${at}`))
    // Half a thousandth is one standard deviation of the larger number.
    const bound = keys === 1_000_000 ? 0.001 : 0.004
    for (const basisPoints of [100, 500, 2_500, 5_000, 9_900]) {
      const chosen = places.filter(place => place < basisPoints).length / keys
      expect(Math.abs(chosen - basisPoints / ROLLOUT_LIMITS.whole)).toBeLessThan(bound)
    }
  })

  test('RO2 a share that grows takes nobody away, one that is 0 or everything spares nobody', () => {
    fc.assert(
      fc.property(participant, key, share, share, (who, by, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        if (sideOf(rolloutOf(less, { key: by }), who) === 'candidate')
          expect(sideOf(rolloutOf(more, { key: by }), who)).toBe('candidate')
        expect(sideOf(rolloutOf(0, { key: by }), who)).toBe('base')
        expect(sideOf(rolloutOf(ROLLOUT_LIMITS.whole, { key: by }), who)).toBe('candidate')
      }),
    )
  })

  test('RO2 a visitor has one side in all conversations, and sides of two rollouts are independent', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.uuid(), fc.uuid(), share, (visitor, one, other, points) => {
        const rollout = rolloutOf(points, { key: 'visitor' })
        const of = (conversationId: string) => sideOf(rollout, { conversationId, visitor, runs: null })
        expect(of(one)).toBe(of(other))
      }),
    )
    const both = Array.from({ length: 10_000 }, (_, at) =>
      ['one', 'other'].every(salt => placeOf(salt, `${at}`) < ROLLOUT_LIMITS.whole / 2),
    )
    expect(both.filter(Boolean).length).toBeGreaterThan(2_300)
    expect(both.filter(Boolean).length).toBeLessThan(2_700)
  })

  test('RO3 whoever runs a version stays with it, whatever the share is', () => {
    fc.assert(
      fc.property(participant, key, share, (who, by, points) => {
        const rollout = rolloutOf(points, { key: by })
        for (const side of ['base', 'candidate'] as const)
          expect(sideOf(rollout, { ...who, runs: rollout[side].deploymentId })).toBe(side)
      }),
    )
  })

  test('the history of shares is bounded, and the newest one holds', () => {
    let rollout = rolloutOf(0)
    for (let at = 1; at <= ROLLOUT_LIMITS.shares + 5; at++)
      rollout = withShare(rollout, { basisPoints: at, at, by: 'library' })
    expect(rollout.shares).toHaveLength(ROLLOUT_LIMITS.shares)
    expect(rollout.shares.at(-1)?.basisPoints).toBe(ROLLOUT_LIMITS.shares + 5)
  })
})

describe('guards', () => {
  test.each([
    ['fires since', { id: 'ar_1', since: 10 }, {}, true],
    ['fired before the share was set', { id: 'ar_1', since: 9 }, {}, false],
    ['is another one', { id: 'ar_2', since: 11 }, {}, false],
    [
      'finds nothing to take',
      { id: 'ar_1', since: 11 },
      { shares: [{ basisPoints: 0, at: 10, by: 'x' }] },
      false,
    ],
    [
      'comes after the end',
      { id: 'ar_1', since: 11 },
      { end: { winner: 'base', at: 11, by: 'x', deploymentId: null } },
      false,
    ],
  ] as const)('RO9 a rule that %s', (_, rule, values, isParked) => {
    const rollout = aRollout('R-1', {
      guards: ['ar_1'],
      shares: [{ basisPoints: 500, at: 10, by: 'x' }],
      ...values,
    })
    expect(isParkedBy(rollout, rule)).toBe(isParked)
  })
})

describe('the end', () => {
  const GUARDED = { basisPoints: 0, at: 11, by: 'ar_1' }

  test.each([
    ['guard', [GUARDED], true],
    ['guard', [GUARDED], false],
    [null, [GUARDED, { basisPoints: 500, at: 12, by: 'x' }], true],
    ['not_enough', [GUARDED, { basisPoints: 500, at: 12, by: 'x' }], false],
    [null, [{ basisPoints: 0, at: 11, by: 'x' }], true],
    ['not_enough', [], false],
  ] as const)('RO4 is early because of %j after %j', (early, shares, isEnough) => {
    const before = { basisPoints: 500, at: 10, by: 'x' }
    expect(earlyOf({ guards: ['ar_1'], shares: [before, ...shares] }, isEnough)).toBe(early)
  })
})

const SAID = [{ record: { user_input: 'Hello' }, details: {} }]

describe('figures', () => {
  const counted = fc
    .tuple(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 100_000 }))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const)

  test('RO7 an interval holds its share, lies within 0 and 1, and that of more is narrower', () => {
    fc.assert(
      fc.property(counted, ([count, of]) => {
        const { high, low, share: found } = estimate(count, of)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        if (of > 0) {
          expect(low).toBeLessThanOrEqual(found)
          expect(high).toBeGreaterThanOrEqual(found)
        }
        const tenfold = estimate(count * 10, of * 10)
        expect(tenfold.high - tenfold.low).toBeLessThanOrEqual(high - low)
      }),
    )
  })

  // Newcombe 1998, Statistics in Medicine 17: table II, method 10, cases (a), (c) and (e).
  test.each([
    [[56, 70], [48, 80], 0.2, 0.0524, 0.3339],
    [[9, 10], [3, 10], 0.6, 0.1705, 0.809],
    [[5, 56], [0, 29], 0.0893, -0.0381, 0.1926],
  ] as const)(
    'RO7 the difference of %j and %j is as in the literature',
    ([count, of], [otherCount, otherOf], value, low, high) => {
      const found = difference(estimate(otherCount, otherOf), estimate(count, of))
      expect(found.value).toBeCloseTo(value, 4)
      expect(found.low).toBeCloseTo(low, 4)
      expect(found.high).toBeCloseTo(high, 4)
    },
  )

  test('RO7 a side with few conversations is not judged, and one that is clearly better is', () => {
    const record = (day: number, handoff: boolean, score?: number) => ({
      ...{ handoff, num_ood: 0, num_turns: 2, started_at: `2026-01-0${day}T10:00:00.000Z` },
      metrics: score === undefined ? {} : { visitor_rating: String(score) },
    })
    const sum = createRolloutSum()
    for (let at = 0; at < ENOUGH; at++) sum.add('base', record(1, at < 50, at % 2 === 0 ? 2 : 5), SAID)
    for (let at = 1; at < ENOUGH; at++) sum.add('candidate', record(2, at < 10), SAID)
    const early = sum.figures()
    for (const measure of ROLLOUT_MEASURES) expect(early.differences[measure].verdict).toBe('not_enough')
    sum.add('candidate', record(2, false), SAID)
    const { base, candidate, days, differences } = sum.figures()
    expect(differences.contained.verdict).toBe('better')
    expect(differences.engaged.verdict).toBe('no_difference')
    // Nobody has rated the candidate.
    expect(differences.satisfied.verdict).toBe('not_enough')
    expect([base.satisfied.count, base.satisfied.of, candidate.satisfied.of]).toEqual([50, 100, 0])
    expect([base.contained.count, candidate.contained.count]).toEqual([50, 91])
    const none = { conversations: 0, contained: 0 }
    expect(days).toEqual([
      { day: '2026-01-01', base: { conversations: 100, contained: 50 }, candidate: none },
      { day: '2026-01-02', base: none, candidate: { conversations: 100, contained: 91 } },
    ])
  })
})
