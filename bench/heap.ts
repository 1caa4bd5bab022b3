import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { withFolder } from './with-folder.ts'

const readySchema = z.object({ port: z.number(), token: z.string(), deskKey: z.string() })
type Ready = z.output<typeof readySchema>
const memorySchema = z.object({ heap: z.number(), external: z.number(), connections: z.number() })
type Memory = z.output<typeof memorySchema>

/** Connections that are opened at a time. */
const ABREAST = 20

/** Conversations that the server caches: few, so that the warm-up fills the cache and it grows no more. */
const CACHED = 100

/**
 * Connects and disconnects ten thousand times: visitors who talk, visitors who say nothing, live agents' desks,
 * handshakes that are refused, half of the sockets closed and half cut off. Prints the server's heap after a
 * collection: before, between and after (HY41).
 */
export async function benchHeap(count = 10_000): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ['serve'], {
    execArgv: ['--expose-gc', ...process.execArgv],
  })
  const answer = async (): Promise<unknown> => (await once(server, 'message'))[0]
  const ready = readySchema.parse(await answer())
  const measure = async (): Promise<Memory> => {
    server.send('measure')
    return memorySchema.parse(await answer())
  }
  const connect = createConnects(ready, await accessToken(ready))
  await run(connect, Math.ceil(count / 5))
  const before = await measure()
  const started = performance.now()
  const first = await run(connect, count / 2)
  const between = await measure()
  const second = await run(connect, count / 2)
  const seconds = (performance.now() - started) / 1_000
  const after = await measure()
  server.send('stop')
  await once(server, 'exit')
  console.log(`\nHeap, ${count.toLocaleString('en-GB')} connects and disconnects in ${seconds.toFixed(0)} s`)
  console.log(
    Object.entries(first)
      .map(([name, times]) => `${times + (second[name] ?? 0)} ${name}`)
      .join(', '),
  )
  for (const [name, { heap, external, connections }] of Object.entries({ before, between, after }))
    console.log(
      `${name.padEnd(8)} ${megabytes(heap)} heap, ${megabytes(external)} external, ${connections} connections open`,
    )
}

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(2).padStart(7)} MiB`

type Connects = Readonly<Record<string, (abrupt: boolean) => Promise<void>>>

/** Every kind of connect in turn, some of them at a time; how often each was made. */
async function run(connects: Connects, count: number): Promise<Record<string, number>> {
  const kinds = Object.entries(connects)
  const tally: Record<string, number> = {}
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      const kind = kinds[index % kinds.length]
      if (kind === undefined) throw new Error('there are no connects')
      const [name, connect] = kind
      tally[name] = (tally[name] ?? 0) + 1
      await connect(Math.floor(index / kinds.length) % 2 === 0)
    }
  }
  await Promise.all(Array.from({ length: ABREAST }, work))
  return tally
}

async function post(port: number, path: string, headers: Record<string, string>): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function accessToken({ port, token }: Ready): Promise<string> {
  const answer = await post(port, '/api/v1/access-token', { 'x-token': token, 'x-host': 'localhost' })
  return z.object({ access_token: z.string() }).parse(answer).access_token
}

function createConnects({ port, deskKey }: Ready, token: string): Connects {
  const base = `ws://127.0.0.1:${port}`
  const session = async (): Promise<string> => {
    const answer = await post(port, '/api/v1/sessions', { authorization: `Bearer ${token}` })
    const { session_id } = z.object({ session_id: z.string() }).parse(answer)
    return `${base}/ws?session_id=${session_id}&access_token=${token}`
  }
  return {
    'visitors who talk': async abrupt => {
      const say = (type: string, payload: object) => JSON.stringify({ type: `EVENT_TYPE_${type}`, payload })
      await visit(await session(), abrupt, [
        ['EVENT_BATCH', say('REQUEST_AI_AGENT_JOIN', {})],
        ['Welcome.', say('USER_MESSAGE', { text: 'Hello' })],
        ['Good day.', null],
      ])
    },
    'visitors who say nothing': async abrupt => visit(await session(), abrupt, [['EVENT_BATCH', null]]),
    desks: abrupt => visit(`${base}/desk/v1/ws?api_key=${deskKey}`, abrupt, []),
    'refused tokens': () => refused(`${base}/ws?session_id=${crypto.randomUUID()}&access_token=wrong`),
    'refused pages': async () => refused(await session(), { origin: 'https://elsewhere.example' }),
  }
}

