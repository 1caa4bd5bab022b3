import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi, withKey } from '@colloquy/test-support/api'
import { openSession } from '@colloquy/test-support/demo'
import { ownServer } from '@colloquy/test-support/own-server'
import { postgresDatabase } from '@colloquy/test-support/postgres-database'
import { type Program, run, within } from '@colloquy/test-support/program'
import { requireProgram, useServer } from '@colloquy/test-support/servers'
import { openWire, type WireClient } from '@colloquy/test-support/wire-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { programAt } from '../../../scripts/programs/program.ts'
import { textAt } from '../../quickstart/src/json.ts'

const PROGRAM = [process.execPath, ...programAt('examples/cluster/src/main.ts')]

const BUS_URL = await useServer('redis')
const NATS_URL = await useServer('nats')
const POSTGRES_URL = await useServer('postgres')
const redisServer = requireProgram('redis-server', 'redis-server')

/** The command of the readme, which nothing may kill: npm would leave the program behind. */
const COMMAND = ['npm', 'start', '--silent', '-w', 'examples/cluster']

const named = (name: string) => (event: { readonly type: string }) => event.type === `EVENT_TYPE_${name}`

/** A path for a file; its folder is removed when the test is over. */
async function freshFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-cluster-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'cluster.db')
}

const freshDatabase = (): Promise<string> => postgresDatabase(POSTGRES_URL)

/** Three nodes over a new database, and a session of the agent in it. */
async function startCluster(environment: Readonly<Record<string, string>> = { BUS_URL }, command = PROGRAM) {
  const [name = '', ...args] = command
  const DATABASE = environment.DATABASE ?? (await freshDatabase())
  const program = run(name, args, { PORT: '0', NODES: '3', ...environment, DATABASE })
  const [, connectorToken = ''] = /: (.*)/.exec(await program.line(/^Connector token: /)) ?? []
  const [, deskKey = ''] = /: (.*)/.exec(await program.line(/^Desk key: /)) ?? []
  await serving(program, 3)
  const port = /on port (\d+)/.exec(program.output.stdout)?.[1] ?? ''
  const api = createApi(`http://localhost:${port}`)
  const { sessionId, accessToken } = await openSession(
    `http://localhost:${port}`,
    connectorToken,
    'http://localhost',
  )
  const address = `ws://localhost:${port}/ws?session_id=${sessionId}&access_token=${accessToken}`
  return { program, api, deskKey, open: (query = '') => openWire(address + query) }
}

/** The processes that were said to serve, once there were as many. */
async function serving({ output, line }: Program, count: number): Promise<readonly string[]> {
  const pattern = /^Process (\d+) serves/gm
  const found = () => [...output.stdout.matchAll(pattern)].flatMap(([, pid]) => pid ?? [])
  while (found().length < count)
    await line(new RegExp(`^Process (?!(?:${found().join('|') || 'none'}) )\\d+ serves`))
  return found()
}

/** Says something; resolves with the process that answered. */
async function ask(client: WireClient, text: string): Promise<string> {
  client.send('USER_MESSAGE', { text })
  const reply = await client.next(({ payload }) => String(payload.text).endsWith(`heard: ${text}`))
  return /^Process (\d+)/.exec(String(reply.payload.text))?.[1] ?? ''
}

/** Two sockets of the session in different processes, by those that answer them; the agent has joined. */
async function openTwo(open: (query?: string) => Promise<WireClient>) {
  const one = await open()
  one.send('REQUEST_AI_AGENT_JOIN')
  await one.next(named('AI_AGENT_MESSAGE'))
  const pidOfOne = await ask(one, 'who is there')
  for (let number = 1; ; number++) {
    const two = await open()
    const pidOfTwo = await ask(two, `who else ${number}`)
    if (pidOfTwo !== pidOfOne) return { one, two, pidOfOne, pidOfTwo }
  }
}

const logOf = ({ events }: WireClient): readonly (readonly [number | null, string])[] =>
  events.filter(({ sequence }) => sequence !== null).map(({ sequence, id }) => [sequence, id])

