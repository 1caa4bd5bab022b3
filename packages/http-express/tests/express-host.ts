import type { Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import { attachErrorAnswers, createExpressServer, createRouter } from '@colloquy/http-express'
import express from 'express'

/** A host's own paths, and the platform's below `/talk`. */
export function createHost(platform: Platform): Server {
  const router = createRouter(platform)
  const app = express()
  app.get('/health', (_request, response) => void response.json({ well: true }))
  app.use('/talk', router)
  const server = createExpressServer(app)
  attachErrorAnswers(server, router, { mountPath: '/talk' })
  return server
}
