import { once } from 'node:events'
import { connect } from 'node:net'
import { silentLog } from '@colloquy/core'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../src/server.ts'
import { readSettings } from '../src/settings.ts'

const HOSTS = JSON.stringify({
  base: { us: 'base.example', eu: 'Base-EU.example' },
  platform: { us: 'platform.example' },
  messaging: { us: 'chat.example', eu: '127.0.0.1' },
})

async function start(environment: NodeJS.ProcessEnv = {}) {
  const settings = readSettings({ PORT: '0', COLLOQUY_DATABASE: ':memory:', ...environment })
  const server = await startServer(settings, { log: silentLog, show: () => {} })
  onTestFinished(() => server.close())
  return Number(new URL(server.url).port)
}

/** Sends a request with those header lines, and returns its status. */
async function status(port: number, path: string, ...lines: readonly string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  let told = ''
  socket.on('data', data => {
    told += String(data)
  })
  const accept = 'Accept: text/html'
  socket.write([`GET ${path} HTTP/1.1`, ...lines, accept, 'Connection: close', '', ''].join('\r\n'))
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(told)?.[1])
}

const OPERATORS = ['/', '/sign-in', '/sign-out', '/welcome', '/docs', '/api/console/v1/me', '/assets/a.js']

test('SS22 the console, its sign-in and its pages answer on the hosts of the agents API alone', async () => {
  const port = await start({ COLLOQUY_HOSTS: HOSTS })
  for (const path of OPERATORS) {
    const allowed = await status(port, path, 'Host: base.example')
    for (const host of ['base.example:443', 'BASE-eu.example', `localhost:${port}`])
      expect(await status(port, path, `Host: ${host}`), `${path} on ${host}`).toBe(allowed)
    for (const host of [
      'chat.example',
      'platform.example',
      'other.example',
      '127.0.0.1',
      `127.0.0.1:${port}`,
    ])
      expect(await status(port, path, `Host: ${host}`), `${path} on ${host}`).toBe(404)
  }
  expect(await status(port, '/', 'Host: base.example')).toBe(200)
  expect(await status(port, '/sign-in', 'Host: base.example')).toBe(200)
})

test('SS22 the demo answers on the hosts of messaging, and probes on every host', async () => {
  const port = await start({ COLLOQUY_HOSTS: HOSTS })
  expect(await status(port, '/demo', 'Host: chat.example')).toBe(200)
  expect(await status(port, '/demo', 'Host: base.example')).toBe(404)
  for (const host of ['base.example', 'chat.example', '10.0.0.7'])
    expect(await status(port, '/healthz', `Host: ${host}`)).toBe(200)
})

test('SS22 a trusted proxy says which host it is, and nobody else does', async () => {
  const forwarded = ['Host: inside', 'X-Forwarded-Host: base.example', 'X-Forwarded-For: 192.0.2.1']
  const behind = await start({ COLLOQUY_HOSTS: HOSTS, TRUST_PROXY: '1' })
  for (const path of ['/', '/welcome']) expect(await status(behind, path, ...forwarded)).toBe(200)
  const open = await start({ COLLOQUY_HOSTS: HOSTS })
  for (const path of ['/', '/welcome']) expect(await status(open, path, ...forwarded)).toBe(404)
})

test.each(
  [[], ['Host: base.example', 'Host: chat.example'], ['Host: a', 'Host: a']].map(lines => ({ lines })),
)('HY24 a request with the hosts $lines is 400 on every path', async ({ lines }) => {
  const port = await start()
  const paths = [...OPERATORS, '/demo', '/healthz', '/readyz', '/metrics', '/openapi.json', '/v1/agents/A']
  for (const path of paths) expect(await status(port, path, ...lines), path).toBe(400)
})
