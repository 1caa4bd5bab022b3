import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinPeaks, joinVariants } from '../../src/domain/concurrency/join.ts'
import { peakPerWindow, peaksByVariant } from '../../src/domain/concurrency/peaks.ts'
import { sortAscending } from '../../src/domain/concurrency/sort.ts'
import { partsOf, roundOutward, WINDOW } from '../../src/domain/concurrency/window.ts'
import {
  ACTIVITY_VARIANTS,
  type ActivityRow,
  activityColumns,
  activityInstants,
  activityRows,
} from '../../src/testing/arbitraries/index.ts'

const RANGE = { from: 10 * WINDOW, to: 16 * WINDOW }

/** The rule word for word: at every instant at which the number can rise, count who is active. */
function reference(rows: readonly ActivityRow[], now: number, range = RANGE): number[] {
  const activeAt = (instant: number): number =>
    rows.filter(({ start, end }) => {
      const stop = end === Number.POSITIVE_INFINITY ? now : end
      return stop <= start ? start === instant : start <= instant && instant < stop
    }).length
  const peaks: number[] = []
  for (let window = range.from; window < range.to; window += WINDOW) {
    const instants = [window, ...rows.map(row => row.start)].filter(
      at => at >= window && at < window + WINDOW,
    )
    peaks.push(Math.max(...instants.map(activeAt)))
  }
  return peaks
}

const instant = activityInstants(RANGE)

const peaks = (rows: readonly ActivityRow[], now = RANGE.to) => [
  ...peakPerWindow(activityColumns(rows), RANGE, now),
]
const at = (mark: number, offset = 0) => mark * WINDOW + offset
const from = (start: number, end: number): ActivityRow => ({ start, end, variant: 0 })

