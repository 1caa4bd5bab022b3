import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REPLAY_VERDICTS, type ReplayGroup } from '../../src/domain/agent/replay.ts'
import { excessesOf } from '../../src/domain/agent/replay-gate.ts'
import { STRATUM, stratified } from '../../src/domain/agent/replay-sample.ts'
import { situationsOf } from '../../src/domain/conversation/turn-recording.ts'

const TOPICS = ['Bar', 'Pool', 'Gym', 'Spa'] as const

describe('the sample of a replay', () => {
  const candidates = fc
    .array(fc.subarray([...TOPICS, 'Rare'], { maxLength: 3 }), { maxLength: 60 })
    .map(all => all.map((topics, at) => ({ id: `C-${at}`, topics })))

  test('TE69 each topic has five conversations where there are as many and the sample has room', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 70 }), (all, size) => {
        const sample = stratified(all, size)
        expect(sample.length).toBe(Math.min(size, all.length))
        // In the order of the candidates, each once.
        expect(all.filter(one => sample.includes(one))).toEqual(sample)
        const topics = new Set(all.flatMap(one => one.topics))
        if (size < topics.size * STRATUM) return
        for (const topic of topics) {
          const citing = (list: typeof sample) => list.filter(one => one.topics.includes(topic)).length
          expect(citing(sample)).toBeGreaterThanOrEqual(Math.min(STRATUM, citing(all)))
        }
      }),
      { numRuns: runs(200, 2_000) },
    )
  })

  test('TE69 a topic that was cited once among many is in a small sample', () => {
    const all = Array.from({ length: 50 }, (_, at) => ({
      ...{ id: `C-${at}`, topics: at === 49 ? ['Rare'] : ['Bar'] },
    }))
    expect(stratified(all, 6).map(({ id }) => id)).toEqual(['C-0', 'C-1', 'C-2', 'C-3', 'C-4', 'C-49'])
  })
})

describe('the bounds of a required replay', () => {
  const groups: fc.Arbitrary<readonly ReplayGroup[]> = fc.array(
    fc.record({
      verdict: fc.constantFrom(...REPLAY_VERDICTS.filter(verdict => verdict !== 'same')),
      reason: fc.constantFrom('text', 'topic'),
      from: fc.constant(''),
      to: fc.constant(''),
      turns: fc.integer({ min: 1, max: 9 }),
      accepted: fc.option(fc.constant({ why: 'x', by: 'y', at: 1 })),
    }),
  )
  const verdictsOf = (all: readonly ReplayGroup[], same: number) => {
    const count = (verdict: string) =>
      all.filter(one => one.verdict === verdict).reduce((sum, { turns }) => sum + turns, 0)
    return {
      ...{ worse: count('worse'), errored: count('errored'), changed: count('changed'), same },
      ...{ off_script: count('off_script'), not_replayable: count('not_replayable') },
      ...{ better: count('better'), reworded: count('reworded') },
    }
  }

  test('TE63 to accept more, or to allow more, never makes it fail; to accept all makes it pass', () => {
    const bound = fc.double({ min: 0, max: 1, noNaN: true })
    const bounds = fc.record({ maxWorse: bound, maxChanged: bound, maxNotReplayable: bound })
    fc.assert(
      fc.property(groups, fc.nat(20), bounds, fc.nat(9), (all, same, allowed, at) => {
        const verdicts = verdictsOf(all, same)
        const names = (list: readonly ReplayGroup[], limits = allowed) =>
          excessesOf({ groups: list, verdicts }, limits).map(one => one.bound)
        const found = names(all)
        const accepted = { why: 'x', by: 'y', at: 1 }
        const more = all.map((one, place) => (place === at ? { ...one, accepted } : one))
        for (const one of names(more)) expect(found).toContain(one)
        expect(names(all, { maxWorse: 1, maxChanged: 1, maxNotReplayable: 1 })).toEqual([])
        expect(names(all.map(one => ({ ...one, accepted })))).toEqual([])
        const open = all.filter(one => one.accepted === null)
        const none = { maxWorse: 0, maxChanged: 0, maxNotReplayable: 0 }
        expect(names(all, none).includes('maxWorse')).toBe(
          open.some(({ verdict }) => verdict === 'worse' || verdict === 'errored'),
        )
      }),
      { numRuns: runs(200, 2_000) },
    )
  })
})

describe('what is recorded of turns', () => {
  test('TE68 the parts that turns wrote fold to the state before each of them', () => {
    const wrote = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ max: 3 }), { maxKeys: 2 })
    fc.assert(
      fc.property(fc.array(fc.option(wrote), { maxLength: 8 }), given => {
        let before: Record<string, number> = {}
        const expected: unknown[] = []
        let known = true
        const turns = given.map(variables => {
          known &&= variables !== null
          expected.push(known ? before : null)
          before = { ...before, ...variables }
          const recording = variables === null ? {} : { recording: { sequence: 1, now: 2, variables } }
          return { record: {}, details: recording }
        })
        expect(situationsOf(turns, null).map(one => one?.variables ?? null)).toEqual(expected)
      }),
      { numRuns: runs(200, 2_000) },
    )
  })
})
