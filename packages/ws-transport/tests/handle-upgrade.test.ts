import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createEndpoint, messagingRules, withDefaults } from '../src/endpoints.ts'
import { createDeskEndpoint, createMessagingEndpoint } from '../src/index.ts'
import { listen, openClient, refusedUpgrade } from './support/client.ts'

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** A host whose only upgrade handler is its own. */
async function host(upgrade: Upgrade) {
  const server = createServer((_, response) => void response.end('the host')).on('upgrade', upgrade)
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return port
}

/** One that gives an endpoint all of its upgrades, and notes what it was told. */
async function serve() {
  const bench = await createMessagingBench()
  const endpoint = createMessagingEndpoint(bench)
  onTestFinished(() => endpoint.close())
  const told: boolean[] = []
  const touched: number[] = []
  const port = await host((request, socket, head) => {
    const before = socket.listenerCount('error')
    const taken = endpoint.handleUpgrade(request, socket, head)
    told.push(taken)
    if (taken) return
    touched.push(socket.listenerCount('error') - before + socket.listenerCount('data'))
    socket.end('HTTP/1.1 418 Teapot\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  const path = async () => `/ws?session_id=${await bench.session()}&access_token=${bench.accessToken}`
  return { bench, endpoint, port, told, touched, path }
}

/** Sends a request, and returns all that comes back. */
async function exchange(port: number, ...lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write([...lines, 'Host: a', '', ''].join('\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

describe('handleUpgrade', () => {
  test('MS24 a visitor gets its socket from a host that owns the upgrade, and its history first', async () => {
    const { port, told, path } = await serve()
    const client = await openClient(`ws://127.0.0.1:${port}${await path()}`)
    await client.until(({ type }) => type === 'EVENT_TYPE_EVENT_BATCH')
    expect(told).toEqual([true])
    client.socket.terminate()
  })

  test('MS24 a target in absolute form is the path in it, as over HTTP', async () => {
    const { port, told } = await serve()
    const head = ['Connection: Upgrade', 'Upgrade: websocket']
    const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
    for (const origin of [`http://127.0.0.1:${port}`, 'WSS://elsewhere.example'])
      expect(
        await exchange(port, `GET ${origin}/ws?session_id=x&access_token=y HTTP/1.1`, ...head, ...key),
      ).toMatch(/^HTTP\/1\.1 401 /)
    expect(told).toEqual([true, true])
  })

  test.each([
    ['another path', '/other', 'websocket'],
    ['a path below', '/ws/more', 'websocket'],
    ['another protocol', '/ws', 'h2c'],
    ['a target that is no path', 'http://[', 'websocket'],
  ])('MS24 %s is left to the host, and the socket is untouched', async (_, path, protocol) => {
    const { port, told, touched } = await serve()
    const upgrade = ['Connection: Upgrade', `Upgrade: ${protocol}`]
    const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
    expect(await exchange(port, `GET ${path} HTTP/1.1`, ...upgrade, ...key)).toMatch(/^HTTP\/1\.1 418 /)
    expect([told, touched]).toEqual([[false], [0]])
  })

  test('MS24 what is refused is answered, and is the endpoint’s: a wrong token, and what is no handshake', async () => {
    const { port, told } = await serve()
    const refused = await refusedUpgrade(`ws://127.0.0.1:${port}/ws?session_id=x&access_token=y`)
    expect(refused.status).toBe(401)
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket']
    expect(await exchange(port, 'GET /ws HTTP/1.1', ...upgrade)).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(told).toEqual([true, true])
  })

  test('MS24 a peer that resets its connection while it is asked about ends nothing', async () => {
    const { port, told, path } = await serve()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    socket.write(
      `GET ${await path()} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
    )
    socket.resetAndDestroy()
    const client = await openClient(`ws://127.0.0.1:${port}${await path()}`)
    expect(told.at(-1)).toBe(true)
    client.socket.terminate()
  })

  test('MS24 an endpoint that goes away closes its sockets with 1001, and takes no more', async () => {
    const { endpoint, port, path } = await serve()
    const client = await openClient(`ws://127.0.0.1:${port}${await path()}`)
    await endpoint.close()
    expect(await client.closed).toMatchObject({ code: 1001 })
    const late = new WebSocket(`ws://127.0.0.1:${port}${await path()}`)
    const [error] = await once(late, 'error')
    expect(String(error)).toContain('socket hang up')
  })

  test('MS24 two endpoints share the upgrades of a host: each takes its own', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const [visitors, desk] = [createMessagingEndpoint(platform), createDeskEndpoint(platform)]
    onTestFinished(async () => {
      await Promise.all([visitors.close(), desk.close()])
    })
    const port = await host((...upgrade) => {
      if (!visitors.handleUpgrade(...upgrade) && !desk.handleUpgrade(...upgrade)) upgrade[1].destroy()
    })
    const agent = new WebSocket(`ws://127.0.0.1:${port}/desk/v1/ws?api_key=${keys.desk}`)
    await once(agent, 'open')
    agent.terminate()
    expect((await refusedUpgrade(`ws://127.0.0.1:${port}/ws`)).status).toBe(400)
    await expect(once(new WebSocket(`ws://127.0.0.1:${port}/`), 'open')).rejects.toThrow('socket hang up')
  })
})

test.each([
  ['createMessagingEndpoint', createMessagingEndpoint],
  ['createDeskEndpoint', createDeskEndpoint],
] as const)('EM4 %s refuses an unknown option', async (name, create) => {
  const { platform } = await createPopulatedPlatform()
  const given = (): unknown => Reflect.apply(create, null, [platform, { paht: '/a' }])
  expect(given).toThrow(`${name} has no option "paht". Did you mean path?`)
})

test('a client that goes away while it is admitted is abandoned once', async () => {
  const bench = await createMessagingBench()
  const settings = withDefaults('createEndpoint', {}, '/ws')
  let abandoned = 0
  const endpoint = createEndpoint(
    {
      ...messagingRules(bench, settings),
      async admit(_, { socket }) {
        await null
        socket.destroy()
        return {
          open: () => expect.unreachable(),
          abandon: () => {
            abandoned++
          },
        }
      },
    },
    settings,
  )
  onTestFinished(() => endpoint.close())
  const port = await host((request, socket, head) => void endpoint.handleUpgrade(request, socket, head))
  const client = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  await new Promise(resolve => client.once('error', resolve))
  expect(abandoned).toBe(1)
})
