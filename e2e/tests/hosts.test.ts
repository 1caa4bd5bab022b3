import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import { serve } from '@hono/node-server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createApp as createFastify } from '../src/hosts/fastify-websocket.ts'
import { createApp as createHono } from '../src/hosts/hono.ts'
import { createApp as createKoa } from '../src/hosts/koa.ts'
import { createHandle } from '../src/hosts/svelte-kit.ts'

async function listening(server: Server): Promise<string> {
  if (!server.listening) server.listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** What every host on the page does: its own path, and an agent that is read and changed through ours. */
async function shows(
  ask: (path: string, init?: RequestInit) => Promise<Response>,
  base: string,
  key: string,
) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const agent = await ask(`${base}/v1/agents/PROJECT-A`, { headers })
  expect([agent.status, await agent.json()]).toMatchObject([200, { agentId: 'PROJECT-A' }])
  const body = JSON.stringify({ name: 'Bar', responseSettings: { greeting: 'Hello' } })
  const made = await ask(`${base}/v1/accounts/one/agents`, { method: 'POST', headers, body })
  expect([made.status, await made.json()]).toMatchObject([200, { agentName: 'Bar' }])
  expect((await ask(`${base}/v1/agents/PROJECT-A`)).status).toBe(401)
}

describe('the hosts on the page about hosts', () => {
  test('DO8 Hono serves its own paths and the platform’s', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    // Hono's server puts its own in their place, in the whole process.
    const { Request, Response } = globalThis
    onTestFinished(() => {
      Object.defineProperty(globalThis, 'Request', { value: Request })
      Object.defineProperty(globalThis, 'Response', { value: Response })
    })
    const server = serve({ fetch: createHono(platform).fetch, port: 0, hostname: '127.0.0.1' })
    if (!('closeAllConnections' in server)) throw new Error('This is no HTTP server.')
    const url = await listening(server)
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ well: true })
    await shows((path, init) => fetch(`${url}${path}`, init), '/talk', keys.workspace)
  })

  test('DO8 Koa serves its own paths and the platform’s', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const url = await listening(createServer(createKoa(platform).callback()))
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ well: true })
    await shows((path, init) => fetch(`${url}${path}`, init), '', keys.workspace)
  })

  test('DO8 a handle of SvelteKit serves the platform’s paths, and resolves its own', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const handle = createHandle(platform)
    const ask = (path: string, init?: RequestInit) => {
      const event = {
        request: new Request(`https://host.example${path}`, init),
        getClientAddress: () => '192.0.2.1',
      }
      return handle({ event, resolve: async ({ request }) => new Response(`own ${request.url}`) })
    }
    expect(await (await ask('/health')).text()).toBe('own https://host.example/health')
    await shows(ask, '/talk', keys.workspace)
  })

  test('DO8 a route file of Next.js answers with every method that it exports', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-next-'))
    vi.stubEnv('COLLOQUY_DATABASE', join(folder, 'colloquy.db'))
    const kept = Symbol.for('@colloquy/one-per-process/talk')
    onTestFinished(async () => {
      vi.unstubAllEnvs()
      await Reflect.get(globalThis, kept).made.platform.close()
      Reflect.deleteProperty(globalThis, kept)
      await rm(folder, { recursive: true })
    })
    const route = await import('../src/hosts/next-route.ts')
    expect([await readdir(folder), Reflect.get(globalThis, kept)]).toEqual([[], undefined])
    const request = new Request('https://host.example/api/talk/v1/agents/A')
    expect((await route.GET(request)).status).toBe(401)
    expect(await readdir(folder)).toContain('colloquy.db')
    expect([route.runtime, route.dynamic]).toEqual(['nodejs', 'force-dynamic'])
  })

  test('DO8 Fastify serves its own sockets beside the visitors’', async () => {
    const { platform, keys } = await createPopulatedPlatform()
    const app = await createFastify(platform)
    onTestFinished(async () => void (await app.close()))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    await shows((path, init) => fetch(`${url}${path}`, init), '/talk', keys.workspace)
    const own = new WebSocket(`${url.replace('http', 'ws')}/own`)
    const [said] = await once(own, 'message')
    expect(String(said)).toBe('own')
    const closed = once(own, 'close')
    own.close()
    await closed
    const refused = new WebSocket(`${url.replace('http', 'ws')}/talk/ws`)
    const [error] = await once(refused, 'error')
    expect(String(error)).toContain('Unexpected server response: 400')
  })
})
