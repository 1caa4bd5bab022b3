import { createServer, type Server } from 'node:http'
import type { Platform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import { attachMessaging } from '@colloquy/ws-transport'
import express from 'express'
import { listen, stop } from './listen.ts'
import { createReportRouter } from './report-router.ts'

/** Options of a host. */
export interface HostOptions {
  /** 0: any free one. */
  readonly port: number
  /** Checks the reports of the other system. */
  readonly reportSecret: string
}

/**
 * The host's server, which listens before there is a platform: the other system must know the address for its reports.
 */
export interface Host {
  /** Takes the reports. */
  readonly reportUrl: string
  /** Serves a platform: its families, its sockets, and the reports. */
  serve(platform: Platform): void
  /** Closes what was served, and the platform with it. */
  close(): Promise<void>
}

/** The host of a platform whose live agents sit in another system. */
export async function startHost({ port, reportSecret }: HostOptions): Promise<Host> {
  const server: Server = createServer()
  const origin = await listen(server, port)
  let closePlatform = async (): Promise<void> => {}
  return {
    reportUrl: `${origin}/live-agents`,
    serve(platform) {
      const app = express()
      app.use('/live-agents', createReportRouter(platform, { secret: reportSecret }))
      app.use(createRouter(platform))
      server.on('request', app)
      const sockets = attachMessaging(server, platform)
      closePlatform = async () => {
        await sockets.close()
        await platform.close()
      }
    },
    async close() {
      const stopped = stop(server)
      await closePlatform()
      await stopped
    },
  }
}
