import { setTimeout as pause } from 'node:timers/promises'
import { createPostgresStore } from '@colloquy/adapter-postgres'
import { openDemoSession } from '@colloquy/test-support/demo'
import { within } from '@colloquy/test-support/program'
import { createRandom } from '@colloquy/test-support/random'
import { SEED } from '@colloquy/test-support/seed'
import { requireProgram } from '@colloquy/test-support/servers'
import { CREDENTIALS, type Standalone, startStandalone } from '@colloquy/test-support/standalone'
import { openWire, type WireClient } from '@colloquy/test-support/wire-client'
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

const settingsOf = (url: string) => ({ COLLOQUY_DATABASE_URL: url, COLLOQUY_BUS_URL: 'postgres' })

test('PG23 a standby that has every commit takes over under visitors of two nodes: nothing is lost, doubled or left without an answer', async () => {
  console.log(`COLLOQUY_TEST_SEED=${SEED}`)
  const database = await startPrimaries(program)
  const settings = { ...STORM_SETTINGS, ...settingsOf(database.url) }
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

/** The numbers of what a client has of the log. */
const sequencesOf = ({ events }: WireClient): readonly number[] =>
  events.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]))

/** Says something, and waits for the answer. */
async function say(client: WireClient, text: string): Promise<void> {
  const newest = sequencesOf(client).at(-1) ?? 0
  client.send('USER_MESSAGE', { text })
  await client.next(
    ({ type, sequence }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE' && (sequence ?? 0) > newest,
  )
}

test('MS6 a standby takes over that misses the newest commits: who has more gets the whole conversation, and goes on', async () => {
  const database = await startPrimaries(program)
  const start = () => startStandalone({ ...CREDENTIALS, ...settingsOf(database.url) })
  const first = await start()
  const { sessionId, accessToken } = await openDemoSession(first)
  const open = ({ url }: Standalone, query = '') =>
    openWire(`${url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}${query}`)
  const client = await open(first)
  client.send('REQUEST_AI_AGENT_JOIN')
  await client.next(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE')
  await say(client, 'When can I check in?')
  const kept = sequencesOf(client)
  await database.standbyHasAll()
  database.cutStandbyOff()
  await say(client, 'And when do I have to leave?')
  const cursor = sequencesOf(client).at(-1) ?? 0

  await database.losePrimary()
  await database.promote()
  first.kill('SIGTERM')
  expect(await within(first.exit, 'the exit')).toBe(0)
  const second = await start()
  const again = await open(second, `&cursor=${cursor}`)
  expect(again.replayed).toEqual(kept)
  await say(again, 'And when do I have to leave?')
  const all = sequencesOf(again)
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect(all.length).toBeGreaterThan(kept.length)
})
