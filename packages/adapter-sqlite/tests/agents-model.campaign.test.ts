import { play, type World } from '@colloquy/test-support/agents-model/play'
import { histories } from '@colloquy/test-support/agents-model/steps'
import { createTally } from '@colloquy/test-support/agents-model/tally'
import { platformsOver } from '@colloquy/test-support/agents-model/world'
import { SEED } from '@colloquy/test-support/seed'
import fc from 'fast-check'
import { it } from 'vitest'
import { createSqliteStore } from '../src/store.ts'
import { temporaryFile } from './files.ts'

const RUNS = 24

/** A number of platforms, each with a connection of its own to one new file. */
function overOneFile(nodes: number): Promise<World> {
  const filename = temporaryFile()
  return platformsOver(() => createSqliteStore({ filename }), nodes)
}

it('random histories of agents come to what a naive model says, over a file with one or two connections', async () => {
  const tally = createTally()
  // What histories meet is up to chance: where something has been rare so far, others are played.
  for (let round = 1; round === 1 || (round <= 12 && !tally.isDeep()); round++)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(1, 2), histories(50, 90), async (nodes, steps) => {
        const world = await overOneFile(nodes)
        try {
          await play(world, steps, tally)
        } finally {
          await world.close()
        }
      }),
      { numRuns: RUNS, seed: SEED + round, endOnFailure: true },
    )
  tally.expectDeep()
})
