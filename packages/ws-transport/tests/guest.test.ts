import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { attachDesk, attachMessaging } from '../src/index.ts'
import { CERTIFICATE } from './support/certificate.ts'
import { listen, openClient, refusedUpgrade, type Served, serve } from './support/client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
const start = async (...given: Parameters<typeof serve>): Promise<Served> => {
  const made = await serve(...given)
  cleanups.push(made.stop)
  return made
}

const isBatch = ({ type }: { readonly type: string }): boolean => type === 'EVENT_TYPE_EVENT_BATCH'
const isEcho = ({ type }: { readonly type: string }): boolean => type === 'echo'
const ECHO = { type: 'echo', payload: {} }

/** A second WebSocket server that echoes, as a host's own feature or its dev server has it. */
function createEcho(): WebSocketServer {
  const echo = new WebSocketServer({ noServer: true })
  echo.on('connection', ws => ws.on('message', data => ws.send(String(data))))
  cleanups.push(async () => {
    for (const client of echo.clients) client.terminate()
    echo.close()
  })
  return echo
}

/** Lets `echo` take the upgrades that it is for. */
const takeUpgrades =
  (echo: WebSocketServer, wanted: (request: IncomingMessage) => boolean) =>
  (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (wanted(request)) echo.handleUpgrade(request, socket, head, ws => echo.emit('connection', ws, request))
  }

async function echoes(url: string, protocol?: string): Promise<void> {
  const client = await openClient(url, protocol === undefined ? {} : { 'sec-websocket-protocol': protocol })
  client.send(ECHO)
  await client.until(isEcho)
  client.socket.terminate()
}

/** All listeners that a server has, of whatever event. */
const listenersOf = (server: Server) =>
  server.eventNames().map(name => [name, server.listeners(name)] as const)

describe('with the upgrade handlers of a host', () => {
  test.each(['before', 'after'])(
    'MS24 a hot-reload handler that was added %s lives beside it',
    async when => {
      const bench = await createMessagingBench()
      const server = createServer()
      const echo = createEcho()
      // As Vite's: its own path is the page's, so it goes by the protocol.
      const reload = takeUpgrades(echo, ({ headers }) => headers['sec-websocket-protocol'] === 'hot-reload')
      echo.options.handleProtocols = () => 'hot-reload'
      if (when === 'before') server.on('upgrade', reload)
      const endpoint = attachMessaging(server, bench)
      if (when === 'after') server.on('upgrade', reload)
      const port = await listen(server)
      cleanups.push(async () => {
        await endpoint.close()
        server.close()
      })
      const reloading = new WebSocket(`ws://127.0.0.1:${port}/`, 'hot-reload')
      await new Promise(resolve => reloading.once('open', resolve))
      reloading.send(JSON.stringify(ECHO))
      await new Promise(resolve => reloading.once('message', resolve))
      reloading.terminate()
      const path = `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
      await (await openClient(`ws://127.0.0.1:${port}${path}`)).until(isBatch)
    },
  )

  test('MS24 a handler of everything else gets everything else, a path that only begins alike included', async () => {
    const { bench, port, server, url } = await start()
    const echo = createEcho()
    server.on(
      'upgrade',
      takeUpgrades(echo, ({ url = '' }) => !/^\/ws(\?|$)/.test(url)),
    )
    for (const path of ['/', '/other', '/ws/', '/ws2', '/WS', '/a/ws'])
      await echoes(`ws://127.0.0.1:${port}${path}`)
    await (await openClient(url(await bench.session()))).until(isBatch)
    expect((await refusedUpgrade(`ws://127.0.0.1:${port}/ws`)).status).toBe(400)
  })

  test('MS24 a server of ws that refuses every other path by itself ends the request, and nothing else', async () => {
    const { bench, server, url, port } = await start()
    const greedy = new WebSocketServer({ server, path: '/greedy' })
    greedy.on('connection', ws => ws.on('message', data => ws.send(String(data))))
    const sessionId = await bench.session()
    expect(await statusOf(url(sessionId))).toBe(400)
    await echoes(`ws://127.0.0.1:${port}/greedy`)
    greedy.close()
    await bench.clock.settle()
    expect(bench.notices.subscriptions).toBe(0)
    expect(bench.errors).toEqual([])
    for (let count = 0; count < 10; count += 1) await (await openClient(url(sessionId))).until(isBatch)
  })

  test('MS24 once it is closed the server has the listeners that it had before', async () => {
    const bench = await createMessagingBench()
    const server = createServer(() => {})
    const echo = createEcho()
    server.on(
      'upgrade',
      takeUpgrades(echo, ({ url }) => url === '/other'),
    )
    const before = listenersOf(server)
    const port = await listen(server)
    const endpoint = attachMessaging(server, bench)
    const path = `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
    const client = await openClient(`ws://127.0.0.1:${port}${path}`)
    await client.until(isBatch)
    await endpoint.close()
    await client.closed
    expect(listenersOf(server)).toEqual(before)
    await echoes(`ws://127.0.0.1:${port}/other`)
    // The path is free again.
    await attachMessaging(server, bench).close()
    server.close()
  })

  test('MS24 a path that another endpoint serves is refused, and nothing is left of the attempt', async () => {
    const { bench, server } = await start()
    const before = listenersOf(server)
    expect(() => attachMessaging(server, bench)).toThrow('Another endpoint serves /ws on this server')
    expect(() => attachDesk(server, bench.platform, { path: '/ws' })).toThrow('Another endpoint serves /ws')
    expect(listenersOf(server)).toEqual(before)
  })

  test.each(['ws', '', '/ws?x=1', '/ws#x', '/a b', 'http://host/ws', '//ws', '/a/../ws'])(
    'MS24 no request can have the path "%s": it is refused',
    async path => {
      const bench = await createMessagingBench()
      expect(() => attachMessaging(createServer(), bench, { path })).toThrow('must begin with a slash')
    },
  )
})

