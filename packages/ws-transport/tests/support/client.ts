import { type ClientRequest, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { WebSocket } from 'ws'
import { attachMessaging, type Endpoint, type EndpointOptions } from '../../src/index.ts'

/** A received event, as far as these tests look at it. */
export interface Received {
  readonly id: string
  readonly type: string
  readonly sequence: number | null
  readonly payload: {
    readonly text?: string
    readonly message?: string
    readonly events?: readonly Received[]
  }
}

/** A real socket of a visitor that remembers what it got. */
export interface Client {
  readonly socket: WebSocket
  readonly received: readonly Received[]
  send(frame: unknown): void
  /** Resolves as soon as something received satisfies it. */
  until(wanted: (event: Received) => boolean): Promise<Received>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

export async function openClient(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: true })
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  socket.on('message', (data, isBinary) => {
    if (isBinary) throw new Error('all frames are text')
    received.push(JSON.parse(data.toString()))
    for (const check of waiting) check()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return {
    socket,
    received,
    closed,
    send: frame => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    until: wanted =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = received.find(wanted)
          if (found === undefined) return
          waiting.delete(check)
          resolve(found)
        }
        waiting.add(check)
        check()
        closed.then(({ code }) => reject(new Error(`closed with ${code} before it came`)), reject)
      }),
  }
}

/** An answer instead of a socket. */
export interface Refused {
  readonly status: number
  readonly type: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** How a server answered an upgrade request that it refused. The headers stand instead of the client's own. */
export function refusedUpgrade(url: string, headers: Record<string, string> = {}): Promise<Refused> {
  return new Promise((resolve, reject) => {
    const finishRequest = (request: ClientRequest): void => {
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
      request.end()
    }
    const socket = new WebSocket(url, { finishRequest })
    socket.on('open', () => reject(new Error('it was accepted')))
    socket.on('error', () => {})
    socket.on('unexpected-response', (_, response: IncomingMessage) => {
      let text = ''
      response.on('data', part => {
        text += String(part)
      })
      response.on('end', () => {
        const type = response.headers['content-type'] ?? ''
        const { headers: said } = response
        resolve({ status: response.statusCode ?? 0, type, headers: said, body: JSON.parse(text) })
      })
    })
  })
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return port
}

type Bench = Awaited<ReturnType<typeof createMessagingBench>>

/** An endpoint on a real server, over messaging with a fake engine. */
export interface Served {
  readonly bench: Bench
  readonly server: Server
  readonly port: number
  readonly endpoint: Endpoint
  /** The address of a session's socket. */
  url(sessionId: string, extra?: string): string
  stop(): Promise<void>
}

/** A test that is about something else has no pings: a busy machine could answer them too late. */
const NO_PINGS = { pingInterval: 2_147_483_647 }

export async function serve(
  options: EndpointOptions = {},
  settings: Parameters<typeof createMessagingBench>[0] = {},
): Promise<Served> {
  const bench = await createMessagingBench(settings)
  const server = createServer((_, response) => response.end('host'))
  const endpoint = attachMessaging(server, bench, { ...NO_PINGS, ...options })
  const port = await listen(server)
  return {
    bench,
    server,
    port,
    endpoint,
    url: (sessionId, extra = '') =>
      `ws://127.0.0.1:${port}${options.path ?? '/ws'}?session_id=${sessionId}&access_token=${bench.accessToken}${extra}`,
    async stop() {
      await endpoint.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
