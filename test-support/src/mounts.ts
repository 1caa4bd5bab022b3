import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import express from 'express'
import express4 from 'express-4'
import fastify from 'fastify'
import { type Context, Hono } from 'hono'
import Koa from 'koa'
import { fetchHandlerOf } from '../../packages/core/src/fetch/fetch-handler.ts'
import { toNextRouteHandler } from '../../packages/core/src/fetch/next-route.ts'
import type { Dispatcher } from '../../packages/core/src/http/dispatcher.ts'
import { createExpressServer } from '../../packages/http-express/src/express-server.ts'
import { answerWith, middlewareFor } from '../../packages/http-express/src/middleware.ts'
import { mountRouter } from '../../packages/http-fastify/src/mount.ts'

/** Settings of a mount for receiving requests. */
export interface MountIntake {
  readonly trustProxy: boolean
  readonly requestTimeout: number
  readonly answerTimeout: number
  /**
   * Called for each request that the host's last hook before ours sees. The hook refuses them all with 403. Without it
   * there is no such hook.
   */
  readonly gate?: (path: string) => void
}

/** A dispatcher behind one of the ways in which hosts mount it. */
export interface Mounted {
  /** Path before each of our paths. */
  readonly base: string
  /** Sends a request to a path, the base included. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Null where nothing listens, and requests are handed over as they are. */
  readonly server: Server | null
  close(): Promise<void>
}

export const EVERYDAY: MountIntake = { trustProxy: false, requestTimeout: 30_000, answerTimeout: 120_000 }

const BASE = '/talk'

async function listening(server: Server, base: string): Promise<Mounted> {
  if (!server.listening) server.listen(0, '127.0.0.1')
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    base,
    server,
    send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
    async close() {
      server.closeAllConnections()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

const plain = (listener: RequestListener, base: string): Promise<Mounted> =>
  listening(createServer(listener), base)

/** Body of the host's own answer to paths that are not ours. */
const THE_HOST = 'the host'

const REFUSED = 'the gate'

/** A host's own middleware at the mount path, after its body parser; null without a gate. */
const gateOf = ({ gate }: MountIntake) =>
  gate === undefined
    ? null
    : (request: express.Request, response: express.Response): void => {
        gate(request.originalUrl)
        response.status(403).send(REFUSED)
      }

function expressApp(dispatcher: Dispatcher, intake: MountIntake) {
  const app = express()
  const gate = gateOf(intake)
  if (gate !== null) app.use(express.json()).use(BASE, gate)
  app.use(BASE, middlewareFor(dispatcher, intake))
  app.use((_request, response) => void response.status(404).send(THE_HOST))
  return app
}

async function onFastify(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const app = fastify({ forceCloseConnections: true })
  app.setNotFoundHandler((_request, reply) => reply.status(404).send(THE_HOST))
  const { gate, trustProxy } = intake
  if (gate !== undefined)
    app.addHook('preHandler', async (request, reply) => {
      gate(request.url)
      return reply.status(403).send(REFUSED)
    })
  const router = Object.assign(middlewareFor(dispatcher, intake), { dispatcher, trustProxy })
  app.register(async scope => mountRouter(scope, router), { prefix: BASE })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const mounted = await listening(app.server, BASE)
  return { ...mounted, close: async () => void (await app.close()) }
}

function onKoa(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const answer = answerWith(dispatcher, intake)
  const app = new Koa()
  const { gate } = intake
  if (gate !== undefined)
    app.use((ctx, next) => {
      if (!dispatcher.matches(ctx.path)) return next()
      gate(ctx.path)
      ctx.status = 403
      ctx.body = REFUSED
    })
  app.use(async (ctx, next) => {
    if (!dispatcher.matches(ctx.path)) return next()
    ctx.respond = false
    answer(ctx.req, ctx.res)
  })
  app.use(ctx => {
    ctx.status = 404
    ctx.body = THE_HOST
  })
  return plain(app.callback(), '')
}

function onHono(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const address = (_request: Request, c: Context) => getConnInfo(c).remote.address
  const handle = fetchHandlerOf<Context>(dispatcher, { ...intake, basePath: BASE, address })
  const app = new Hono()
  const { gate } = intake
  if (gate !== undefined)
    app.use(`${BASE}/*`, async c => {
      gate(c.req.path)
      return c.text(REFUSED, 403)
    })
  app.use(async (c, next) => (await handle(c.req.raw, c)) ?? next())
  app.notFound(c => c.text(THE_HOST, 404))
  // Otherwise it puts its own Request and Response in their place, for all that runs in this process later.
  const overrideGlobalObjects = false
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects })
  if (!('closeAllConnections' in server)) throw new Error('This is no HTTP server.')
  return listening(server, BASE)
}