/** The HTTP status with which a handshake is answered. */
const statusOf = (url: string): Promise<number | undefined> =>
  new Promise(resolve => {
    const socket = new WebSocket(url)
    socket.on('error', () => {})
    socket.on('unexpected-response', (_, response) => {
      response.resume()
      resolve(response.statusCode)
      socket.terminate()
    })
  })

test('MS14 over TLS it is secure whatever a proxy says', async () => {
  const bench = await createMessagingBench()
  const server = createSecureServer(CERTIFICATE)
  const endpoint = attachMessaging(server, bench, { trustProxy: true })
  const port = await listen(server)
  cleanups.push(async () => {
    await endpoint.close()
    server.close()
  })
  const url = `wss://localhost:${port}/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
  const socket = new WebSocket(url, { ca: CERTIFICATE.cert, headers: { 'x-forwarded-proto': 'http' } })
  const first = await new Promise(resolve =>
    socket.once('message', data => resolve(JSON.parse(String(data)))),
  )
  expect(first).toMatchObject({ type: 'EVENT_TYPE_EVENT_BATCH' })
  const closed = new Promise(resolve => socket.once('close', resolve))
  await endpoint.close()
  expect(await closed).toBe(1001)
})

test('ten connections of a session are written the very same buffer', async () => {
  const { bench, url } = await start()
  const sessionId = await bench.session()
  const clients = await Promise.all(Array.from({ length: 10 }, () => openClient(url(sessionId))))
  await Promise.all(clients.map(client => client.until(isBatch)))
  const write = vi.spyOn(Socket.prototype, 'write')
  bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'told to ten' })
  await Promise.all(clients.map(client => client.until(({ payload }) => payload.text === 'told to ten')))
  const written = write.mock.calls
    .map(([data]): unknown => data)
    .filter(data => Buffer.isBuffer(data) && data.includes('told to ten'))
  write.mockRestore()
  expect(written).toHaveLength(10)
  expect(new Set(written).size).toBe(1)
})

test('an open socket keeps nothing of its handshake', async () => {
  const { bench, server, url } = await start()
  const requests: WeakRef<IncomingMessage>[] = []
  server.on('upgrade', request => requests.push(new WeakRef(request)))
  const clients = []
  for (let count = 0; count < 5; count += 1) clients.push(await openClient(url(await bench.session())))
  await Promise.all(clients.map(client => client.until(isBatch)))
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  expect(requests).toHaveLength(5)
  // What was handled last may still be in hand somewhere in Node, and a collection may come too early: what is kept stays.
  await vi.waitFor(() => {
    if (typeof collect === 'function') collect()
    expect(requests.filter(request => request.deref() !== undefined).length).toBeLessThan(3)
  })
})
