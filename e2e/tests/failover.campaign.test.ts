import { setTimeout as pause } from 'node:timers/promises'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { createRandom } from '@colloquy/test-support/random'
import { SEED } from '@colloquy/test-support/seed'
import { requireProgram } from '@colloquy/test-support/servers'
import { startStandalone } from '@colloquy/test-support/standalone'
import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../../examples/cluster/src/proxy.ts'
import { startPrimaries } from './support/nodes/primaries.ts'
import { gather, STORM_SETTINGS } from './support/storm/storm.ts'
import { judge, readAll } from './support/storm/verdict.ts'

const program = requireProgram('postgres', 'postgresql')
// A standby begins with it.
requireProgram('pg_basebackup', 'postgresql')

/** How long the address names a standby before it becomes the primary, milliseconds. */
const STANDBY_FOR = 3_000

/** Frames after which the primary is lost: in the middle of it. */
const FRAMES = 400

test('PG23 a standby that has every commit takes over under visitors of two nodes: nothing is lost, doubled or left without an answer', async () => {
  console.log(`COLLOQUY_TEST_SEED=${SEED}`)
  const database = await startPrimaries(program)
  const settings = {
    ...{ ...STORM_SETTINGS, COLLOQUY_DATABASE_URL: database.url },
    COLLOQUY_BUS_URL: 'postgres',
  }
  const nodes = [await startStandalone(settings), await startStandalone(settings)]
  await database.waitForStandby()
  const proxy = await startProxy(0)
  onTestFinished(() => proxy.close())
  for (const { port } of nodes) proxy.add(Number(port))
  const crowd = await gather(`http://localhost:${proxy.port}`, 40, createRandom(SEED))
  crowd.play(0)
  const target = crowd.frames() + FRAMES
  await Promise.race([crowd.signal.until(() => crowd.frames() >= target), crowd.satisfied()])

  await database.losePrimary()
  await pause(STANDBY_FOR)
  await database.promote()
  crowd.play(1)
  await crowd.finish()

  const readings = await readAll(crowd)
  for (const node of nodes) node.kill('SIGTERM')
  expect(await Promise.all(nodes.map(({ exit }) => exit))).toEqual([0, 0])
  const said = nodes.map(({ output }) => `${output.stdout}\n${output.stderr}`).join('\n')
  // The store says the former where a worker writes meanwhile, the bus the latter in any case.
  expect(said).toMatch(/it is a standby, or set to read only|cannot execute LISTEN during recovery/)
  expect(said).not.toContain('A turn failed')
  expect(crowd.figures().statedFailures).toBe(0)
  const store = await createPostgresStore({ url: database.url })
  onTestFinished(() => store.close())
  expect(await judge(crowd, readings, store)).toEqual([])
})
