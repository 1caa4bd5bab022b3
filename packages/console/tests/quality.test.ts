import { describe, expect, test } from 'vitest'
import { type Counted, linesOf, stepsOf, strokesOf } from '../page/views/concurrency/quality.ts'

const one = (values: Partial<Counted> & { readonly rating?: number } = {}): Counted => {
  const { rating, ...rest } = values
  return {
    ...{ handoff: false, handoff_destination: '', deployment_id: 'D-1', project_id: 'A-1' },
    metrics: rating === undefined ? {} : { visitor_rating: String(rating) },
    ...rest,
  }
}

describe('CO629 figures over time', () => {
  test('are of days for two weeks, then of weeks, and of four weeks for long ranges, without a gap', () => {
    const start = new Date(2026, 2, 20, 15).getTime()
    for (const [days, step, count] of [
      [1, 'day', 2],
      [14, 'day', 15],
      [15, 'week', 3],
      [90, 'week', 13],
      [365, 'month', 14],
    ] as const) {
      const end = new Date(2026, 2, 20 + days, 14).getTime()
      const found = stepsOf({ start, end })
      expect([found.step, found.steps.length], `${days} days`).toEqual([step, count])
      expect([found.steps[0]?.start, found.steps.at(-1)?.end]).toEqual([start, end])
      for (const [at, next] of found.steps.slice(1).entries()) {
        expect(found.steps[at]?.end).toBe(next.start)
        expect(new Date(next.start).getHours()).toBe(0)
      }
    }
  })

  test('count ratings and conversations without a handoff, of all, by version and by queue', () => {
    const handed = { handoff: true, handoff_destination: 'sales' }
    const spans = [
      [one({ rating: 5 }), one({ rating: 2, ...handed }), one({ deployment_id: 'D-2' }), one({ ...handed })],
      [],
      [one({ rating: 4, deployment_id: 'D-2' })],
    ]
    const all = [{ count: 4, rating: 3.5, share: 0.5 }, null, { count: 1, rating: 4, share: 1 }]
    expect(linesOf(spans, 'all')).toEqual([{ name: '', cells: all }])
    expect(linesOf(spans, 'version')).toEqual([
      { name: 'D-1', cells: [{ count: 3, rating: 3.5, share: 1 / 3 }, null, null] },
      { name: 'D-2', cells: [{ count: 1, rating: null, share: 1 }, null, { count: 1, rating: 4, share: 1 }] },
    ])
    // Of a queue it is the share of conversations that went to it.
    expect(linesOf(spans, 'queue')).toEqual([
      { name: 'sales', cells: [{ count: 2, rating: 2, share: 0.5 }, null, null] },
    ])
    expect(linesOf([[], []], 'all')).toEqual([])
    const many = Array.from({ length: 9 }, (_, at) => Array(at + 1).fill(one({ deployment_id: `D-${at}` })))
    expect(linesOf([many.flat()], 'version').map(({ name }) => name)).toEqual(['D-5', 'D-6', 'D-7', 'D-8'])
  })

  test('count a conversation for each of its topics, and none of which the topics are unknown', () => {
    const handed = { handoff: true, topics: ['Dogs', 'Parking'] }
    const spans = [[one({ topics: ['Dogs'], rating: 4 }), one(handed), one({ topics: [] }), one()]]
    expect(linesOf(spans, 'topic')).toEqual([
      { name: 'Dogs', cells: [{ count: 2, rating: 4, share: 0.5 }] },
      { name: 'Parking', cells: [{ count: 1, rating: null, share: 0 }] },
    ])
  })

  test('are compared between agents', () => {
    const spans = [[one(), one({ project_id: 'A-2', handoff: true })], [one({ project_id: 'A-2' })]]
    expect(linesOf(spans, 'agent')).toEqual([
      { name: 'A-1', cells: [{ count: 1, rating: null, share: 1 }, null] },
      {
        name: 'A-2',
        cells: [
          { count: 1, rating: null, share: 0 },
          { count: 1, rating: null, share: 1 },
        ],
      },
    ])
  })

  test('are drawn with a gap where there is no figure', () => {
    expect(strokesOf([0, null, 0.5, 1])).toEqual([
      [[0, 0]],
      [
        [2 / 3, 0.5],
        [1, 1],
      ],
    ])
    expect([strokesOf([1]), strokesOf([null]), strokesOf([])]).toEqual([[[[0.5, 1]]], [], []])
  })
})
