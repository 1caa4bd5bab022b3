import { runs } from '@colloquy/test-support/runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOut, withPlace } from '../../../src/domain/agent/share-out.ts'

const OWNERS = ['a', 'b', 'c', 'd']

const situation = fc.record({
  waiting: fc.dictionary(fc.constantFrom(...OWNERS), fc.nat(8)),
  held: fc.array(fc.constantFrom(...OWNERS), { maxLength: 10 }),
  places: fc.nat(12),
})

test('TE21 places go to those who hold the fewest, none is left while somebody waits, and each line keeps its order', () => {
  fc.assert(
    fc.property(situation, ({ held, places, waiting }) => {
      const lines = Object.entries(waiting).map(([owner, count]) => ({
        owner,
        jobs: Array.from({ length: count }, (_, nth) => ({ owner, nth })),
      }))
      const chosen = shareOut(lines, { held, served: [] }, places)
      const all = lines.flatMap(({ jobs }) => jobs)
      expect(chosen.length).toBe(Math.min(places, all.length))
      const heldAfter = (owner: string) =>
        held.filter(one => one === owner).length + chosen.filter(job => job.owner === owner).length
      for (const { jobs, owner } of lines) {
        const own = chosen.filter(job => job.owner === owner)
        expect(own).toEqual(jobs.slice(0, own.length))
        // Who waits on has no fewer, but for one, than anybody who was given a place.
        if (own.length < jobs.length)
          for (const other of lines)
            if (chosen.some(job => job.owner === other.owner))
              expect(heldAfter(other.owner)).toBeLessThanOrEqual(heldAfter(owner) + 1)
      }
    }),
    { numRuns: runs(300, 5_000) },
  )
})

test('TE21 with one place, those who wait are served in turn', () => {
  const order = fc.shuffledSubarray(OWNERS, { minLength: 2 })
  fc.assert(
    fc.property(order, fc.integer({ min: 3, max: 6 }), (owners, rounds) => {
      const lines = owners.map(owner => ({ owner, jobs: [owner] }))
      let shares = { held: [] as readonly string[], served: [] as readonly string[] }
      const turns: string[] = []
      for (let round = 0; round < rounds * owners.length; round++) {
        const [owner = ''] = shareOut(lines, shares, 1)
        turns.push(owner)
        shares = { held: [], served: withPlace(shares, owner).served }
      }
      expect(turns).toEqual(Array.from({ length: rounds }, () => owners).flat())
    }),
    { numRuns: runs(50, 500) },
  )
})
