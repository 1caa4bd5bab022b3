import { play, type World } from '@colloquy/test-support/agents-model/play'
import { histories } from '@colloquy/test-support/agents-model/steps'
import { createTally } from '@colloquy/test-support/agents-model/tally'
import { platformsOver } from '@colloquy/test-support/agents-model/world'
import { SEED } from '@colloquy/test-support/seed'
import fc from 'fast-check'
import { it } from 'vitest'
import { createPostgresStore } from '../src/store.ts'
import { describePostgres, type TestStores } from './postgres.ts'

const RUNS = 12

/** A number of platforms, each with connections of its own to one new schema. */
async function overOneSchema({ open, schemaOf, schemas }: TestStores, nodes: number): Promise<World> {
  const holder = await open()
  const schema = schemaOf(holder)
  const world = await platformsOver(
    () => createPostgresStore({ url: schemas.url, schema, maxConnections: 4 }),
    nodes,
  )
  return {
    ...world,
    async close() {
      await world.close()
      await holder.close()
    },
  }
}

describePostgres('PostgreSQL', stores => {
  it('random histories of agents come to what a naive model says, over one or two nodes', async () => {
    const tally = createTally()
    // What histories meet is up to chance: where something has been rare so far, others are played.
    for (let round = 1; round === 1 || (round <= 12 && !tally.isDeep()); round++)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(1, 2), histories(50, 90), async (nodes, steps) => {
          const world = await overOneSchema(stores, nodes)
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
})