const theHost = (): Response => new Response(THE_HOST, { status: 404 })

/** Creates a mount that is handed requests as they are, without a server. */
const handed = ({ gate }: MountIntake, answer: (request: Request) => Promise<Response>): Mounted => ({
  base: BASE,
  server: null,
  async send(path, init) {
    const request = new Request(`http://127.0.0.1${path}`, init)
    const { pathname } = new URL(request.url)
    if (gate === undefined || !pathname.startsWith(`${BASE}/`)) return answer(request)
    gate(pathname)
    return new Response(REFUSED, { status: 403 })
  },
  close: async () => {},
})

async function direct(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const handle = fetchHandlerOf<void>(dispatcher, { ...intake, basePath: BASE, address: () => '127.0.0.1' })
  return handed(intake, async request => (await handle(request)) ?? theHost())
}

/** A catch-all route file: Next.js hands it what stands below its folder, and refuses methods that it does not export. */
async function onNext(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const handle = fetchHandlerOf<void>(dispatcher, { ...intake, basePath: BASE, address: () => '127.0.0.1' })
  const exported = new Map(Object.entries(toNextRouteHandler(handle)))
  return handed(intake, async request => {
    if (!new URL(request.url).pathname.startsWith(`${BASE}/`)) return theHost()
    return exported.get(request.method)?.(request) ?? new Response(null, { status: 405 })
  })
}

/** A hook for all requests: SvelteKit hands it each one, with what goes on from there. */
async function onSvelteKit(dispatcher: Dispatcher, intake: MountIntake): Promise<Mounted> {
  const event = { getClientAddress: () => '127.0.0.1' }
  const address = (_request: Request, { getClientAddress }: typeof event) => getClientAddress()
  const handle = fetchHandlerOf<typeof event>(dispatcher, { ...intake, basePath: BASE, address })
  return handed(intake, async request => (await handle(request, event)) ?? theHost())
}

/** Every way of mounting the HTTP families that is tested. */
export const MOUNTS = {
  'node:http': (dispatcher, intake) => {
    const { gate } = intake
    const listener = answerWith(dispatcher, intake)
    if (gate === undefined) return plain(listener, '')
    return plain((request, response) => {
      if (!dispatcher.matches(new URL(request.url ?? '/', 'http://host').pathname)) {
        listener(request, response)
        return
      }
      gate(request.url ?? '')
      response.writeHead(403).end(REFUSED)
    }, '')
  },
  'Express 5': (dispatcher, intake) => plain(expressApp(dispatcher, intake), BASE),
  createExpressServer: (dispatcher, intake) =>
    listening(createExpressServer(expressApp(dispatcher, intake)), BASE),
  'Express 4': (dispatcher, intake) => {
    const app = express4()
    const gate = gateOf(intake)
    if (gate !== null) app.use(express4.json()).use(BASE, gate)
    app.use(BASE, middlewareFor(dispatcher, intake))
    app.use(
      (_request: express.Request, response: express.Response) => void response.status(404).send(THE_HOST),
    )
    return plain(app, BASE)
  },
  Fastify: onFastify,
  Koa: onKoa,
  Hono: onHono,
  'Next.js': onNext,
  SvelteKit: onSvelteKit,
  fetch: direct,
} as const satisfies Readonly<
  Record<string, (dispatcher: Dispatcher, intake: MountIntake) => Promise<Mounted>>
>

export type MountName = keyof typeof MOUNTS
