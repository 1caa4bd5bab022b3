import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFetchHandler, type Dispatcher, type HttpRequest } from '@colloquy/core/transport'
import { createRequestListener, createRouter } from '@colloquy/http-express'
import { colloquyPlugin } from '@colloquy/http-fastify'
import { createPopulatedPlatform } from '@colloquy/test-support/platform'
import express from 'express'
import fastify from 'fastify'
import { onTestFinished } from 'vitest'
import { bundleConsole } from '../../../scripts/console-files.ts'
import { type ConsoleOptions, createConsole, type Person } from '../src/index.ts'

let bundled: ReturnType<typeof bundleConsole> | null = null

/** The page's files, made from the sources once. */
export function pageFiles(): ReturnType<typeof bundleConsole> {
  bundled ??= bundleConsole()
  return bundled
}

export const ADA: Person = { id: 'u-ada', name: 'Ada', roles: ['operator'] }

/** A console over two accounts, and what its login was asked. */
export async function openConsole(options: Partial<ConsoleOptions> = {}) {
  const made = await createPopulatedPlatform()
  const asked: HttpRequest[] = []
  const authorize = (request: HttpRequest): Person | null => {
    asked.push(request)
    return request.headers.cookie === 'session=ada' ? ADA : null
  }
  const page = createConsole(made.platform, { authorize, pageFiles, ...options })
  return { ...made, page, asked }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** How a host asks something of its console below `base`; paths of its own it answers by itself. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

export async function overHttp(server: Server): Promise<Ask> {
  const origin = await listen(server)
  return (path, init) => fetch(`${origin}${path}`, { redirect: 'manual', ...init })
}

/** Every way of mounting a console. */
export const MOUNTS: Readonly<Record<string, (console: Dispatcher, base: string) => Promise<Ask>>> = {
  async express(console, base) {
    const app = express()
    app.use(base === '' ? '/' : base, createRouter(console))
    app.use((_request, response) => void response.status(404).send('of the host'))
    return overHttp(createServer(app))
  },
  async fastify(console, base) {
    const app = fastify()
    app.register(colloquyPlugin, { platform: console, ...(base === '' ? {} : { prefix: base }) })
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('of the host'))
    onTestFinished(() => app.close())
    await app.ready()
    return overHttp(app.server)
  },
  async 'node:http'(console, base) {
    const answer = createRequestListener(console)
    return overHttp(
      createServer((request, response) => {
        const { url = '' } = request
        const below = url.slice(base.length)
        const isOurs = url.startsWith(base) && console.matches(below.replace(/\?.*/s, ''))
        if (isOurs) answer(Object.assign(request, { originalUrl: url, url: below }), response)
        else response.writeHead(404).end('of the host')
      }),
    )
  },
  async 'the fetch handler'(console, base) {
    const handle = createFetchHandler(console, { basePath: base, address: () => '203.0.113.9' })
    return async (path, init) =>
      (await handle(new Request(`http://host.example${path}`, init))) ??
      new Response('of the host', { status: 404 })
  },
}
