import { once } from 'node:events'
import { createServer, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  attachErrorAnswers,
  createRequestListener,
  createRouter,
  type ErrorAnswersOptions,
} from '../src/index.ts'
import { exchange } from './support.ts'

const TIMES: ServerOptions = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 }

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A bare server, where every path is ours. */
async function bare(options: ServerOptions = {}): Promise<number> {
  const { platform } = await createPopulatedPlatform()
  const listener = createRequestListener(platform)
  const server = createServer(options, listener)
  attachErrorAnswers(server, listener)
  return listening(server)
}

/** An Express app with paths of its own beside ours; `held` is answered when the test says so. */
async function embedded(
  mount: {
    readonly at?: string
    readonly options?: ErrorAnswersOptions
    readonly server?: ServerOptions
  } = {},
) {
  const { platform } = await createPopulatedPlatform()
  const router = createRouter(platform)
  const app = express()
  app.use(mount.at ?? '/', router)
  const held: express.Response[] = []
  app.get('/held', (_, response) => void held.push(response))
  app.get('/begun', (_, response) => {
    response.write('the first half')
    held.push(response)
  })
  app.post('/upload', request => void request.resume())
  const server = createServer(mount.server ?? {}, app)
  attachErrorAnswers(server, router, mount.options)
  return { port: await listening(server), held, server }
}

/** Status, headers in lower case, and body of the only answer. */
function read(told: string) {
  const end = told.indexOf('\r\n\r\n')
  const [line = '', ...lines] = told.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map(one => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
  )
  return { status: Number(line.split(' ')[1]), headers, body: told.slice(end + 4) }
}

/** Sends bytes, leaves the connection open, and returns what comes back until the server closes it. */
async function half(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(text)
  let told = ''
  socket.on('data', data => {
    told += String(data)
  })
  await once(socket, 'close')
  return told
}

