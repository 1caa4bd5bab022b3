import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ResolveAll } from '../src/checked-lookup.ts'
import { createWebhookSender, type WebhookSenderOptions } from '../src/index.ts'

/** Listens on a free port of this machine until the test is over. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

const receiver = async (answer: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(answer))}/in`
const tcp = async (talk: (socket: Socket) => void) => {
  const server = createTcpServer(socket => {
    socket.on('error', () => undefined)
    talk(socket)
  })
  return `http://127.0.0.1:${await listen(server)}/in`
}

/** Where Node tells of answers to requests of this process. */
const RESPONSE = 'http.client.response.finish'

const LOCAL = { allowPrivateAddresses: true, allowInsecure: true }

function send(url: string, options: WebhookSenderOptions = LOCAL, signal = new AbortController().signal) {
  const headers = { 'webhook-id': 'EVENT-1', 'content-type': 'application/json; charset=utf-8' }
  return createWebhookSender(options).send({ url, headers, body: '{"name":"Zoë"}', signal })
}

/** A resolver of one name that counts how often it was asked. */
function resolver(...addresses: readonly string[]): ResolveAll & { asked: () => number } {
  let asked = 0
  const resolve: ResolveAll = (_, callback) => {
    asked++
    const found = addresses.map(
      (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
    )
    setImmediate(() => callback(null, found))
  }
  return Object.assign(resolve, { asked: () => asked })
}

describe('requests', () => {
  test('WH43 a POST with headers and body as given, and the status of the answer', async () => {
    const seen: unknown[] = []
    const url = await receiver((request, response) => {
      const chunks: Uint8Array[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers, Buffer.concat(chunks).toString()])
        response.writeHead(202).end('thanks')
      })
    })
    expect(await send(`${url}?a=b`)).toEqual({ type: 'answered', status: 202 })
    const headers = {
      'webhook-id': 'EVENT-1',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '15',
      'user-agent': 'Colloquy-Webhooks',
    }
    expect(seen).toEqual([['POST', '/in?a=b', expect.objectContaining(headers), '{"name":"Zoë"}']])
  })

  test('WH43 a redirect is an answer and not followed', async () => {
    let asked = 0
    const target = await receiver((_, response) => {
      asked++
      response.end()
    })
    const url = await receiver((_, response) => response.writeHead(307, { location: target }).end())
    expect(await send(url)).toEqual({ type: 'answered', status: 307 })
    expect(asked).toBe(0)
  })

  test('WH43 of a body without end no more than the bound is read', async () => {
    let sent = 0
    const url = await receiver((_, response) => {
      const chunk = Buffer.alloc(16_384)
      const write = (): void => {
        if (response.destroyed) return
        sent += chunk.length
        if (response.write(chunk)) setImmediate(write)
        else response.once('drain', write)
      }
      write()
    })
    expect(await send(url)).toEqual({ type: 'answered', status: 200 })
    // What the system's buffers took before the connection was closed comes on top.
    expect(sent).toBeLessThan(20_000_000)
  })

  test('WH43 once the status is there it counts: a body that hangs, one that is cut off', async () => {
    const hanging = await receiver((_, response) => {
      response.writeHead(201, { 'content-length': '100' })
      response.write('half')
    })
    const leaving = new AbortController()
    // Told where the status comes in.
    const leave = () => void setImmediate(() => leaving.abort())
    subscribe(RESPONSE, leave)
    onTestFinished(() => void unsubscribe(RESPONSE, leave))
    expect(await send(hanging, LOCAL, leaving.signal)).toEqual({ type: 'answered', status: 201 })
    const cut = await receiver((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    })
    expect(await send(cut)).toEqual({ type: 'answered', status: 200 })
  })
})

describe('failures', () => {
  test('WH44 a receiver that hangs until the signal aborts; the reason is the signal’s', async () => {
    const controller = new AbortController()
    const url = await receiver(() => controller.abort(new Error('It took too long')))
    expect(await send(url, LOCAL, controller.signal)).toEqual({ type: 'failed', reason: 'It took too long' })
    expect(await send(url, LOCAL, AbortSignal.abort(new Error('too late')))).toEqual({
      type: 'failed',
      reason: 'too late',
    })
  })

  test.each<readonly [string, (socket: Socket) => void]>([
    ['a reset', socket => socket.once('data', () => socket.resetAndDestroy())],
    ['a connection that is closed', socket => socket.once('data', () => socket.end())],
    ['an answer that is no HTTP', socket => socket.end('220 smtp.example.com ESMTP\r\n')],
    [
      'an upgrade that nobody asked for',
      socket => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    ],
  ])('WH44 %s is a failure with a reason', async (_, talk) => {
    const outcome = await send(await tcp(talk))
    expect(outcome).toEqual({ type: 'failed', reason: expect.stringMatching(/./) })
  })

  test('WH44 a port where nobody listens, a name that is not known, an answer without TLS', async () => {
    const port = await listen(createServer())
    const closed = createServer()
    const free = await new Promise<number>(resolve => {
      closed.listen(0, '127.0.0.1', () => {
        const address = closed.address()
        closed.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
      })
    })
    expect(await send(`http://127.0.0.1:${free}/`)).toMatchObject({
      type: 'failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ type: 'failed' })
    const unknown: ResolveAll = (_, callback) =>
      callback(new Error('getaddrinfo ENOTFOUND hooks.example.com'), [])
    expect(await send('https://hooks.example.com/', { resolveAll: unknown })).toEqual({
      type: 'failed',
      reason: 'getaddrinfo ENOTFOUND hooks.example.com',
    })
    expect(await send('https://hooks.example.com/', { resolveAll: resolver() })).toMatchObject({
      type: 'failed',
      reason: 'hooks.example.com has no address',
    })
  })
})

describe('private addresses', () => {
  const strict = { allowInsecure: true }

  test('WH40 WH42 a literal address inside, and plain http, are refused before anything is sent', async () => {
    let connections = 0
    const url = await tcp(() => connections++)
    expect(await send(url, strict)).toMatchObject({
      type: 'refused',
      reason: expect.stringContaining('127.0.0.1'),
    })
    expect(await send(url, { allowPrivateAddresses: true })).toMatchObject({ type: 'refused' })
    expect(connections).toBe(0)
  })

  test.each([['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:169.254.169.254'], ['2606:4700::1111', '::1']])(
    'WH41 a name that leads to %s %s is refused',
    async (...addresses) => {
      const resolveAll = resolver(...addresses)
      const outcome = await send('http://hooks.example.com/', { ...strict, resolveAll })
      const inside = addresses.at(-1) ?? ''
      expect(outcome).toEqual({
        type: 'refused',
        reason: `hooks.example.com leads to ${inside}, which is not an address of the public Internet`,
      })
      expect(resolveAll.asked()).toBe(1)
    },
  )

  test('WH41 the connection goes to the address that was checked: a name is asked for once', async () => {
    let connections = 0
    const port = new URL(await tcp(() => connections++)).port
    // Says a public address first, one that nobody has, and one inside to whoever asks again.
    let asked = 0
    const rebinding: ResolveAll = (_, callback) => {
      asked++
      callback(null, [asked === 1 ? { address: '3ffe::1', family: 6 } : { address: '127.0.0.1', family: 4 }])
    }
    const url = `http://hooks.example.com:${port}/`
    expect((await send(url, { ...strict, resolveAll: rebinding }, AbortSignal.timeout(500))).type).toBe(
      'failed',
    )
    expect([asked, connections]).toEqual([1, 0])
  })
})
