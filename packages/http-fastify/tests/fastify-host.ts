import type { Platform } from '@colloquy/core'
import { colloquyPlugin } from '@colloquy/http-fastify'
import fastify, { type FastifyInstance } from 'fastify'

/** A host's own paths, and the platform's below `/talk`. */
export function createHost(platform: Platform): FastifyInstance {
  const app = fastify()
  app.get('/health', async () => ({ well: true }))
  app.register(colloquyPlugin, { prefix: '/talk', platform })
  return app
}