describe('peaks', () => {
  test('CC1 the figures are those of counting at every instant, whatever ties and bounds', () => {
    fc.assert(
      fc.property(activityRows(RANGE), instant, fc.func(fc.boolean()), (rows, now, packs) => {
        expect([...peakPerWindow(activityColumns(rows, packs), RANGE, now)]).toEqual(reference(rows, now))
      }),
      { numRuns: 500 },
    )
  })

  test('CC1 one that ends as another starts is not active with it', () => {
    expect(peaks([from(at(10), at(11, 5)), from(at(11, 5), at(11, 9))])).toEqual([1, 1, 0, 0, 0, 0])
  })

  test('CC1 one that began before the range counts from its first window on', () => {
    expect(peaks([from(at(2), at(12))])).toEqual([1, 1, 0, 0, 0, 0])
    expect(peaks([from(at(2), at(10))])).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('CC1 one without length counts at its instant, also on a mark and with others', () => {
    const rows = [from(at(12), at(12)), from(at(12), at(12)), from(at(11), at(12)), from(at(12), at(12, 1))]
    expect(peaks(rows)).toEqual([0, 1, 3, 0, 0, 0])
    expect(peaks([from(at(12, -1), at(12, -1))])).toEqual([0, 1, 0, 0, 0, 0])
  })

  test('CC1 one in progress is active until now', () => {
    expect(peaks([from(at(11), Number.POSITIVE_INFINITY)], at(13, 1))).toEqual([0, 1, 1, 1, 0, 0])
    expect(peaks([from(at(11), Number.POSITIVE_INFINITY)], at(13))).toEqual([0, 1, 1, 0, 0, 0])
  })

  test('CC8 each variant is counted by itself, by id, under its newest name', () => {
    fc.assert(
      fc.property(activityRows(RANGE), instant, fc.func(fc.boolean()), (rows, now, packs) => {
        for (const { id, peaks: own } of peaksByVariant(activityColumns(rows, packs), RANGE, now)) {
          const mine = rows.filter(({ variant }) => (ACTIVITY_VARIANTS[variant]?.id ?? '') === id)
          expect([...own]).toEqual(reference(mine, now))
        }
      }),
    )
    const series = peaksByVariant(
      activityColumns([
        { start: at(10), end: at(11), variant: 0 },
        { start: at(12, 1), end: at(13), variant: 3 },
        { start: at(12), end: at(13), variant: 1 },
        { start: at(11), end: at(12), variant: 1 },
        { start: at(12), end: at(13), variant: 2 },
      ]),
      RANGE,
      at(20),
    )
    expect(series.map(({ id, name }) => [id, name])).toEqual([
      ['', ''],
      ['a', 'New'],
      ['b', 'Bee'],
    ])
  })

  test('CC8 of two names that began at one instant the one that sorts last stands, in whatever order they come', () => {
    const named = (name: string) => ({ id: 'a', name, namedAt: at(12), peaks: new Uint32Array(3) })
    const part = (mark: number, name: string) => ({
      range: { from: at(mark), to: at(mark + 3) },
      series: [named(name)],
    })
    for (const [first, second] of [
      ['Old', 'New'],
      ['New', 'Old'],
    ] as const) {
      const rows = [first, second].map(name => ({
        start: at(12),
        end: at(15),
        variant: ACTIVITY_VARIANTS.findIndex(one => one.name === name),
      }))
      expect(peaksByVariant(activityColumns(rows), RANGE, at(20)).map(({ name }) => name)).toEqual(['Old'])
      const joined = joinVariants(RANGE, [part(10, first), part(13, second)])
      expect(joined.map(({ name }) => name)).toEqual(['Old'])
    }
  })

  test('CC8 conversations in blocks name a variant only where they were active', () => {
    const rows = [
      { start: at(11), end: at(12), variant: 1 },
      { start: at(16), end: at(17), variant: 3 },
    ]
    const series = peaksByVariant(
      activityColumns(rows, () => true),
      RANGE,
      at(20),
    )
    expect(series.map(({ id, name, namedAt }) => [id, name, namedAt])).toEqual([['a', 'Old', at(11)]])
  })

  test('CC8 a variant without a conversation in the range has no series', () => {
    const rows = [
      { start: at(1), end: at(10), variant: 0 },
      { start: at(16), end: at(17), variant: 1 },
    ]
    expect(peaksByVariant(activityColumns(rows), RANGE, at(20))).toEqual([])
  })

  test('CC1 many conversations of a week are counted right', () => {
    const range = { from: 0, to: 2016 * WINDOW }
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    const rows = Array.from({ length: 20_000 }, () => {
      const start = Math.floor(random() * range.to)
      return from(start, start + Math.floor(random() * 600_000))
    })
    const found = peakPerWindow(activityColumns(rows), range, range.to)
    const window = 1000
    const near = rows.filter(({ start }) => Math.abs(start - window * WINDOW) < 4 * WINDOW)
    const part = { from: window * WINDOW, to: (window + 1) * WINDOW }
    expect([found[window]]).toEqual(reference(near, range.to, part))
  })

  test('CC1 sorting orders any numbers, short columns and long ones', () => {
    fc.assert(
      fc.property(
        fc.uint32Array({ minLength: 0, maxLength: 50 }),
        fc.constantFrom(1, 400),
        (values, times) => {
          const many = Uint32Array.from(
            { length: values.length * times },
            (_, i) => values[i % values.length] ?? 0,
          )
          expect(sortAscending(many.slice())).toEqual(many.slice().sort((a, b) => a - b))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('windows', () => {
  test('CC8 bounds are rounded outward, marks stay', () => {
    expect(roundOutward(at(3), at(5))).toEqual({ from: at(3), to: at(5) })
    expect(roundOutward(at(3, 1), at(5, 1))).toEqual({ from: at(3), to: at(6) })
    expect(roundOutward(at(3, -1), at(5, -1))).toEqual({ from: at(2), to: at(5) })
  })
})

describe('parts', () => {
  const marks = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 120 }))
  const spread = fc
    .tuple(
      fc.integer({ min: 0, max: 320 }),
      fc.integer({ min: 0, max: 130 * WINDOW }),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(
      ([mark, length, variant]): ActivityRow => ({
        start: mark * WINDOW,
        end: mark * WINDOW + length,
        variant,
      }),
    )

  test('CC1 parts are of at most four hours, follow each other and are the range together', () => {
    fc.assert(
      fc.property(marks, ([first, length]) => {
        const range = { from: first * WINDOW, to: (first + length) * WINDOW }
        const parts = partsOf(range)
        expect(parts.reduce((sum, part) => sum + part.to - part.from, 0)).toBe(range.to - range.from)
        for (const [at, part] of parts.entries()) {
          expect(part.from).toBe(parts[at - 1]?.to ?? range.from)
          expect(part.to - part.from).toBeGreaterThan(0)
          expect(part.to - part.from).toBeLessThanOrEqual(4 * 60 * 60_000)
        }
      }),
    )
  })

  test('CC1 figures of the parts, put together, are those of the range, also by variant', () => {
    fc.assert(
      fc.property(fc.array(spread, { maxLength: 40 }), marks, instant, (rows, [first, length], now) => {
        const range = { from: first * WINDOW, to: (first + length) * WINDOW }
        const activity = activityColumns(rows)
        const parts = partsOf(range)
        const all = parts.map(part => ({ range: part, series: peakPerWindow(activity, part, now) }))
        expect(joinPeaks(range, all)).toEqual(peakPerWindow(activity, range, now))
        const sliced = parts.map(part => ({ range: part, series: peaksByVariant(activity, part, now) }))
        expect(joinVariants(range, sliced)).toEqual(peaksByVariant(activity, range, now))
      }),
      { numRuns: 300 },
    )
  })

  test('CC1 and CC8 a variant goes by its newest name, though an older conversation is the last to end', () => {
    const rows = [
      { start: at(48), end: at(48 * 3), variant: 1 },
      { start: at(49), end: at(50), variant: 3 },
    ]
    const range = { from: at(48), to: at(48 * 3) }
    // Each part reads only what is active in it.
    const parts = partsOf(range).map(part => {
      const inPart = rows.filter(({ start, end }) => start < part.to && end > part.from)
      return { range: part, series: peaksByVariant(activityColumns(inPart), part, range.to) }
    })
    expect(parts.map(({ series }) => series[0]?.name)).toEqual(['New', 'Old'])
    expect(joinVariants(range, parts).map(({ id, name }) => [id, name])).toEqual([['a', 'New']])
  })
})
