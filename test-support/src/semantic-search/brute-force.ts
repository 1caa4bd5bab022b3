import fc from 'fast-check'
import { expect } from 'vitest'
import type { RecordPageStart } from '../../../packages/core/src/ports/store/records.ts'
import type { Store } from '../../../packages/core/src/ports/store/store.ts'
import { LIVE, openBench, START, said } from './bench.ts'
import { KNOWN_WORDS, toyLikeness } from './toy-embedder.ts'

/** Largest error of a packed vector's likeness (RC45). */
const OFF = 0.01

const text = fc
  .array(fc.constantFrom('', 'the', 'is', ...KNOWN_WORDS), { maxLength: 4 })
  .map(words => words.join(' ').trim())
const talk = fc.record({
  turns: fc.array(fc.tuple(text, text), { maxLength: 5, size: 'max' }),
  day: fc.nat({ max: 3 }),
  channel: fc.constantFrom('CHAT', 'VOICE'),
  listed: fc.nat({ max: 9 }).map(number => number > 0),
})
const question = fc.record({
  query: text.filter(words => words !== ''),
  speaker: fc.constantFrom('user' as const, 'agent' as const, 'either' as const),
  minLikeness: fc.constantFrom(0.3, 0.55, 0.9),
  channel: fc.constantFrom(null, 'CHAT'),
  days: fc.tuple(fc.nat({ max: 1 }), fc.integer({ min: 2, max: 4 })),
  limit: fc.integer({ min: 1, max: 4 }),
})

/** A conversation as it was written, and where it stands in the lists. */
interface Made {
  readonly id: string
  readonly startedAt: number
  readonly turns: readonly (readonly [user: string, agent: string])[]
}

const best = ({ turns }: Made, query: string, speaker: 'user' | 'agent' | 'either'): number =>
  Math.max(
    ...turns.flatMap(([user, agent]) => {
      const sides = speaker === 'user' ? [user] : speaker === 'agent' ? [agent] : [user, agent]
      return sides.filter(side => side !== '').map(side => toyLikeness(side, query))
    }),
  )

/**
 * Searches over random conversations find what a comparison of every turn with the query finds, page by page. Long
 * because one history is drawn, played and compared.
 */
export async function searchesLikeBruteForce(open: () => Store, numRuns: number): Promise<void> {
  let foundSome = 0
  const histories = fc.array(talk, { minLength: 4, maxLength: 14, size: 'max' })
  await fc.assert(
    fc.asyncProperty(histories, question, async (talks, asked) => {
      const { query, speaker, minLikeness, channel, days, limit } = asked
      const bench = openBench(open(), { semanticSearch: { minLikeness, batchTurns: 3 } })
      for (const [at, { turns, day, ...index }] of talks.entries()) {
        const startedAt = START + day
        await bench.create(`AS-${10 + at}`, { startedAt, index, turns: turns.map(one => said(...one)) })
      }
      await bench.embedAll()
      const candidates = talks
        .map((one, at): Made & typeof one => ({ ...one, id: `AS-${10 + at}`, startedAt: START + one.day }))
        .filter(one => one.listed && (channel === null || one.channel === channel))
        .filter(({ day }) => day >= days[0] && day < days[1])
        .toSorted((one, other) => one.startedAt - other.startedAt || (one.id < other.id ? -1 : 1))
      const filter = {
        ...LIVE,
        startTime: START + days[0],
        endTime: START + days[1],
        ...(channel !== null && { channels: [channel] }),
        semantic: { text: query, speaker },
      }
      const pages = async (next: (seen: readonly Made[], last: Made | undefined) => RecordPageStart) => {
        const seen: Made[] = []
        for (;;) {
          const from = next(seen, seen.at(-1))
          const page = await bench.platform.reading.records(filter, from, limit)
          expect(page.records.length).toBeLessThanOrEqual(limit)
          seen.push(...page.records.map(({ id, startedAt }) => ({ id, startedAt, turns: [] })))
          if (!page.more) return seen.map(({ id }) => id)
          expect(page.records.length).toBe(limit)
        }
      }
      const walked = await pages((_, last) =>
        last === undefined ? { offset: 0 } : { after: { startedAt: last.startedAt, id: last.id } },
      )
      // If a likeness is within the error of the threshold, either answer is right.
      const near = candidates.filter(one => Math.abs(best(one, query, speaker) - minLikeness) < OFF)
      const isNear = (id: string): boolean => near.some(one => one.id === id)
      const expected = candidates.filter(one => best(one, query, speaker) >= minLikeness).map(({ id }) => id)
      expect(walked.filter(id => !isNear(id))).toEqual(expected.filter(id => !isNear(id)))
      expect(await pages(seen => ({ offset: seen.length }))).toEqual(walked)
      const sliced: string[] = []
      for await (const { records } of bench.platform.reading.slices(filter, { offset: 0 }, 1_000))
        sliced.push(...records.map(({ id }) => id))
      expect(sliced).toEqual(walked)
      if (walked.length > 1) foundSome++
      await bench.platform.close()
    }),
    // Drawn with a seed, so that some are found for certain.
    { numRuns, examples: fc.sample(fc.tuple(histories, question), { seed: 1, numRuns: 4 }) },
  )
  // Without any the comparison would say nothing.
  expect(foundSome).toBeGreaterThan(0)
}
