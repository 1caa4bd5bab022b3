import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { healthOf } from '../page/views/concurrency/health.ts'
import { csvOf, type Interval, peaksOf, rangeOf, spansOf, weeksOf } from '../page/views/concurrency/series.ts'

const at = (time: string, peak: number, variant?: string): Interval => ({
  time,
  max_concurrent_conversations: peak,
  ...(variant === undefined ? {} : { variant_id: variant, variant_name: variant.toUpperCase() }),
})

const NOW = Date.parse('2026-03-10T12:00:30.000Z')

test('CO17 a line a variant, with zero where it has no figure', () => {
  const first = '2026-03-10T10:00:00.000Z'
  const second = '2026-03-10T10:05:00.000Z'
  const range = { start: Date.parse(first), end: Date.parse(first) + 600_000 }
  expect(peaksOf([at(first, 2, 'a'), at(first, 1, 'b'), at(second, 3, 'b')], range)).toEqual({
    times: [range.start / 1_000, range.start / 1_000 + 300],
    series: [
      { id: 'a', name: 'A', peaks: [2, 0] },
      { id: 'b', name: 'B', peaks: [1, 3] },
    ],
  })
})

test('CO17 the table has the highest figure of each span and when it came first, and so of the whole', () => {
  const figures = fc.array(fc.nat(9), { minLength: 1, maxLength: 600 })
  fc.assert(
    fc.property(figures, fc.boolean(), (numbers, isByDay) => {
      const start = NOW - (NOW % 300_000)
      const times = numbers.map((_, index) => start + index * 300_000)
      const peaks = peaksOf(
        numbers.map((peak, index) => at(new Date(times[index] ?? 0).toISOString(), peak)),
        { start, end: start + numbers.length * 300_000 },
      )
      const spans = spansOf(peaks, isByDay)
      const highest = spans.map(span => span.highest[0]?.peak ?? -1)
      expect(Math.max(...highest)).toBe(Math.max(...numbers))
      for (const {
        start: from,
        highest: [one],
      } of spans) {
        expect(numbers[times.indexOf(one?.at ?? 0)]).toBe(one?.peak)
        expect(one?.at).toBeGreaterThanOrEqual(from)
      }
      expect(spans.map(span => span.start)).toEqual(spans.map(span => span.start).sort((a, b) => b - a))
    }),
  )
})

test('CO17 the export has every figure, and no name in it is run as a formula', () => {
  const time = '2026-03-10T10:00:00.000Z'
  const tricky = { ...at(time, 2, 'v'), variant_name: '=1+1, "so"' }
  expect(csvOf([at(time, 1), tricky])).toBe(
    'time,max_concurrent_conversations,variant_id,variant_name\r\n' +
      `${time},1,,\r\n` +
      `${time},2,v,"'=1+1, ""so"""\r\n`,
  )
})

test.each<readonly [Record<string, string>, string, string, string]>([
  [{}, '2026-03-09T12:05:00.000Z', '2026-03-10T12:05:00.000Z', 'day'],
  [{ range: 'year' }, '2025-03-10T12:05:00.000Z', '2026-03-10T12:05:00.000Z', 'year'],
  [{ range: 'nonsense' }, '2026-03-09T12:05:00.000Z', '2026-03-10T12:05:00.000Z', 'day'],
  [
    { range: 'own', from: '2026-01-01T00:00Z', to: '2026-02-01T00:00Z' },
    '2026-01-01T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
    'own',
  ],
  [
    { range: 'own', from: '2026-02-01', to: '2026-01-01' },
    '2026-03-09T12:05:00.000Z',
    '2026-03-10T12:05:00.000Z',
    'day',
  ],
])('CO17 the range of the address %j', (query, start, end, name) => {
  expect(rangeOf(query, NOW)).toEqual({
    start: Date.parse(start),
    end: Date.parse(end),
    name,
  })
})

test('CO17 a year is asked for week by week, without a gap and without anything twice', () => {
  const range = rangeOf({ range: 'year' }, NOW)
  const weeks = weeksOf(range)
  expect(weeks).toHaveLength(53)
  expect([weeks[0]?.start, weeks.at(-1)?.end]).toEqual([range.start, range.end])
  expect(weeks.slice(1).map(({ start }) => start)).toEqual(weeks.slice(0, -1).map(({ end }) => end))
  expect(Math.max(...weeks.map(({ start, end }) => end - start))).toBe(604_800_000)
})

describe('CO24 how the agent did', () => {
  const turn = (latency: number, user_input = 'When?', is_ood = false) => ({ latency, user_input, is_ood })
  const record = (handoff_destination: string, ...turns: readonly ReturnType<typeof turn>[]) => ({
    ...{ handoff: handoff_destination !== '', handoff_destination, turns },
  })

  test('is told of the turns in which somebody said something', () => {
    const greeted = turn(9, '')
    const records = [
      record('reception', greeted, turn(0.25), turn(0.5, 'Why?', true)),
      record('reception', greeted, turn(0.75)),
      record('', greeted),
      record('kitchen'),
    ]
    expect(healthOf(records)).toEqual({
      ...{ conversations: 4, turns: 3, handoffs: 3, unknown: 1 },
      latency: { median: 500, p95: 750, longest: 750 },
      destinations: [
        ['reception', 2],
        ['kitchen', 1],
      ],
    })
    expect(healthOf([])).toEqual({
      ...{ conversations: 0, turns: 0, handoffs: 0, unknown: 0, latency: null, destinations: [] },
    })
  })

  test('has quantiles that so many of all do not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 }), seconds => {
        const { latency } = healthOf([record('', ...seconds.map(one => turn(one)))])
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
})
