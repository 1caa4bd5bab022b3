import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsOf } from '../page/views/concurrency/health.ts'
import { csvOf, type Interval, peaksOf, rangeOf, spansOf, weeksOf } from '../page/views/concurrency/series.ts'

const at = (time: string, peak: number, variant?: string): Interval => ({
  time,
  max_concurrent_conversations: peak,
  ...(variant === undefined ? {} : { variant_id: variant, variant_name: variant.toUpperCase() }),
})

const NOW = Date.parse('2026-03-10T12:00:30.000Z')

test('CO24 a line a variant, with zero where it has no figure', () => {
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

test('CO24 a line a deployment, by its id', () => {
  const time = '2026-03-10T10:00:00.000Z'
  const range = { start: Date.parse(time), end: Date.parse(time) + 300_000 }
  const sides = ['D-1', 'D-2', ''].map((deployment_id, peak) => ({ ...at(time, peak), deployment_id }))
  expect(peaksOf(sides, range).series).toEqual([
    { id: 'D-1', name: 'D-1', peaks: [0] },
    { id: 'D-2', name: 'D-2', peaks: [1] },
    { id: '', name: '', peaks: [2] },
  ])
})

test('CO24 the table has the highest figure of each span and when it came first, and so of the whole', () => {
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

test('CO24 the export has every figure, and no name in it is run as a formula', () => {
  const time = '2026-03-10T10:00:00.000Z'
  const tricky = { ...at(time, 2, 'v'), variant_name: '=1+1, "so"' }
  expect(csvOf([at(time, 1), tricky, { ...at(time, 3), deployment_id: 'D-1' }])).toBe(
    'time,max_concurrent_conversations,variant_id,variant_name,deployment_id\r\n' +
      `${time},1,,,\r\n` +
      `${time},2,v,"'=1+1, ""so""",\r\n` +
      `${time},3,,,D-1\r\n`,
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
])('CO24 the range of the address %j', (query, start, end, name) => {
  expect(rangeOf(query, NOW)).toEqual({
    start: Date.parse(start),
    end: Date.parse(end),
    name,
  })
})

test('CO24 a year is asked for week by week, without a gap and without anything twice', () => {
  const range = rangeOf({ range: 'year' }, NOW)
  const weeks = weeksOf(range)
  expect(weeks).toHaveLength(53)
  expect([weeks[0]?.start, weeks.at(-1)?.end]).toEqual([range.start, range.end])
  expect(weeks.slice(1).map(({ start }) => start)).toEqual(weeks.slice(0, -1).map(({ end }) => end))
  expect(Math.max(...weeks.map(({ start, end }) => end - start))).toBe(604_800_000)
})

test('CO24 calls of all functions, and how many failed, are summed up', () => {
  expect(callsOf([])).toEqual({ calls: 0, errors: 0 })
  const functions = [
    { name: 'book', calls: 3, errors: 2 },
    { name: 'hours', calls: 4, errors: 0 },
  ]
  expect(callsOf(functions)).toEqual({ calls: 7, errors: 2 })
})