const request = (path: string, ...lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n')

const EXPECT = 'Expect: the-moon'
const CHUNKED = 'Transfer-Encoding: chunked'

/** What Node refuses by itself, with the path that the request names, if it could be read. */
const REFUSED = [
  [
    'an unknown Expect',
    417,
    'EXPECTATION_FAILED',
    (path: string) => request(path, EXPECT, 'Content-Length: 0'),
  ],
  [
    'a body of chunks that are none',
    400,
    'SCHEMA_VALIDATION_FAILED',
    (path: string) => `${request(path, CHUNKED)}zz\r\n`,
  ],
  [
    'chunk extensions without end',
    413,
    'BODY_TOO_LARGE',
    (path: string) => `${request(path, CHUNKED)}2;${'x'.repeat(20_000)}\r\n`,
  ],
] as const

const UNREAD = [
  [
    'headers that are too large',
    431,
    'HEADERS_TOO_LARGE',
    request('/api/v1/sessions', `X-Long: ${'x'.repeat(20_000)}`),
  ],
  ['what is not HTTP', 400, 'SCHEMA_VALIDATION_FAILED', 'EHLO mail\r\n\r\n'],
  ['a header that is none', 400, 'SCHEMA_VALIDATION_FAILED', request('/api/v1/sessions', 'no colon')],
  [
    'two lengths',
    400,
    'SCHEMA_VALIDATION_FAILED',
    request('/api/v1/sessions', 'Content-Length: 1', 'Content-Length: 2'),
  ],
] as const

const envelope = (code: string, id: string | undefined) => ({
  success: false,
  error: expect.any(String),
  error_id: id,
  error_code: code,
  error_message: expect.any(String),
  data: null,
})

function expectEnvelope(told: string, status: number, code: string): void {
  const answer = read(told)
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    ...Object.fromEntries(
      Object.entries(RESPONSE_HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  })
  expect(JSON.parse(answer.body)).toEqual(envelope(code, answer.headers['x-correlation-id']))
}

describe.each([
  ['a bare server', () => bare()],
  ['an Express app', async () => (await embedded()).port],
])('%s', (_, start) => {
  test.each(REFUSED)('HY26 %s, in the words of the family: %i', async (_what, status, code, write) => {
    const port = await start()
    expectEnvelope(await half(port, write('/v1/agents/PROJECT-A')), status, code)
    const { body, headers } = read(await half(port, write('/api/v1/sessions')))
    const { message } = JSON.parse(body)
    expect(JSON.parse(body)).toEqual({ message, error: expect.stringMatching(/\.$/) })
    expect(headers.connection).toBe('close')
    const conversations = read(await half(port, write('/v1/acme/PROJECT-A/conversations')))
    expect(JSON.parse(conversations.body)).toEqual({ error_message: message })
  })

  test.each(UNREAD)('HY26 %s, in the words of an unknown path: %i', async (_what, status, code, text) => {
    expectEnvelope(await half(await start(), text), status, code)
  })

  test('HY26 the correlation id of the request is told', async () => {
    const told = await half(await start(), request('/v1/agents/A', EXPECT, 'X-Correlation-Id: mine'))
    expect(JSON.parse(read(told).body)).toMatchObject({ error_id: 'mine' })
  })
})

test('HY26 a request whose head does not come in time is 408', async () => {
  const port = await bare(TIMES)
  expectEnvelope(await half(port, 'POST /v1/agents/A HT'), 408, 'REQUEST_TIMEOUT')
  const { port: embeddedPort } = await embedded({ server: TIMES })
  expectEnvelope(await half(embeddedPort, 'GET / HTTP/1.1\r\n'), 408, 'REQUEST_TIMEOUT')
})

test('HY26 on a bare server an unknown path is ours, and a missing host that the server leaves to us', async () => {
  const port = await bare({ requireHostHeader: false })
  expectEnvelope(await half(port, request('/nowhere', EXPECT)), 417, 'EXPECTATION_FAILED')
  const { status, body } = read(
    await exchange(port, 'GET /v1/agents/A HTTP/1.1\r\nConnection: close\r\n\r\n'),
  )
  expect([status, JSON.parse(body).error_code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED'])
})

test('HY26 below a mount path the family is that of the path below it', async () => {
  const { port } = await embedded({ at: '/talk', options: { mountPath: '/talk/' } })
  const { body } = read(await half(port, request('/talk/api/v1/sessions', EXPECT)))
  expect(Object.keys(JSON.parse(body))).toEqual(['message', 'error'])
  for (const path of ['/api/v1/sessions', '/talks/api/v1/sessions']) {
    const socket = exchange(port, request(path, EXPECT, 'Connection: close'))
    expect(read(await socket)).toMatchObject({ status: 417, body: '' })
  }
})

describe('what is the host’s', () => {
  test('HY26 a path of its own is refused as Node does it', async () => {
    const { port } = await embedded()
    const expectation = await exchange(port, request('/upload', EXPECT, 'Connection: close'))
    expect(read(expectation)).toMatchObject({ status: 417, body: '' })
    const broken = read(await half(port, `${request('/upload', CHUNKED)}zz\r\n`))
    expect(broken).toEqual({ status: 400, headers: { connection: 'close', 'content-length': '0' }, body: '' })
  })

  test('HY26 a server with other listeners of its own is left to them', async () => {
    const { port, server } = await embedded()
    server.on('checkExpectation', (_, response) =>
      response.writeHead(202, { Connection: 'close' }).end('seen'),
    )
    server.on('clientError', (_, socket) => socket.end('HTTP/1.1 418 Teapot\r\n\r\n'))
    expect(read(await half(port, request('/v1/agents/A', EXPECT))).status).toBe(202)
    expect(await half(port, 'EHLO mail\r\n\r\n')).toBe('HTTP/1.1 418 Teapot\r\n\r\n')
  })

  test('HY26 what is not HTTP behind a request is answered behind its answer', async () => {
    const { port, held } = await embedded()
    const socket = connect(port, '127.0.0.1')
    let told = ''
    socket.on('data', data => {
      told += String(data)
    })
    socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\nEHLO mail\r\n\r\n')
    await expect.poll(() => held.length).toBe(1)
    expect(told).toBe('')
    held[0]?.send('the answer')
    await once(socket, 'close')
    expect([...told.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['200', '400'])
    expect(told).toContain('the answerHTTP/1.1 400 ')
  })

  test('HY26 an answer that has begun is not written into', async () => {
    const { port } = await embedded()
    const told = await half(port, `GET /begun HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n\r\nzz\r\n`)
    expect(told.split('HTTP/1.1 ').length).toBeLessThanOrEqual(2)
    expect(told).not.toContain(' 400 ')
  })

  test('HY26 a connection that its peer resets is closed without a word, and others are served', async () => {
    const { port, server } = await embedded()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    const failed = once(server, 'clientError')
    socket.write(request('/v1/agents/A', 'Content-Length: 10'), () => socket.resetAndDestroy())
    const [error, broken] = await failed
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    expect(broken.destroyed).toBe(true)
    expect(read(await half(port, 'EHLO mail\r\n\r\n')).status).toBe(400)
  })
})

describe('what it is given', () => {
  const sayings = async () => {
    const { platform } = await createPopulatedPlatform()
    return { platform, router: createRouter(platform), server: createServer() }
  }

  test('HY26 an app in place of the server, and anything in place of the router, is refused', async () => {
    const { router, server } = await sayings()
    const attach = (...given: readonly unknown[]): unknown => Reflect.apply(attachErrorAnswers, null, given)
    expect(() => attach(express(), router)).toThrow(
      /^attachErrorAnswers takes an HTTP or HTTPS server first\./,
    )
    expect(() => attach(server, express())).toThrow(/^attachErrorAnswers takes the router second\./)
    expect(() => attach(server, router, { mountpath: '/a' })).toThrow('Did you mean mountPath?')
    expect(server.listenerCount('clientError')).toBe(0)
  })

  test('HY26 a second call for one server is refused, and the first one stands', async () => {
    const { router, server } = await sayings()
    attachErrorAnswers(server, router)
    expect(() => attachErrorAnswers(server, router)).toThrow('Attach them once.')
    expect(server.listenerCount('clientError')).toBe(1)
  })
})
