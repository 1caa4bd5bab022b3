import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionOf } from '../page/views/conversations/conditions.ts'
import { narrowed } from '../page/views/conversations/narrowed.ts'
import { DAYS, spansOf } from '../page/views/home/days.ts'
import { FIGURES, figuresOf, SAMPLE, type Sums } from '../page/views/home/figures.ts'

const NOTHING: Sums = { conversations: 0, turns: 0, unknown: 0, handoffs: 0, ratings: [] }

const figure = (name: (typeof FIGURES)[number], day: Partial<Sums>, before: Partial<Sums>) => {
  const found = figuresOf({ ...NOTHING, ...day }, { ...NOTHING, ...before }).find(one => one.name === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found
}

test('CO16 a count of a day is compared with an average day of the week before', () => {
  const seen = figure('conversations', { conversations: 30 }, { conversations: 140 })
  expect(seen).toMatchObject({ value: 30, before: 20, change: 0.5, tone: 'plain', isLeast: false })
  expect(figure('handoffs', { handoffs: 4 }, { handoffs: 14 })).toMatchObject({
    ...{ value: 4, before: 2, change: 1, tone: 'bad' },
  })
})

test('CO16 shares and ratings are compared as they are, and nothing is compared with nothing', () => {
  const contained = figure(
    'contained',
    { conversations: 10, handoffs: 1 },
    { conversations: 20, handoffs: 4 },
  )
  expect(contained.value).toBeCloseTo(0.9)
  expect(contained.change).toBeCloseTo(0.1)
  expect(contained.tone).toBe('good')
  expect(figure('rating', { ratings: [5, 4] }, { ratings: [3] })).toMatchObject({
    ...{ value: 4.5, before: 3, change: 1.5, tone: 'good' },
  })
  expect(figure('unanswered', { turns: 10, unknown: 2 }, { turns: 0 })).toMatchObject({
    ...{ value: 0.2, before: null, change: null, tone: 'plain' },
  })
  expect(figure('rating', {}, { ratings: [3] })).toMatchObject({ value: null, change: null })
})

test('CO16 a change that is not seen in the figure is none', () => {
  expect(figure('rating', { ratings: [4] }, { ratings: [4, 4, 4.1] })).toMatchObject({
    ...{ change: 0, tone: 'plain' },
  })
})

test('CO16 counts of a sample are not compared, and shares are', () => {
  const day = { conversations: SAMPLE, handoffs: 50 }
  expect(figure('conversations', day, { conversations: 70 })).toMatchObject({ isLeast: true, change: null })
  expect(figure('contained', day, { conversations: SAMPLE, handoffs: 100 }).tone).toBe('good')
  expect(figure('conversations', { conversations: 9 }, { conversations: SAMPLE }).before).toBeNull()
})

const sums = fc
  .record({
    conversations: fc.nat(SAMPLE),
    turns: fc.nat(900),
    ratings: fc.array(fc.integer({ min: 1, max: 5 })),
  })
  .chain(known =>
    fc.record({
      ...{ conversations: fc.constant(known.conversations), turns: fc.constant(known.turns) },
      ...{ handoffs: fc.nat(known.conversations), unknown: fc.nat(known.turns) },
      ratings: fc.constant(known.ratings),
    }),
  )

test('CO16 every figure is a number that can be read, or none', () => {
  fc.assert(
    fc.property(sums, sums, (day, before) => {
      const figures = figuresOf(day, before)
      expect(figures.map(({ name }) => name)).toEqual(FIGURES)
      for (const { value, before: then, change, unit, tone } of figures) {
        for (const one of [value, then, change]) expect(one === null || Number.isFinite(one)).toBe(true)
        if (unit === 'share' && value !== null) expect(value >= 0 && value <= 1).toBe(true)
        if (change === null || change === 0) expect(tone).toBe('plain')
      }
    }),
  )
})

test('CO16 a day begins at midnight of the own clock, and the week before ends there', () => {
  const now = new Date(2026, 2, 30, 15, 20).getTime()
  for (const day of DAYS) {
    const { day: shown, before } = spansOf(day, now)
    expect(before.end).toBe(shown.start)
    for (const at of [shown.start, shown.end, before.start]) {
      expect(new Date(at).toTimeString()).toMatch(/^00:00:00 /)
    }
    expect(new Date(before.start).getDate()).toBe(day === 'today' ? 23 : 22)
  }
  expect(spansOf('yesterday', now).day.end).toBe(spansOf('today', now).day.start)
})

const row = (id: number) => ({
  ...{ id, handoff: id % 3 === 0, num_ood: id % 4 === 0 ? 1 : 0 },
  metrics: id % 5 === 0 ? { visitor_rating: '4' } : ({} as Readonly<Record<string, string>>),
  ...{ total_duration: 0, language: '' },
})
type Row = ReturnType<typeof row>

const wantedBy = (filters: Readonly<Record<string, string>>): ((one: Row) => boolean) =>
  conditionOf(filters) ?? (() => true)

test('CO16 a list is narrowed to each kind, in its order, and none is left out or doubled', async () => {
  const all = Array.from({ length: 57 }, (_, id) => row(id))
  const narrow = [
    { handoff: 'no' },
    { handoff: 'yes', answered: 'no' },
    { rating: 'any' },
    { answered: 'yes' },
  ]
  for (const filters of narrow) {
    const isWanted = wantedBy(filters)
    const found: number[] = []
    let cursor: string | undefined
    do {
      const page = await narrowed(
        isWanted,
        async (from = '0') => {
          const start = Number(from)
          const end = start + 10
          return { rows: all.slice(start, end), cursor: end < all.length ? String(end) : null }
        },
        cursor,
        { enough: 3, mostPages: 2 },
      )
      found.push(...page.rows.map(({ id }) => id))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(all.filter(isWanted).map(({ id }) => id))
    expect(found.length).toBeGreaterThan(0)
  }
})

test('CO16 a list without any of a kind asks for so many pages, and no more', async () => {
  let asked = 0
  const page = await narrowed<Row>(
    wantedBy({ rating: 'any' }),
    async () => {
      asked++
      return { rows: [row(1)], cursor: 'on' }
    },
    undefined,
    { enough: 50, mostPages: 5 },
  )
  expect([asked, page]).toEqual([5, { rows: [], cursor: 'on' }])
})
