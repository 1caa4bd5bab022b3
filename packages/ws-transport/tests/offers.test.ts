import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { afterEach, describe, expect, test } from 'vitest'
import { attachMessaging } from '../src/index.ts'
import { CERTIFICATE } from './support/certificate.ts'
import { listen, openClient } from './support/client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** What clients send that would rather speak HTTP/2, with every request over plain HTTP. */
const OFFER = [
  'Connection: keep-alive, Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
]
const head = (method: string, path: string, headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

/** What the host behind the endpoints was asked, as it says it in its answer. */
async function tell(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += String(part)
  const { headers, method, url } = request
  response.end(JSON.stringify({ method, url, headers, body: body.length < 100 ? body : body.length }))
}

/** A host with two endpoints. */
async function start(create: (listener: (...of: Parameters<typeof tell>) => void) => Server = createServer) {
  const bench = await createMessagingBench()
  const server = create((request, response) => void tell(request, response))
  const endpoints = [attachMessaging(server, bench), attachMessaging(server, bench, { path: '/second' })]
  const port = await listen(server)
  cleanups.push(async () => {
    await Promise.all(endpoints.map(endpoint => endpoint.close()))
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  })
  return { bench, server, port }
}

/** A connection whose answers are read one by one. */
function talk(socket: Socket) {
  let text = ''
  let told = (): void => {}
  socket.on('error', () => {})
  // A character a byte, as lengths are counted.
  socket.setEncoding('latin1').on('data', part => {
    text += String(part)
    told()
  })
  return {
    socket,
    /** The next answer, once it is whole. */
    async next(): Promise<{ readonly status: number; readonly body: unknown }> {
      for (;;) {
        const length = /\r\nContent-Length: (\d+)\r\n/i.exec(text)?.[1]
        const from = text.indexOf('\r\n\r\n') + 4
        const to = from + Number(length)
        if (from > 3 && text.length >= to) {
          const body = JSON.parse(Buffer.from(text.slice(from, to), 'latin1').toString())
          const answer = { status: Number(text.slice(9, 12)), body }
          text = text.slice(to)
          return answer
        }
        await new Promise<void>(resolve => {
          told = resolve
        })
      }
    },
  }
}

describe('a request that offers another protocol', () => {
  const chunked = ['Transfer-Encoding: chunked']
  const long = 'ü'.repeat(100_000)

  test.each([
    ['without a body', 'GET', [], '', ''],
    ['with a body', 'POST', ['Content-Length: 5'], 'hello', 'hello'],
    ['with a body in pieces', 'PUT', chunked, '3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n', 'hello'],
    ['with a long body', 'POST', ['Content-Length: 200000'], long, long.length],
  ] as const)('MS33 %s is answered as if it did not', async (_, method, headers, sent, body) => {
    const { port } = await start()
    const { socket, next } = talk(connectPlain(port, '127.0.0.1'))
    const given = [...OFFER, ...headers, 'X-Given: a, b', 'X-Given: ü']
    socket.write(Buffer.from(head(method, '/ws?a=1', given), 'latin1'))
    socket.write(sent)
    const told = {
      method,
      url: '/ws?a=1',
      headers: expect.objectContaining({ 'x-given': 'a, b, ü' }),
      body,
    }
    expect(await next()).toEqual({ status: 200, body: told })
    socket.destroy()
  })

  test('MS33 is one of many on its connection, and leaves no listener behind', async () => {
    const { port, server } = await start()
    const accepted = new Promise<Socket>(resolve => server.once('connection', resolve))
    const { socket, next } = talk(connectPlain(port, '127.0.0.1'))
    const counts = new Set<number>()
    for (let count = 0; count < 20; count += 1) {
      socket.write(head(count % 3 === 0 ? 'POST' : 'GET', `/${count}`, [...OFFER, 'Content-Length: 0']))
      expect((await next()).body).toMatchObject({ url: `/${count}` })
      const peer = await accepted
      counts.add(peer.eventNames().reduce((sum, name) => sum + peer.listenerCount(name), 0))
    }
    expect(counts.size).toBe(1)
    socket.destroy()
  })

  test('MS33 over TLS as well', async () => {
    const { port } = await start(listener => createSecureServer(CERTIFICATE, listener))
    const { socket, next } = talk(connectSecure({ port, host: '127.0.0.1', rejectUnauthorized: false }))
    socket.write(head('GET', '/', OFFER))
    expect((await next()).status).toBe(200)
    socket.destroy()
  })

  test('MS33 behind one that is still being answered overtakes nothing', async () => {
    const { port } = await start()
    const { socket, next } = talk(connectPlain(port, '127.0.0.1'))
    socket.write(head('GET', '/first', []) + head('GET', '/second', OFFER))
    for (const url of ['/first', '/second']) expect((await next()).body).toMatchObject({ url })
    socket.destroy()
  })

  test('MS33 a callback that the host has set keeps its say, before and after an endpoint is closed', async () => {
    const server = createServer((request, response) => void tell(request, response))
    Object.assign(server, {
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade === 'mine',
    })
    server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 101 Mine\r\nContent-Length: 4\r\n\r\ntrue'))
    const endpoint = attachMessaging(server, await createMessagingBench())
    const port = await listen(server)
    const ask = async (protocol: string) => {
      const { socket, next } = talk(connectPlain(port, '127.0.0.1'))
      socket.write(head('GET', '/', ['Connection: Upgrade', `Upgrade: ${protocol}`]))
      const { status } = await next()
      socket.destroy()
      return status
    }
    expect([await ask('mine'), await ask('h2c')]).toEqual([101, 200])
    await endpoint.close()
    expect([await ask('mine'), await ask('h2c'), await ask('websocket')]).toEqual([101, 200, 200])
    await new Promise<void>(resolve => server.close(() => resolve()))
  })

  test('MS33 is the host’s where the host upgrades by itself', async () => {
    const { bench, port, server } = await start()
    server.on('upgrade', ({ headers }, socket) => {
      if (headers.upgrade === 'h2c') socket.end('HTTP/1.1 101 Mine\r\nContent-Length: 4\r\n\r\ntrue')
    })
    const { socket, next } = talk(connectPlain(port, '127.0.0.1'))
    socket.write(head('GET', '/', OFFER))
    expect(await next()).toEqual({ status: 101, body: true })
    socket.destroy()
    const url = `ws://127.0.0.1:${port}/second?session_id=${await bench.session()}&access_token=${bench.accessToken}`
    await (await openClient(url)).until(({ type }) => type === 'EVENT_TYPE_EVENT_BATCH')
  })
})
