import type { Platform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import { widgetFolder } from '@colloquy/widget/files'
import express from 'express'

/** A host that serves the platform, and the files of the widget below `/widget`. */
export function createApp(platform: Platform, files = widgetFolder) {
  const app = express()
  app.use(
    '/widget',
    express.static(files, {
      setHeaders(response, path) {
        // Pages of other hosts load the files as modules.
        response.setHeader('Access-Control-Allow-Origin', '*')
        // Also where a library such as helmet has set headers before.
        response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
        const age = /colloquy-[0-9a-f]{12}/.test(path) ? 31_536_000 : 300
        response.setHeader('Cache-Control', `public, max-age=${age}`)
      },
    }),
  )
  app.use(createRouter(platform))
  return app
}
