import type { Platform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import Koa from 'koa'

/** A host's own paths beside the platform's. */
export function createApp(platform: Platform): Koa {
  const router = createRouter(platform)
  const app = new Koa()
  app.use(async (ctx, next) => {
    if (!router.dispatcher.matches(ctx.path)) return next()
    ctx.respond = false
    router(ctx.req, ctx.res, () => ctx.res.destroy())
  })
  app.use(ctx => {
    ctx.body = { well: true }
  })
  return app
}
