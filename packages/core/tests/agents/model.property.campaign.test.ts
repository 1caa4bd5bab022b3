import { play, type World } from '@colloquy/test-support/agents-model/play'
import { histories } from '@colloquy/test-support/agents-model/steps'
import { createTally } from '@colloquy/test-support/agents-model/tally'
import { platformsOver } from '@colloquy/test-support/agents-model/world'
import { SEED } from '@colloquy/test-support/seed'
import fc from 'fast-check'
import { test } from 'vitest'
import { createMemoryStore } from '../../src/memory/index.ts'

const RUNS = 40

/** Two platforms over one store in memory, which outlives them. */
function inMemory(): Promise<World> {
  const store = createMemoryStore()
  return platformsOver(() => ({ ...store, close: async () => {} }), 2)
}

test('random histories of edits, merges and deployments come to what a naive model says', async () => {
  const tally = createTally()
  // What histories meet is up to chance: where something has been rare so far, others are played.
  for (let round = 1; round === 1 || (round <= 12 && !tally.isDeep()); round++)
    await fc.assert(
      fc.asyncProperty(histories(50, 100), async steps => {
        const world = await inMemory()
        await play(world, steps, tally)
        await world.close()
      }),
      { numRuns: RUNS, seed: SEED + round, endOnFailure: true },
    )
  tally.expectDeep()
})
