import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { runStorm } from './support/storm/storm.ts'
import { judge } from './support/storm/verdict.ts'

const { STORM_ROUNDS = '3', STORM_SEED = String(Date.now() % 1_000_000) } = process.env

/** How often the server dies: a few times in the suite, more in a campaign (`STORM_ROUNDS=15`). */
const ROUNDS = Number(STORM_ROUNDS)

test('EE4 a server that is killed at any instant under fifty sessions loses nothing, doubles nothing, and answers everything', {
  timeout: 60_000 + ROUNDS * 40_000,
}, async () => {
  const options = {
    database: await freshDatabase(),
    seed: Number(STORM_SEED),
    rounds: ROUNDS,
    sessions: 50,
  }
  console.log(`STORM_SEED=${options.seed} STORM_ROUNDS=${options.rounds}`)
  const storm = await runStorm(options)
  console.log(JSON.stringify(storm.figures))
  expect(await judge(storm, options.database)).toEqual([])
  // The storm was one: it cut off connections, and events were sent again.
  expect(storm.figures.reconnects).toBeGreaterThanOrEqual(options.sessions)
  expect(storm.figures.resends).toBeGreaterThan(0)
})
