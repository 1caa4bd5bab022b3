import { createPopulatedPlatform, createTestPlatform } from '@colloquy/test-support/platform'
import { expect, test } from 'vitest'
import { createProbes } from '../../src/http/probes.ts'
import { createMemoryStore } from '../../src/memory/index.ts'
import { request } from '../support/request.ts'

const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => 'colloquy_sockets 3\n' }

test('OB20 and OB21 a process that serves is alive and ready, and not ready once it closes', async () => {
  const { platform } = createTestPlatform()
  const probes = createProbes(platform)
  expect(await probes.handle(request('GET /healthz'))).toMatchObject({ status: 200, body: '{"live":true}' })
  expect(await probes.handle(request('GET /readyz'))).toMatchObject({
    status: 200,
    body: '{"ready":true,"store":"ok","closing":false}',
    headers: { 'Cache-Control': 'no-store' },
  })
  expect(await probes.handle(request('HEAD /readyz'))).toMatchObject({ status: 200, body: null })
  expect(await probes.handle(request('POST /readyz'))).toMatchObject({ status: 405 })
  expect(['/healthz', '/readyz', '/metrics', '/v1/agents', '/'].map(probes.matches)).toEqual([
    ...[true, true, false, false, false],
  ])
  await platform.close()
  expect(await probes.handle(request('GET /readyz'))).toMatchObject({ status: 503 })
  expect(await probes.handle(request('GET /healthz'))).toMatchObject({ status: 200 })
})

test('OB20 a store that fails, or does not answer for 2 s, is away', async () => {
  const store = createMemoryStore()
  let load: () => Promise<never> = () => Promise.reject(new Error('gone'))
  const { platform, clock } = createTestPlatform({
    store: { ...store, conversations: { ...store.conversations, load: () => load() } },
  })
  expect(await platform.readiness()).toEqual({ ready: false, store: 'away', closing: false, secrets: null })
  load = () => new Promise(() => {})
  const asked = platform.readiness()
  await clock.advance(2_000)
  expect(await asked).toEqual({ ready: false, store: 'away', closing: false, secrets: null })
  await platform.close()
})

test('OB21 figures are for operators, unless the host says that anyone may read them', async () => {
  const { platform } = await createPopulatedPlatform()
  const operator = await platform.access.createApiKey({ kind: 'operator', name: 'Prometheus' })
  const account = await platform.access.createAccount({ slug: 'one-more', name: 'One more' })
  const other = await platform.access.createApiKey({ kind: 'workspace', name: 'x', accountId: account.id })
  const probes = createProbes(platform, { metrics })
  const read = async (authorization?: string) =>
    (
      await probes.handle(
        request('GET /metrics', authorization === undefined ? {} : { headers: { authorization } }),
      )
    ).status
  expect(await read(`Bearer ${operator.secret}`)).toBe(200)
  expect(await read(`Bearer ${other.secret}`)).toBe(403)
  expect(await read('Bearer wrong')).toBe(401)
  expect(await read()).toBe(401)
  const open = createProbes(platform, { metrics, metricsFor: 'anyone' })
  expect(await open.handle(request('GET /metrics'))).toMatchObject({
    status: 200,
    headers: { 'Content-Type': metrics.contentType },
    body: 'colloquy_sockets 3\n',
  })
  await platform.close()
})
