import { createConsole, type Person } from '@colloquy/console'
import type { Platform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import express, { type Express } from 'express'

/** Whom the cookie of a request stands for: your own sessions. */
type Sessions = (cookie: string | undefined) => Promise<Person | null>

/** A host's own pages, and the console below `/internal/console`. */
export function createApp(platform: Platform, sessions: Sessions): Express {
  const console = createConsole(platform, {
    authorize: ({ headers }) => sessions(headers.cookie),
    signInUrl: '/login',
    signOutUrl: '/logout',
  })
  const app = express()
  app.use('/internal/console', createRouter(console))
  return app
}
