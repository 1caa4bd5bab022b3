import { createConsole, type Person } from '@colloquy/console'
import type { Platform } from '@colloquy/core'
import { colloquyPlugin } from '@colloquy/http-fastify'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

/** What the host's own login leaves on a request. */
export const people = new WeakMap<FastifyRequest, Person>()

/** The console below `/internal/console`, for whom the host's hooks have signed in. */
export function createHost(platform: Platform, signIn: (request: FastifyRequest) => void): FastifyInstance {
  const app = fastify()
  app.addHook('onRequest', async request => signIn(request))
  const console = createConsole(platform, {
    authorize: ({ original }) => people.get(original as FastifyRequest) ?? null,
  })
  app.register(colloquyPlugin, { prefix: '/internal/console', platform: console })
  return app
}
