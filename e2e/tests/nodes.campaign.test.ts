import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createRandom } from '@colloquy/test-support/random'
import { SEED } from '@colloquy/test-support/seed'
import { requireProgram } from '@colloquy/test-support/servers'
import { expect, onTestFinished, test } from 'vitest'
import { runNodesStorm } from './support/nodes/nodes-storm.ts'
import { compareCursors } from './support/nodes/read-from.ts'
import { judge, readAll } from './support/storm/verdict.ts'

const { NODES_ROUNDS = '3', NODES_STOPPED = '20', NODES_SESSIONS = '200', NODES_CLOCK = '30' } = process.env

/** Rounds of three mishaps each: a few by default, fifty for a long storm (`NODES_ROUNDS=50 NODES_STOPPED=60`). */
const ROUNDS = Number(NODES_ROUNDS)

/** From so many rounds on events are sent again in any storm. */
const LONG = 10

/** How long a node stands still, milliseconds. */
const STOPPED = Number(NODES_STOPPED) * 1_000

/** How far the clock of a node may be off, milliseconds. */
const CLOCK_ERROR = Number(NODES_CLOCK) * 1_000

const programs = {
  postgres: requireProgram('postgres', 'postgresql'),
  redis: requireProgram('redis-server', 'redis-server'),
}

test('three nodes lose nothing, double nothing and answer everything once, whatever becomes of nodes, database, broker, network and clocks', {
  timeout: 240_000 + ROUNDS * (90_000 + 3 * STOPPED),
}, async () => {
  console.log(`COLLOQUY_TEST_SEED=${SEED} NODES_ROUNDS=${ROUNDS} NODES_STOPPED=${NODES_STOPPED}`)
  const storm = await runNodesStorm({
    seed: SEED,
    rounds: ROUNDS,
    sessions: Number(NODES_SESSIONS),
    programs,
    clockError: CLOCK_ERROR,
    lengths: { away: 3_000, cut: 15_000, stopped: STOPPED },
    tell: line => console.log(line),
  })
  console.log(JSON.stringify(storm.figures))
  const complaints = await compareCursors(storm, createRandom(SEED))
  console.log(`All cursors are compared: ${complaints.length} complaints.`)
  const readings = await readAll(storm.crowd)
  console.log('Everything is read.')
  expect(await storm.nodes.end()).toEqual([0, 0, 0])
  const store = await createPostgresStore({ url: storm.nodes.database.url })
  onTestFinished(() => store.close())
  // No mishap is long enough for three attempts at a turn to be lost.
  expect(storm.nodes.failedTurns()).toEqual([])
  expect(storm.crowd.stated()).toEqual([])
  expect([...complaints, ...(await judge(storm.crowd, readings, store))]).toEqual([])
  // The storm was one: it cut off connections. In a short one it can be that nobody waited for an echo just then, so
  // that nothing was sent again.
  expect(storm.figures.reconnects).toBeGreaterThan(ROUNDS)
  if (ROUNDS >= LONG) expect(storm.figures.resends).toBeGreaterThan(0)
})
