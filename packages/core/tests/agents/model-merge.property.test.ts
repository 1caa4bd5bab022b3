import { answer } from '@colloquy/test-support/agents-model/answers'
import { contentOfTree } from '@colloquy/test-support/agents-model/compare'
import { inOrder, type Resolution } from '@colloquy/test-support/agents-model/conflict-resolver'
import { canonical } from '@colloquy/test-support/agents-model/content'
import { mergeContents } from '@colloquy/test-support/agents-model/merge'
import { aWord, someAnswers, someMischief } from '@colloquy/test-support/agents-model/steps'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type MergeResult, type MergeSides, merge } from '../../src/domain/agent/merge.ts'
import { contentEdits, editContent, NEW_CONTENT, SOME_CONTENT } from '../../src/testing/arbitraries/index.ts'

const RUNS = 1_500

/** Two histories from a common beginning, and the answers to what they disagree about. */
const aMerge = fc.record({
  start: fc.constantFrom(NEW_CONTENT, SOME_CONTENT, SOME_CONTENT),
  before: contentEdits,
  main: contentEdits,
  branch: contentEdits,
  answers: someAnswers,
  mischief: someMischief,
  text: aWord,
})

/** A result without the order of its conflicts and the words of its refusal. */
const comparable = (result: MergeResult | ReturnType<typeof mergeContents>) => {
  if (result.status === 'conflicts')
    return {
      status: result.status,
      conflicts: inOrder<{ readonly path: readonly string[] }>(result.conflicts),
    }
  if (result.status === 'invalid') return { status: result.status }
  return { status: result.status, content: 'tree' in result ? contentOfTree(result.tree) : result.content }
}

const sameOutcome = (actual: MergeResult, expected: ReturnType<typeof mergeContents>): boolean =>
  actual.status === 'merged' && expected.status === 'merged'
    ? canonical(contentOfTree(actual.tree)) === canonical(expected.content)
    : JSON.stringify(comparable(actual)) === JSON.stringify(comparable(expected))

test('AG9, AG10, AG11, AG12 and AG14 conflicts, resolutions and results are those of a naive merge', () => {
  const seen = { modify: 0, add: 0, delete: 0, merged: 0, invalid: 0, laterRounds: 0 }
  fc.assert(
    fc.property(aMerge, ({ start, before, main, branch, ...step }) => {
      const base = editContent(start, 'b', before)
      const sides: MergeSides = {
        base,
        ours: editContent(base, 'o', main),
        theirs: editContent(base, 't', branch),
      }
      const three = {
        base: contentOfTree(sides.base),
        ours: contentOfTree(sides.ours),
        theirs: contentOfTree(sides.theirs),
      }
      let resolutions: readonly Resolution[] = []
      for (let round = 0; round < 6; round++) {
        const [actual, expected] = [merge(sides, resolutions), mergeContents(three, resolutions)]
        if (!sameOutcome(actual, expected)) {
          expect({ resolutions, ...comparable(actual) }).toEqual({ resolutions, ...comparable(expected) })
        }
        if (expected.status !== 'conflicts') {
          seen[expected.status] += round > 0 ? 1 : 0
          return
        }
        for (const { type } of expected.conflicts) seen[type] += 1
        if (round > 0) seen.laterRounds += 1
        resolutions = answer(expected.conflicts, resolutions, step, round === 0)
      }
    }),
    // Drawn with a seed, so that each of these happens for certain.
    { numRuns: RUNS, examples: fc.sample(fc.tuple(aMerge), { seed: 1, numRuns: 400 }) },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(3)
})

test('AG11 the naive merge, too, settles names that are shared at once before one of them is given away', () => {
  const topic = (name: string, isActive: boolean) => ({ name, content: 'same', isActive })
  const base = contentOfTree(NEW_CONTENT)
  const ours = { ...base, topics: { O1: topic('west', true), O2: topic('north', false) } }
  const theirs = { ...base, topics: { T1: topic('west', true), T2: topic('north', true) } }
  const resolutions: readonly Resolution[] = [
    { path: ['topics', 'west', 'name'], strategy: 'theirs', value: 'north' },
    { path: ['topics', 'north', 'isActive'], strategy: 'base' },
  ]
  expect(mergeContents({ base, ours, theirs }, resolutions)).toMatchObject({
    status: 'merged',
    content: { topics: { O1: topic('north', true) } },
  })
})
