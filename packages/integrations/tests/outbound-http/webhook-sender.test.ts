import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ResolveAll } from '../../src/outbound-http/checked-lookup.ts'
import { createWebhookSender, type WebhookSenderOptions } from '../../src/outbound-http/index.ts'
import { mayBeRead } from '../../src/outbound-http/webhook-sender.ts'

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

describe('what is passed on of an answer', () => {
  const READ = { ...LOCAL, keepPrivateAnswers: true }
  /** The body that is passed on of an answer. */
  const bodyOf = async (head: Record<string, string>, body: string | Uint8Array) => {
    const url = await receiver((_, response) => response.writeHead(200, head).end(body))
    const outcome = await send(url, READ)
    return outcome.type === 'answered' ? outcome.body : outcome
  }

  test('WH70 of a text its beginning, with type and size', async () => {
    expect(await bodyOf({ 'content-type': 'text/plain' }, 'Zoë')).toEqual({
      ...{ contentType: 'text/plain', bytes: 4, text: 'Zoë', isCut: false },
    })
    const long = await bodyOf({ 'content-type': 'application/json' }, `"${'é'.repeat(5_000)}"`)
    // The last byte of 4,096 is half of a character.
    expect(long).toEqual({
      ...{ contentType: 'application/json', bytes: 10_002, text: `"${'é'.repeat(2_047)}`, isCut: true },
    })
    const latin = { 'content-type': 'text/html; charset="ISO-8859-1"' }
    expect(await bodyOf(latin, Buffer.from('<b>Zo\xeb</b>', 'latin1'))).toMatchObject({ text: '<b>Zoë</b>' })
    expect(await bodyOf({ 'content-type': 'text/plain' }, '')).toMatchObject({ bytes: 0, text: '' })
  })

  test.each([
    'text/html',
    'TEXT/PLAIN; charset=utf-8',
    'application/problem+json',
    'application/xml',
    'image/svg+xml; a=b',
    'application/x-www-form-urlencoded',
  ])('WH70 %s is a text or not, by its name', async type => {
    const body = await bodyOf({ 'content-type': type }, 'said')
    expect(body).toMatchObject({
      contentType: type,
      bytes: 4,
      text: type.startsWith('image') ? null : 'said',
    })
  })

  test.each([
    [{ 'content-type': 'image/png' }, 'image/png'],
    [{ 'content-type': 'text/plain; charset=x-unknown' }, 'text/plain; charset=x-unknown'],
    [{ 'content-type': 'text/plain', 'content-encoding': 'gzip' }, 'text/plain'],
    [{ 'content-type': 'application/jsonp' }, 'application/jsonp'],
    [{}, null],
  ])('WH70 of %o the type and the size alone', async (head, contentType) => {
    expect(await bodyOf({ ...head }, Buffer.alloc(9))).toEqual({
      contentType,
      bytes: 9,
      text: null,
      isCut: false,
    })
  })

  test('WH70 of a body that is cut off, or too long, what came before', async () => {
    const cut = await receiver((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      response.write('half\xc3', 'latin1', () => response.destroy())
    })
    const body = { contentType: 'text/plain', bytes: 5, text: 'half', isCut: true }
    expect(await send(cut, READ)).toEqual({ type: 'answered', status: 200, body })
    const long = await receiver((_, response) => {
      response.writeHead(200, { 'content-type': 'a/b', 'content-length': '100' })
      response.write('123456')
    })
    expect(await send(long, { ...READ, maxResponseBytes: 5 })).toMatchObject({
      body: { bytes: 6, text: null, isCut: true },
    })
  })

  test('WH70 nothing of what an address inside answers, unless the host wants that', async () => {
    const url = await receiver((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('in'),
    )
    expect(await send(url)).toEqual({ type: 'answered', status: 200 })
    expect(await send(url, { ...LOCAL, keepPrivateAnswers: false })).toEqual({
      type: 'answered',
      status: 200,
    })
    expect(await send(url, READ)).toMatchObject({ body: { text: 'in' } })
    // A name that leads inside is inside, whatever it is called.
    const named = url.replace('127.0.0.1', 'localhost')
    expect(await send(named)).toEqual({ type: 'answered', status: 200 })
  })

  test('WH70 the address that the connection had decides, in whatever form', () => {
    const inside = [
      '127.0.0.1',
      '10.0.0.7',
      '::1',
      '::ffff:10.0.0.7',
      '169.254.169.254',
      'fd00::1',
      undefined,
    ]
    expect(inside.filter(address => mayBeRead(address, false))).toEqual([])
    expect(inside.every(address => mayBeRead(address, true))).toBe(true)
    expect(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'].every(one => mayBeRead(one, false))).toBe(true)
  })
})

describe('failures', () => {
  test('WH43 a receiver that hangs until the signal aborts; the reason is the signal’s', async () => {
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
  ])('WH43 %s is a failure with a reason', async (_, talk) => {
    const outcome = await send(await tcp(talk))
    expect(outcome).toEqual({ type: 'failed', reason: expect.stringMatching(/./) })
  })

  test('WH43 a port where nobody listens, a name that is not known, an answer without TLS', async () => {
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

  test('WH40 WH40 a literal address inside, and plain http, are refused before anything is sent', async () => {
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
    'WH40 a name that leads to %s %s is refused',
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

  test('WH40 the connection goes to the address that was checked: a name is asked for once', async () => {
    let connections = 0
    const port = new URL(await tcp(() => connections++)).port
    // Says a public address first, one that nobody has, and one inside to whoever asks again.
    let asked = 0
    const giveUp = new AbortController()
    const rebinding: ResolveAll = (_, callback) => {
      asked++
      setTimeout(() => giveUp.abort(), 500)
      callback(null, [asked === 1 ? { address: '3ffe::1', family: 6 } : { address: '127.0.0.1', family: 4 }])
    }
    const url = `http://hooks.example.com:${port}/`
    const sent = await send(url, { ...strict, resolveAll: rebinding }, giveUp.signal)
    expect(sent.type).toBe('failed')
    expect([asked, connections]).toEqual([1, 0])
  })
})
