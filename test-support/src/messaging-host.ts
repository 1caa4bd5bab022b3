import { once } from 'node:events'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  connect as dial,
  type Server,
  type Socket,
} from 'node:net'
import { createMemoryStore } from '@colloquy/core/memory'
import { onTestFinished } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../../packages/core/src/index.ts'
import type { AgentRuntime } from '../../packages/core/src/runtime.ts'
import { createRequestListener } from '../../packages/http-express/src/index.ts'
import { attachMessaging } from '../../packages/ws-transport/src/index.ts'
import { TEST_BRAND } from './brand.ts'
import { createSignal } from './signal.ts'

/** Returns the hesitant agent's reply to a text, in the pieces that it streams. */
export const hesitantReply = (text: string): readonly string[] => [
  'You said ',
  `${text}, `,
  'and dogs ',
  'are welcome.',
]

/** An agent that says the next piece of a reply when it may, and hands over who says `person`. */
export function createHesitant() {
  const signal = createSignal()
  const asked: string[] = []
  const answered: string[] = []
  let allowed = 0
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      const text = input.type === 'message' ? input.text : 'nothing'
      if (text === 'person') yield { type: 'handoff', destination: 'reception', reason: 'asked' }
      asked.push(text)
      signal.changed()
      for (const [index, piece] of hesitantReply(text).entries()) {
        await signal.until(() => allowed > index)
        yield { type: 'text', text: piece }
      }
      answered.push(text)
      signal.changed()
    },
  }
  const allow = (pieces: number): void => {
    allowed = pieces
    signal.changed()
  }
  onTestFinished(() => allow(Number.POSITIVE_INFINITY))
  return {
    runtime,
    /** Inputs that came to the agent. */
    asked,
    /** As many pieces of each reply may be said. */
    allow,
    isAsked: (text: string) => signal.until(() => asked.includes(text)),
    hasAnswered: (text: string) => signal.until(() => answered.includes(text)),
  }
}

/** The port of a server that listens from now on. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A line to a port that breaks, refuses, or loses what the server says. */
export async function createBadLine(target: number) {
  const ends = new Set<Socket>()
  const line = { refuses: false, losesAnswers: false, connections: 0, refused: 0 }
  const server = createTcpServer(near => {
    if (line.refuses) {
      line.refused += 1
      near.destroy()
      return
    }
    line.connections += 1
    const far = dial(target, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => other.destroy())
      end.on('data', data => {
        if (end === near || !line.losesAnswers) other.write(data)
      })
    }
  })
  const port = await listenOn(server)
  onTestFinished(() => void server.close())
  const cut = (): void => {
    for (const end of ends) end.destroy()
    ends.clear()
  }
  onTestFinished(cut)
  return { url: `http://127.0.0.1:${port}`, port, line, cut }
}

/** Options of a host for visitors. */
export type HostOptions = Pick<PlatformOptions, 'runtime'> &
  Partial<Omit<PlatformOptions, 'runtime'>> & {
    /** Handoff mode of the connector. */
    readonly handoff?: 'server' | 'client'
    /** Answers what the platform has no route for: pages of a test. */
    readonly pages?: RequestListener
    /** Port to listen on. @default a free one */
    readonly port?: number
    /** Attaches more sockets to the server, such as those of voice. */
    readonly attach?: ((server: HttpServer, platform: Platform) => { close(): Promise<void> }) | undefined
  }

/** A platform on a real server, with an agent that is live, and the connector's token for the host `localhost`. */
export async function startMessagingHost({
  attach,
  handoff = 'server',
  pages,
  port: wanted = 0,
  ...options
}: HostOptions) {
  const platform = createPlatform({
    store: createMemoryStore(),
    chunkFlush: 0,
    brand: TEST_BRAND,
    ...options,
  })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const { token, connector } = await access.createConnector({
    ...{ accountId, agentId, environment: 'live', hosts: ['localhost'] },
    handoff: { mode: handoff, queueName: 'reception', timeoutSeconds: 300 },
  })
  const listener = createRequestListener(platform)
  const server = createServer((request, response) => {
    const isPage = pages !== undefined && !/^\/(api|v\d|desk|operator)\//.test(request.url ?? '')
    if (isPage) pages(request, response)
    else listener(request, response)
  })
  const sockets = attachMessaging(server, platform)
  const more = attach?.(server, platform)
  const port = await listenOn(server, wanted)
  onTestFinished(async () => {
    await Promise.all([sockets.close(), more?.close()])
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  return {
    platform,
    server,
    accountId,
    agentId,
    connectorId: connector.id,
    token,
    port,
    url: `http://localhost:${port}`,
  }
}
