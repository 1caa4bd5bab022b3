import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createMessaging, fromConnector } from '@colloquy/client/messaging'
import { createPlatform, type Platform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFetchHandler } from '@colloquy/core/transport'
import { createRequestListener, createRouter } from '@colloquy/http-express'
import { colloquyPlugin } from '@colloquy/http-fastify'
import { attachMessaging } from '@colloquy/ws-transport'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import express from 'express'
import fastify from 'fastify'
import { type Context, Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { createApp as createKoa } from '../src/hosts/koa.ts'

async function openPlatform() {
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: {
      async *respond({ input }) {
        yield { type: 'text', text: input.type === 'message' ? `You said ${input.text}` : 'Welcome' }
      },
    },
  })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'Hotel' })
  const { id: agentId } = await platform.agents.create({ accountId, name: 'Desk', greeting: 'Welcome' })
  await platform.agents.publish(agentId, { environment: 'live' })
  const connector = { accountId, agentId, environment: 'live', hosts: ['localhost'] } as const
  const { token } = await platform.access.createConnector(connector)
  return { platform, token }
}

/** Makes the host of a guide, with its own call of `attachMessaging`, without a path. */
const HOSTS: Readonly<Record<string, (platform: Platform) => Promise<readonly [Server, string]>>> = {
  'node:http': async platform => [createServer(createRequestListener(platform)), ''],
  Express: async platform => [createServer(express().use('/talk', createRouter(platform))), '/talk'],
  'Express, deeper': async platform => {
    const inner = express.Router().use('/talk', createRouter(platform))
    return [createServer(express().use('/of/:tenant', inner)), '/of/a%20b/talk']
  },
  Fastify: async platform => {
    const app = fastify()
    app.register(colloquyPlugin, { prefix: '/talk', platform })
    await app.ready()
    return [app.server, '/talk']
  },
  Koa: async platform => [createServer(createKoa(platform).callback()), ''],
  Hono: async platform => {
    const address = (_request: Request, c: Context) => getConnInfo(c).remote.address
    const handle = createFetchHandler(platform, { basePath: '/talk', address })
    const app = new Hono().use(async (c, next) => (await handle(c.req.raw, c)) ?? next())
    const overrideGlobalObjects = false
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects })
    if (!('closeAllConnections' in server)) throw new Error('This is no HTTP server.')
    return [server, '/talk']
  },
}

test.each(Object.keys(HOSTS))(
  'MS24 behind %s a client finds the socket below the mount by itself',
  async name => {
    const { platform, token } = await openPlatform()
    const [server, base] = (await HOSTS[name]?.(platform)) ?? [createServer(), '']
    const endpoint = attachMessaging(server, platform)
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `http://127.0.0.1:${port}${base}`
    const chat = createMessaging({
      server: url,
      getToken: fromConnector({ server: url, connectorToken: token, host: 'localhost' }),
      // Node has one of its own from version 22 on.
      ...('WebSocket' in globalThis ? {} : { openSocket: (target: string) => new WebSocket(target) }),
    })
    onTestFinished(async () => {
      chat.destroy()
      await endpoint.close()
      server.closeAllConnections()
      server.close()
      await platform.close()
    })
    chat.start()
    chat.send('hello')
    await expect
      .poll(() => chat.current.messages.map(({ text }) => text))
      .toEqual(['Welcome', 'hello', 'You said hello'])
  },
)