const newestOf = (client: WireClient): number => logOf(client).at(-1)?.[0] ?? 0

test.each([
  ['PostgreSQL and Redis', freshDatabase, BUS_URL],
  ['PostgreSQL and NATS', freshDatabase, NATS_URL],
  ['PostgreSQL alone', freshDatabase, 'postgres'],
  ['a file and Redis', freshFile, BUS_URL],
] as const)(
  'CB1 what is said in one process is heard at once in the others over %s, by visitors and from live agents',
  async (_name, fresh, url) => {
    const { api, deskKey, open } = await startCluster({ DATABASE: await fresh(), BUS_URL: url })
    const { one, two } = await openTwo(open)
    await ask(two, 'from two')
    await within(
      one.next(({ payload }) => String(payload.text).endsWith('heard: from two')),
      'the other',
    )
    one.send('USER_MESSAGE', { text: 'person' })
    await within(two.next(named('HANDOFF_ACCEPTED')), 'the handoff')
    const { handoffs } = Object(await api('/desk/v1/handoffs', { headers: withKey(deskKey), status: 200 }))
    const handoff = `/desk/v1/handoffs/${encodeURIComponent(textAt(handoffs[0], 'handoff_id'))}`
    const say = (path: string, body: object, status: number) =>
      api(handoff + path, { method: 'POST', headers: withKey(deskKey), body, status })
    await say('/accept', { agent: { id: 'ada', name: 'Ada' } }, 200)
    // Requests go to the processes in turn.
    for (let number = 1; number <= 6; number++) {
      await say('/messages', { text: `Line ${number}` }, 201)
      for (const client of [one, two])
        await within(
          client.next(({ payload }) => payload.text === `Line ${number}`),
          `line ${number}`,
        )
    }
    expect(logOf(one)).toEqual(logOf(two))
  },
)

test('CB3 a process that is killed is replaced, and a visitor goes on in another one with nothing missing or doubled', async () => {
  const { program, open } = await startCluster()
  const { one, two, pidOfOne, pidOfTwo } = await openTwo(open)
  await within(
    one.next(({ payload }) => String(payload.text).startsWith(`Process ${pidOfTwo}`)),
    'the newest',
  )
  const cursor = newestOf(one)
  process.kill(Number(pidOfOne), 'SIGKILL')
  expect(await one.closed).toBe(1006)
  await ask(two, 'while it is gone')
  await program.line(new RegExp(`^Process ${pidOfOne} has ended`))
  const pids = await serving(program, 4)
  const again = await open(`&cursor=${cursor}`)
  await again.next(({ payload }) => String(payload.text).endsWith('heard: while it is gone'))
  expect(pids).toContain(await ask(again, 'back again'))
  await within(
    two.next(({ payload }) => String(payload.text).endsWith('heard: back again')),
    'the reply',
  )
  const all = logOf(two).map(([sequence]) => sequence)
  expect(all).toEqual(all.map((_, index) => index + 1))
  expect([...logOf(one).slice(0, cursor), ...logOf(again)]).toEqual(logOf(two))
})

test('CB4 asked to go, the nodes let their clients come again elsewhere, and all of it ends with 0', async () => {
  const { program, open } = await startCluster({ BUS_URL }, COMMAND)
  const { one, two, pidOfOne } = await openTwo(open)
  program.kill('SIGTERM')
  expect(await Promise.all([one.closed, two.closed])).toEqual([1001, 1001])
  expect(await program.exit).toBe(0)
  expect(program.output.stdout).not.toContain('has ended')
  expect(program.output.stderr).toBe('')
  expect(() => process.kill(Number(pidOfOne), 0)).toThrow('ESRCH')
})

test('CB4 nodes whose primary process is killed end as well', async () => {
  const { program, open } = await startCluster()
  const { one, two } = await openTwo(open)
  program.kill('SIGKILL')
  expect(await Promise.all([one.closed, two.closed])).toEqual([1006, 1006])
  // The nodes' own output is open for as long as one of them lives.
  expect(await program.exit).toBe('SIGKILL')
})

