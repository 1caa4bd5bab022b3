import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, REPLAY_MODES, silentLog } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import BetterSqlite3 from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Lease of a run in progress: another process takes it when it has expired. Milliseconds. */
const LEASE = 3_000

/** A process that replays what is due, takes its time, and prints each turn that it asks. */
const WORKER = `
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, silentLog } from '@colloquy/core'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
const runtime = createRetrievalRuntime()
createPlatform({
  store: createSqliteStore({ filename: process.env.DATABASE }),
  log: silentLog,
  turnLease: ${LEASE},
  turnAttempts: 5,
  testRuns: { concurrency: 1 },
  runtime: {
    async *respond(turn, signal) {
      console.log(turn.turnId)
      await new Promise(resolve => setTimeout(resolve, 10))
      yield* runtime.respond(turn, signal)
    },
  },
})
setInterval(() => undefined, 1_000)
`

function startWorker(filename: string) {
  const flags = ['--conditions=@colloquy/source', '--input-type=module', '--eval', WORKER]
  const child = spawn(process.execPath, flags, {
    cwd: HERE,
    env: { ...process.env, DATABASE: filename },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, lines: createInterface(child.stdout) }
}

/** Every row of every table but those of runs. */
function contentsOf(filename: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new BetterSqlite3(filename, { readonly: true })
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
      .pluck()
      .all()
    const names = tables
      .map(String)
      .filter(name => !/^(test_run|test_result|replay_sample|sqlite_.*)$/.test(name))
    const rowsOf = (name: string) =>
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map(row => JSON.stringify(row))
        .sort()
    return Object.fromEntries(names.map(name => [name, rowsOf(name)]))
  } finally {
    database.close()
  }
}

test('TE21 and TE70 replays over two processes that are killed again and again lose and repeat nothing, and write nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const filename = join(folder, 'colloquy.db')
  const platform = createPlatform({
    store: createSqliteStore({ filename }),
    ...{ runtime: createRetrievalRuntime(), log: silentLog, rateLimits: null, turnLease: LEASE },
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome.' })
  const live = await platform.agents.publish(agentId, { environment: 'live' })
  const { connector } = await platform.access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: [] },
  })
  const conversations = 60
  for (let one = 0; one < conversations; one++) {
    const { conversationId } = await platform.chat.create(connector, {})
    for (const message of ['Hello', 'A question', 'Bye'])
      await platform.chat.respond(connector, { conversationId, message })
    await platform.chat.close(connector, conversationId)
  }
  await platform.close()

  const reader = createPlatform({
    store: createSqliteStore({ filename }),
    ...{ runtime: createRetrievalRuntime(), log: silentLog, workers: false },
  })
  onTestFinished(() => reader.close())
  const ids: string[] = []
  for (const mode of REPLAY_MODES)
    ids.push((await reader.agents.startReplay(agentId, { deploymentId: live.id, last: 100, mode })).id)
  const before = contentsOf(filename)
  const asked: string[] = []
  const kills = [100, 110, 250, 400]
  const most = kills.length
  const begin = (): void => {
    const { child, lines } = startWorker(filename)
    lines.on('line', line => {
      asked.push(line)
      if (child.killed || asked.length < (kills[0] ?? Number.POSITIVE_INFINITY)) return
      kills.shift()
      child.kill('SIGKILL')
      begin()
    })
  }
  begin()
  begin()
  const reports = () => Promise.all(ids.map(id => reader.agents.replay(agentId, id)))
  await expect
    .poll(async () => (await reports()).map(({ status }) => status), { interval: 200 })
    .toEqual(['finished', 'finished'])
  expect(kills).toEqual([])
  const noisy = conversations / 10
  expect(await reports()).toMatchObject(
    [noisy * 4, 0].map(turns => ({
      ...{ replayed: conversations, verdicts: { same: conversations * 4 } },
      noise: { turns, different: 0 },
    })),
  )
  expect(contentsOf(filename)).toEqual(before)
  // What was asked again belongs to conversations that were in progress when a process was killed, or measures noise.
  const counts = new Map<string, number>()
  for (const turn of asked) counts.set(turn, (counts.get(turn) ?? 0) + 1)
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([turn]) => turn.slice(0, turn.lastIndexOf('.')))
  expect(counts.size).toBe(ids.length * conversations * 4)
  expect(new Set(repeated).size).toBeLessThanOrEqual(most * 4 + noisy)
})
