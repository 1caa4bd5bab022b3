import type { Platform } from '@colloquy/core'
import { createFetchHandler } from '@colloquy/core/transport'
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'

/** A host's own paths, and the platform's below `/talk`. */
export function createApp(platform: Platform): Hono {
  const handle = createFetchHandler(platform, {
    basePath: '/talk',
    address: (_request, c: Context) => getConnInfo(c).remote.address,
  })
  const app = new Hono()
  app.use(async (c, next) => (await handle(c.req.raw, c)) ?? next())
  app.get('/health', c => c.json({ well: true }))
  return app
}
