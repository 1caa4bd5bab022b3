import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { attachMessaging } from '@colloquy/ws-transport'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { buildWhatIsOld } from '../scripts/build.ts'
import { SOURCE_CONDITION } from '../scripts/workspace-packages.ts'
import { admit, echo, furnish } from './reception.ts'
import { IDLE_BYTES, IDLE_COUNT, IDLE_ROW } from './table/idle-rows.ts'
import type { BenchOptions } from './table/options.ts'
import { type Result, resultOf } from './table/result.ts'

/** Memory of a server for an idle connection, bytes. */
interface SocketRow {
  readonly name: string
  /** JavaScript heap and buffers, after a collection. */
  readonly heapBytes: number
  /** Memory of the whole process. Noisy, because freed memory is kept. */
  readonly residentBytes: number
}

const KINDS = { bare: 'bare ws', joined: 'joined session' } as const
type Kind = keyof typeof KINDS

const readySchema = z.object({ port: z.number(), queries: z.array(z.string()) })
const memorySchema = z.object({ heap: z.number(), resident: z.number() })

/** Sockets that are opened at the same time. */
const ABREAST = 50

/**
 * Opens idle sockets to a server of its own process, once to a bare `ws` server and once to the messaging endpoint over
 * SQLite, there each in a session of its own that the agent has greeted. Measures what Node runs, the built packages:
 * from sources tsx gives each closure a name of its own, which costs 256 bytes a piece.
 */
async function measureSockets(count: number): Promise<readonly SocketRow[]> {
  return [await measureKind('bare', count), await measureKind('joined', count)]
}

/** Measures the heap of an idle joined session, against a bare socket in the same run. */
export async function measureIdle({ rounds = 3 }: BenchOptions): Promise<readonly Result[]> {
  await buildWhatIsOld()
  const found: SocketRow[] = []
  for (let round = 0; round < rounds; round++) found.push(...(await measureSockets(IDLE_COUNT)))
  return Object.values(KINDS).flatMap(variant => {
    const own = found.filter(({ name }) => name === variant)
    const key = { row: IDLE_ROW, variant }
    return [
      resultOf(
        { ...key, unit: IDLE_BYTES },
        own.map(({ heapBytes }) => heapBytes),
      ),
      resultOf(
        { ...key, unit: 'resident bytes each' },
        own.map(({ residentBytes }) => residentBytes),
      ),
    ]
  })
}

async function measureKind(kind: Kind, count: number): Promise<SocketRow> {
  const server = fork(fileURLToPath(import.meta.url), [kind, String(count)], {
    execArgv: ['--expose-gc', ...process.execArgv.filter(option => !option.endsWith(SOURCE_CONDITION))],
  })
  const answer = async (): Promise<unknown> => (await once(server, 'message'))[0]
  const measure = async () => {
    server.send('measure')
    return memorySchema.parse(await answer())
  }
  const { port, queries } = readySchema.parse(await answer())
  const before = await measure()
  const sockets: WebSocket[] = []
  for (let from = 0; from < count; from += ABREAST) {
    const opened = queries
      .slice(from, from + ABREAST)
      .map(query => openSocket(kind, `ws://127.0.0.1:${port}/ws${query}`))
    sockets.push(...(await Promise.all(opened)))
  }
  const after = await measure()
  for (const socket of sockets) socket.terminate()
  server.send('stop')
  await once(server, 'exit')
  return {
    name: KINDS[kind],
    heapBytes: (after.heap - before.heap) / count,
    residentBytes: (after.resident - before.resident) / count,
  }
}

/** Resolves when the server has nothing more to say. */
async function openSocket(kind: Kind, url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const last = kind === 'bare' ? 'hello' : '"EVENT_TYPE_AI_AGENT_MESSAGE"'
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => {
      if (kind === 'joined') socket.send('{"type":"EVENT_TYPE_REQUEST_AI_AGENT_JOIN"}')
    })
    socket.on('message', data => {
      if (String(data).includes(last)) resolve()
    })
  })
  socket.removeAllListeners('message')
  return socket
}

/** The server's process. */
async function serve(kind: Kind, count: number): Promise<void> {
  const server = createServer()
  const { queries, close } = kind === 'bare' ? serveBare(server, count) : await serveSessions(server, count)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  process.on('message', async message => {
    if (message === 'measure') process.send?.(await readMemory())
    else await close().then(() => process.exit(0))
  })
  process.send?.({ port: typeof address === 'object' ? address?.port : 0, queries })
}

/** After everything that is on its way has come to rest. */
async function readMemory(): Promise<z.output<typeof memorySchema>> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise(resolve => setTimeout(resolve, 100))
    globalThis.gc?.()
  }
  const { external, heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
}

function serveBare(server: Server, count: number) {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', socket => {
    socket.on('message', () => {})
    socket.send('hello')
  })
  return { queries: Array.from({ length: count }, () => ''), close: async () => {} }
}

async function serveSessions(server: Server, count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-bench-'))
  const store = createSqliteStore({ filename: join(folder, 'bench.db') })
  const platform = createPlatform({ store, runtime: echo, rateLimits: null })
  const open = await admit(platform, (await furnish(platform)).token)
  const opened = await Promise.all(Array.from({ length: count }, open))
  const endpoint = attachMessaging(server, platform)
  return {
    queries: opened.map(({ query }) => query),
    async close() {
      await endpoint.close()
      await platform.close()
      await rm(folder, { recursive: true })
    },
  }
}

const [, script, kind, count] = process.argv
if (script !== undefined && import.meta.url === pathToFileURL(script).href)
  await serve(kind === 'bare' ? kind : 'joined', Number(count))
