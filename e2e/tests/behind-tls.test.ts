import { once } from 'node:events'
import { run } from '@colloquy/test-support/program'
import { startedBefore, startStandalone } from '@colloquy/test-support/standalone'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { programAt } from '../../scripts/programs/program.ts'

/** Runs the host of the page. @returns its address, without a scheme */
async function start(environment: Readonly<Record<string, string>>): Promise<string> {
  const host = run(process.execPath, programAt('e2e/src/behind-tls.ts'), {
    DATABASE: ':memory:',
    HOST: '127.0.0.1',
    PORT: '0',
    ...environment,
  })
  return `127.0.0.1:${/port: (\d+)/.exec(await host.line(/port: \d+/))?.[1]}`
}

/** What a visitor who came over that scheme is answered: 403, or that credentials are missing. */
async function answers(address: string, scheme: string) {
  const headers = { 'x-forwarded-proto': scheme, 'x-forwarded-for': '192.0.2.1' }
  const asked = await fetch(`http://${address}/api/v1/access-token`, { method: 'POST', headers })
  const socket = new WebSocket(`ws://${address}/ws`, { headers })
  socket.on('error', () => {})
  const [, { statusCode }] = await once(socket, 'unexpected-response')
  return [asked.status, statusCode]
}

test('DO8 and MS14 behind a proxy what came over TLS is taken, and plain text only in development', async () => {
  const strict = await start({ PROXIES: '1' })
  expect([await answers(strict, 'https'), await answers(strict, 'http')]).toEqual([
    [401, 400],
    [403, 403],
  ])
  const development = await start({ PROXIES: '1', DEVELOPMENT: 'yes' })
  expect(await answers(development, 'http')).toEqual([401, 400])
})

test('SS2 the standalone server takes plain text with COLLOQUY_ALLOW_INSECURE=on', async () => {
  const server = await startStandalone({
    ...(await startedBefore()),
    COLLOQUY_ALLOW_INSECURE: 'on',
    TRUST_PROXY: '1',
  })
  expect(await answers(`127.0.0.1:${server.port}`, 'http')).toEqual([401, 400])
})