test.each([
  [{ NODES: 'abc' }, /^NODES must be a whole number from 1 to 1000, not "abc"$/m],
  [{ BUS_URL: 'http://user:secret@localhost' }, /^BUS_URL must be the address of Redis .* or of NATS .*\.$/m],
  [{ BUS_URL: 'redis://:0:0' }, /^BUS_URL must be the address of Redis .* or of NATS .*\.$/m],
  [{ BUS_URL: 'postgres' }, /^BUS_URL is postgres, and so DATABASE must be postgres:\/\/….$/m],
  [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535, not "70000"$/m],
])('CB5 %j is refused', async (environment, told) => {
  const [name = '', ...args] = PROGRAM
  const program = run(name, args, { DATABASE: await freshFile(), ...environment })
  expect(await program.exit).toBe(1)
  expect(program.output.stderr).toMatch(told)
  expect(program.output.stderr).not.toContain('secret')
})

test.each([
  ['PostgreSQL', freshDatabase],
  ['a file', freshFile],
] as const)(
  'CB7 without a bus, over %s, a visitor sees what was said in another process with a heartbeat',
  async (_name, fresh) => {
    const { program, open } = await startCluster({ DATABASE: await fresh() })
    expect(program.output.stdout).toMatch(/^No BUS_URL is set/m)
    const { one, two } = await openTwo(open)
    await ask(two, 'without a bus')
    const newest = newestOf(two)
    await vi.waitFor(() => {
      one.send('HEARTBEAT')
      expect(newestOf(one)).toBeGreaterThanOrEqual(newest)
    })
    expect(logOf(one)).toEqual(logOf(two))
  },
)

test('CB7 while the broker is away every process goes on, and once it is back the others hear at once again', async () => {
  const broker = await ownServer(redisServer, (port, folder) => [
    ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
  ])
  const { program, open } = await startCluster({ BUS_URL: `redis://127.0.0.1:${broker.port}` })
  await program.line(/The bus has no connection to Redis at 127\.0\.0\.1:\d+, and tries again/)
  const { one, two } = await openTwo(open)
  await ask(two, 'without a broker')
  await broker.start()
  await within(
    one.next(({ payload }) => String(payload.text).endsWith('heard: without a broker')),
    'what was missed',
  )
  await ask(two, 'with a broker')
  await within(
    one.next(({ payload }) => String(payload.text).endsWith('heard: with a broker')),
    'the other',
  )
  expect(logOf(one)).toEqual(logOf(two))
})

test.each([
  ['Redis, ten in all', BUS_URL, 10],
  ['NATS, ten in each node', NATS_URL, 30],
] as const)('a session has its connections over %s', async (_name, url, most) => {
  const { open } = await startCluster({ DATABASE: await freshFile(), BUS_URL: url })
  for (let opened = 0; opened < most; opened++) await open()
  await expect(open()).rejects.toThrow('refused with 429')
})

test('CB5 a port that is taken ends the program with the reason', async () => {
  const other = createServer().listen(0)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const address = other.address()
  const PORT = String(typeof address === 'object' ? address?.port : '')
  const [name = '', ...args] = PROGRAM
  const program = run(name, args, { DATABASE: await freshFile(), PORT, NODES: '2' })
  expect(await program.exit).toBe(1)
  expect(program.output.stderr).toMatch(/EADDRINUSE/)
})

test.each([
  ['postgres://postgres:secret@127.0.0.1:1/none', /127\.0\.0\.1:1\b/],
  ['/etc/passwd/cluster.db', /"?\/etc\/passwd\/cluster\.db"?/],
])('CB5 a database that cannot be opened is named, without its password: %s', async (DATABASE, told) => {
  const [name = '', ...args] = PROGRAM
  const program = run(name, args, { DATABASE, PORT: '0' })
  expect(await program.exit).toBe(1)
  expect(program.output.stderr).toMatch(told)
  expect(program.output.stderr).not.toContain('secret')
})
