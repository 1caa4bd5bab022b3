import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHealth } from '../../src/domain/conversation/health.ts'

const turn = (
  latency: number,
  user_input = 'When?',
  is_ood = false,
  ...functionEvents: readonly object[]
) => ({
  record: { latency, user_input, is_ood },
  details: { function_events: functionEvents.map(event => ({ ...event })) },
})
const called = (name: string, error: string | null) => ({ name, error })

test('RC70 is told of the turns in which somebody said something, of handoffs and of functions', () => {
  const sum = createHealth()
  const greeted = turn(9, '', false, called('hours', null))
  sum.addTurns([greeted, turn(0.25), turn(0.5, 'Why?', true, called('book', 'full'), called('book', null))])
  sum.addConversation({ handoff: true, handoff_destination: 'reception' })
  sum.addTurns([greeted, turn(0.75)])
  sum.addConversation({ handoff: true, handoff_destination: 'reception' })
  sum.addConversation({ handoff: true, handoff_destination: 'kitchen' })
  sum.addConversation({ handoff: false, handoff_destination: '' })
  expect(sum.figures()).toEqual({
    ...{ conversations: 4, turns: 3, handoffs: 3, unknown: 1 },
    latency: { median: 500, p95: 750, longest: 750 },
    destinations: [
      { name: 'reception', count: 2 },
      { name: 'kitchen', count: 1 },
    ],
    ...{ redacted: [], guarded: [] },
    functions: [
      { name: 'book', calls: 2, errors: 1 },
      { name: 'hours', calls: 2, errors: 0 },
    ],
  })
  expect(createHealth().figures()).toEqual({
    ...{ conversations: 0, turns: 0, handoffs: 0, unknown: 0, latency: null },
    ...{ destinations: [], redacted: [], guarded: [], functions: [] },
  })
})

test('RD2 and GU6 are told of what a redactor took out and how a guard decided, also before anybody said something', () => {
  const sum = createHealth()
  const record = { latency: 1, user_input: '', is_ood: false }
  sum.addTurns([
    { record, details: { redacted: { card: 2, email: 1 }, node_trace: ['guard:incoming:refuse', 'start'] } },
    {
      record,
      details: { redacted: { email: 3 }, node_trace: ['guard:outgoing:change', 'guard:incoming:refuse'] },
    },
    { record, details: { redacted: ['card'], node_trace: 'guard:' } },
  ])
  expect(sum.figures()).toMatchObject({
    redacted: [
      { name: 'email', count: 4 },
      { name: 'card', count: 2 },
    ],
    guarded: [
      { name: 'incoming:refuse', count: 2 },
      { name: 'outgoing:change', count: 1 },
    ],
  })
})

test('RC70 quantiles are the least values that so many of all do not exceed', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 }), seconds => {
      const sum = createHealth()
      sum.addTurns(seconds.map(one => turn(one)))
      const { latency } = sum.figures()
      if (latency === null) throw new Error('There were answers.')
      const within = (time: number): number => seconds.filter(one => one * 1_000 <= time).length
      const below = (time: number): number => seconds.filter(one => one * 1_000 < time).length
      expect(within(latency.median)).toBeGreaterThanOrEqual(seconds.length / 2)
      expect(below(latency.median)).toBeLessThan(seconds.length / 2)
      expect(within(latency.p95)).toBeGreaterThanOrEqual(seconds.length * 0.95)
      expect(below(latency.p95)).toBeLessThan(seconds.length * 0.95)
      expect(latency.longest).toBe(Math.max(...seconds) * 1_000)
    }),
  )
})
