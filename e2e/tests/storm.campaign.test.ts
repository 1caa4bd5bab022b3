import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { SEED } from '@colloquy/test-support/seed'
import { freshDatabase } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { runStorm } from './support/storm/storm.ts'
import { judge, readAll } from './support/storm/verdict.ts'

const { STORM_ROUNDS = '3' } = process.env

/** How often the server dies: a few times in the suite, more in a campaign (`STORM_ROUNDS=15`). */
const ROUNDS = Number(STORM_ROUNDS)

test('EE1 a server that is killed at any instant under fifty sessions loses nothing, doubles nothing, and answers everything', {
  timeout: 300_000 + ROUNDS * 40_000,
}, async () => {
  const options = {
    database: await freshDatabase(),
    seed: SEED,
    rounds: ROUNDS,
    sessions: 50,
  }
  console.log(`COLLOQUY_TEST_SEED=${options.seed} STORM_ROUNDS=${options.rounds}`)
  const storm = await runStorm(options)
  console.log(JSON.stringify(storm.figures))
  const readings = await readAll(storm.crowd)
  storm.server.kill('SIGTERM')
  expect(await storm.server.exit).toBe(0)
  const store = createSqliteStore({ filename: options.database })
  onTestFinished(() => store.close())
  expect(await judge(storm.crowd, readings, store)).toEqual([])
  // The storm was one: it cut off connections, and events were sent again.
  expect(storm.figures.reconnects).toBeGreaterThanOrEqual(options.sessions)
  expect(storm.figures.resends).toBeGreaterThan(0)
})
