import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  figuresByLiveAgent,
  figuresByQueue,
  figuresByTime,
  figuresOf,
} from '../../src/domain/conversation/desk-figures.ts'
import { DESK_OUTCOMES, type DeskOutcome } from '../../src/domain/conversation/desk-outcome.ts'

const HOUR = 3_600_000

const outcome: fc.Arbitrary<DeskOutcome> = fc
  .record({
    id: fc.uuid(),
    type: fc.constantFrom(...DESK_OUTCOMES),
    queueName: fc.constantFrom('sales', 'billing', 'vip'),
    person: fc.constantFrom('ann', 'ben'),
    at: fc.integer({ min: 0, max: 10 * 24 * HOUR - 1 }),
    lasted: fc.nat(100_000),
  })
  .map(({ person, type, ...rest }) => ({
    ...{ ...rest, type, conversationId: 'AS-1', accountId: 'ws-1' },
    liveAgent: type !== 'abandoned' && type !== 'unanswered' ? { id: person, name: person } : null,
  }))

const COUNTS = ['answered', 'abandoned', 'unanswered', 'handled'] as const

test('DK620 the figures of queues, of live agents and of times add up to those of all', () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 60 }), fc.nat(100_000), (outcomes, within) => {
      const all = figuresOf(outcomes, within)
      const sum = (
        parts: readonly (typeof all | Record<(typeof COUNTS)[number], number>)[],
        name: (typeof COUNTS)[number],
      ) => parts.reduce((so, part) => so + part[name], 0)
      for (const name of COUNTS) {
        expect(sum(figuresByQueue(outcomes, within), name)).toBe(all[name])
        for (const hours of [48, 240]) {
          const span = { from: 0, to: hours * HOUR }
          const inside = outcomes.filter(({ at }) => at < span.to)
          expect(sum(figuresByTime(inside, span), name)).toBe(figuresOf(inside, within)[name])
        }
      }
      for (const name of ['answered', 'handled'] as const)
        expect(sum(figuresByLiveAgent(outcomes, within), name)).toBe(all[name])
      const declined = outcomes.filter(({ type }) => type === 'declined').length
      for (const parts of [figuresByQueue(outcomes, within), figuresByLiveAgent(outcomes, within)])
        expect(parts.reduce((so, part) => so + part.declined, 0)).toBe(declined)
      expect(all.answeredWithin).toBeLessThanOrEqual(all.answered)
      if (all.medianWait !== null) expect(all.medianWait).toBeLessThanOrEqual(all.longestWait ?? -1)
      expect(all.medianWait === null).toBe(all.answered === 0)
    }),
    { numRuns: runs(100, 1_000) },
  )
})

test('DK620 up to two days there is a figure for each hour, for a longer span one for each day', () => {
  expect(figuresByTime([], { from: 0, to: 48 * HOUR })).toHaveLength(48)
  expect(figuresByTime([], { from: 0, to: 48 * HOUR + 1 })).toHaveLength(3)
  expect(figuresByTime([], { from: 5, to: 6 })).toEqual([
    { from: 5, answered: 0, abandoned: 0, unanswered: 0, handled: 0 },
  ])
})
