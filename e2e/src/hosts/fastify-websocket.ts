import { createServer } from 'node:http'
import type { Platform } from '@colloquy/core'
import { colloquyPlugin } from '@colloquy/http-fastify'
import { createMessagingEndpoint } from '@colloquy/ws-transport'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance } from 'fastify'

/** A host's own sockets beside the visitors'. */
export async function createApp(platform: Platform): Promise<FastifyInstance> {
  const app = fastify()
  const visitors = createMessagingEndpoint(platform, { path: '/talk/ws' })
  // It never listens: `@fastify/websocket` takes every upgrade of the server that it is given.
  const others = createServer()
  await app.register(websocket, { options: { server: others } })
  app.get('/own', { websocket: true }, socket => socket.send('own'))
  await app.register(colloquyPlugin, { prefix: '/talk', platform })
  app.server.on('upgrade', (request, socket, head) => {
    if (!visitors.handleUpgrade(request, socket, head)) others.emit('upgrade', request, socket, head)
  })
  app.addHook('preClose', async () => visitors.close())
  return app
}