/**
 * Opens a socket; whenever it hears the next text it says what goes with it. At the last one, or at once when there is
 * none, it goes.
 */
async function visit(
  url: string,
  abrupt: boolean,
  script: readonly (readonly [string, string | null])[],
): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const closed = once(socket, 'close')
  const leave = (): void => (abrupt ? socket.terminate() : socket.close())
  const lines = [...script]
  socket.once('open', () => {
    if (lines.length === 0) leave()
  })
  socket.on('message', data => {
    const [line] = lines
    if (line === undefined || !String(data).includes(line[0])) return
    lines.shift()
    if (line[1] === null) leave()
    else socket.send(line[1])
  })
  await closed
  if (lines.length > 0) throw new Error(`The socket closed before it said ${JSON.stringify(lines[0]?.[0])}`)
}

async function refused(url: string, headers: Record<string, string> = {}): Promise<void> {
  const socket = new WebSocket(url, { headers })
  socket.on('error', () => {})
  const [, response] = await once(socket, 'unexpected-response')
  response.resume()
  await once(response, 'close')
  socket.terminate()
}

const talker: AgentRuntime = {
  async *respond(turn) {
    yield { type: 'text', text: turn.input.type === 'greeting' ? 'Welcome.' : 'Good day.' }
  },
}

/** The server's process. */
async function serve(): Promise<void> {
  await withFolder(async folder => {
    const store = createSqliteStore({ filename: join(folder, 'bench.db') })
    const limits = { cachedConversations: CACHED }
    const platform = createPlatform({ store, runtime: talker, rateLimits: null, limits })
    const { id: accountId } = await platform.access.createAccount({ slug: 'bench', name: 'Bench' })
    const agent = await platform.agents.create({ accountId, name: 'Talker', greeting: 'Welcome.' })
    const { agentId, environment } = await platform.agents.publish(agent.id, { environment: 'live' })
    const { token } = await platform.access.createConnector({
      accountId,
      agentId,
      environment,
      hosts: ['localhost'],
    })
    const { secret: deskKey } = await platform.access.createApiKey({ kind: 'desk', accountId })
    const server = createServer(createRequestListener(platform))
    const endpoints = [attachMessaging(server, platform), attachDesk(server, platform)]
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const stopped = new Promise<void>(resolve => {
      process.on('message', message => {
        if (message === 'measure')
          readMemory(server).then(
            memory => process.send?.(memory),
            error => console.error(error),
          )
        else resolve()
      })
    })
    process.send?.({ port: typeof address === 'object' ? address?.port : 0, token, deskKey })
    await stopped
    await Promise.all(endpoints.map(endpoint => endpoint.close()))
    await platform.close()
  })
  process.exit(0)
}

/** After everything that is on its way has come to rest. */
async function readMemory(server: ReturnType<typeof createServer>): Promise<Memory> {
  server.closeIdleConnections()
  for (let round = 0; round < 10; round += 1) {
    await new Promise(resolve => setTimeout(resolve, 100))
    globalThis.gc?.()
  }
  const { heapUsed, external } = process.memoryUsage()
  const connections = await new Promise<number>((resolve, reject) =>
    server.getConnections((error, open) => (error === null ? resolve(open) : reject(error))),
  )
  return { heap: heapUsed, external, connections }
}

const [, script, first] = process.argv
if (first === 'serve' && script !== undefined && import.meta.url === pathToFileURL(script).href) await serve()
