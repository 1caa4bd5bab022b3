import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { silentLog } from '@colloquy/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

async function start(environment: NodeJS.ProcessEnv) {
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:', ...environment })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return { url: server.url, port: Number(new URL(server.url).port) }
}

/** Also where the server resets the connection. */
const gone = (socket: Socket): Promise<void> =>
  new Promise(resolve => {
    socket.on('error', () => {}).once('close', () => resolve())
  })

/** Sends the beginning of something and returns what comes back until the server closes the connection. */
async function half(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let told = ''
  socket.on('data', data => {
    told += String(data)
  })
  await gone(socket)
  return told
}

test('SS37 an idle connection is kept longer than a proxy keeps it', async () => {
  const { port } = await start({})
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  const [head] = await once(socket, 'data')
  expect(String(head)).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n/)
})

test('SS37 who never finishes a request, or a handshake, is answered 408 and closed', async () => {
  const { port, url } = await start({ COLLOQUY_REQUEST_TIMEOUT_SECONDS: '1' })
  const handshake =
    'GET /ws?session_id=a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
  const body = 'POST /operator/v1/accounts HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{'
  const told = await Promise.all([half(port, 'GET / HT'), half(port, handshake), half(port, body)])
  expect(told.map(text => text.slice(0, 12))).toEqual(['HTTP/1.1 408', 'HTTP/1.1 408', 'HTTP/1.1 401'])
  expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
})

const head = (path: string, ...lines: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')

test.each([
  [417, 'EXPECTATION_FAILED', head('/v1/agents/A', 'Host: a', 'Expect: the-moon')],
  [431, 'HEADERS_TOO_LARGE', head('/v1/agents/A', 'Host: a', `X-Long: ${'x'.repeat(20_000)}`)],
  [400, 'SCHEMA_VALIDATION_FAILED', 'EHLO mail\r\n\r\n'],
  [400, 'SCHEMA_VALIDATION_FAILED', head('/v1/agents/A', 'Connection: close')],
  [400, 'SCHEMA_VALIDATION_FAILED', head('/v1/agents/A', 'Host: a', 'Host: a', 'Connection: close')],
  [
    413,
    'BODY_TOO_LARGE',
    `${head('/v1/agents/A', 'Host: a', 'Transfer-Encoding: chunked')}2;${'x'.repeat(20_000)}\r\n`,
  ],
  [408, 'REQUEST_TIMEOUT', 'POST /v1/agents/A HT'],
])('HY26 the standalone server answers %i %s with a body: case %#', async (status, code, text) => {
  const { port } = await start({ COLLOQUY_REQUEST_TIMEOUT_SECONDS: status === 408 ? '1' : '30' })
  const told = await half(port, text)
  expect(told).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(told).toMatch(/\r\nContent-Type: application\/json/)
  expect(told).toMatch(/\r\nConnection: close\r\n/)
  expect(told).toMatch(new RegExp(`"error_code":"${code}"[^}]*}$`))
})

test('SS37 connections beyond the bound are closed at once, and come in again when others have gone', async () => {
  const { port } = await start({ COLLOQUY_MAX_CONNECTIONS: '2' })
  const first = connect(port, '127.0.0.1')
  const second = connect(port, '127.0.0.1')
  await Promise.all([once(first, 'connect'), once(second, 'connect')])
  const request = 'GET /elsewhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  expect(await half(port, request)).toBe('')
  first.end()
  await gone(first)
  await vi.waitFor(async () => expect(await half(port, request)).toMatch(/^HTTP\/1\.1 404 /))
  second.destroy()
})
