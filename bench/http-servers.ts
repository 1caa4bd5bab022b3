/**
 * The servers of the HTTP row, each in a process of its own: see `http.ts`. Every one of them answers
 * `GET /v1/agents/{id}` with the same status, headers and body, over a SQLite file with synchronous=FULL.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type Platform } from '@colloquy/core'
import { createExpressServer, createRequestListener, createRouter } from '@colloquy/http-express'
import Database from 'better-sqlite3'
import express, { type RequestHandler } from 'express'
import * as z from 'zod'
import { answerParent } from './child.ts'
import { withFolder } from './with-folder.ts'

/** The agent to ask, and the key. */
interface Subject {
  readonly agentId: string
  readonly secret: string
}

interface Serving extends Subject {
  readonly server: Server
  close(): Promise<void>
}

const ACCOUNT = 'ws-bench'
const AGENT = 'PROJECT-bench'
const SECRET = 'cq_ws_a-secret-that-only-this-bench-knows'

/** The project, with everything on that a host has by default but for the limit on requests a second. */
async function openPlatform(folder: string): Promise<Subject & { readonly platform: Platform }> {
  const store = createSqliteStore({ filename: `${folder}/platform.db` })
  const platform = createPlatform({
    store,
    runtime: {
      async *respond() {
        yield { type: 'text', text: 'Welcome.' }
      },
    },
    rateLimits: null,
  })
  const { id: accountId } = await platform.access.createAccount({
    accountId: ACCOUNT,
    slug: 'bench',
    name: 'Bench',
  })
  const agent = { accountId, agentId: AGENT, name: 'Reception', greeting: 'Welcome.' }
  const { id: agentId } = await platform.agents.create(agent)
  await platform.access.createApiKey({ kind: 'workspace', accountId, secret: SECRET })
  return { platform, agentId, secret: SECRET }
}

async function serveProject(folder: string, serverOf: (platform: Platform) => Server): Promise<Serving> {
  const { platform, ...subject } = await openPlatform(folder)
  return { ...subject, server: serverOf(platform), close: () => platform.close() }
}

/** Fields of a key that a hand-written server keeps. */
interface HeldKey {
  readonly hash: Buffer
  readonly accountId: string
  readonly expiresAt: number | null
}

interface AgentRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly created_at: number
  readonly updated_at: number
  readonly branch_count: number
}

const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const

const paramsSchema = z.object({ agentId: z.string() })

/**
 * The work of the peers, as somebody would write it for this one path: the hash of the key looked up in memory and
 * compared in constant time, its end and its account checked, the path parameter parsed, the agent read with one
 * prepared statement, all that is answered in one row. It leaves out what the platform does besides: a key read from
 * the store with each request (CR5), permissions, regions, the record of its last use, branches counted.
 */
function openPeer(folder: string) {
  const database = new Database(`${folder}/peer.db`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    `create table agent (id text primary key, account_id text not null, name text not null, created_at integer not null,
      updated_at integer not null, branch_count integer not null) strict`,
  )
  const now = Date.now()
  database
    .prepare('insert into agent values (?, ?, ?, ?, ?, ?)')
    .run(AGENT, ACCOUNT, 'Reception', now, now, 1)
  const agent = database.prepare<[string], AgentRow>('select * from agent where id = ?')
  const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()
  const held: HeldKey = { hash: digest(SECRET), accountId: ACCOUNT, expiresAt: null }
  const keys = new Map([[held.hash.toString('hex'), held]])

  function findKey(secret: unknown): HeldKey | null {
    if (typeof secret !== 'string') return null
    const hash = digest(secret)
    const key = keys.get(hash.toString('hex'))
    if (key === undefined || !timingSafeEqual(key.hash, hash)) return null
    return key.expiresAt === null || Date.now() < key.expiresAt ? key : null
  }

  /** The answer as a value; its status where there is none. */
  function read(secret: unknown, params: unknown): object | 401 | 403 | 404 {
    const key = findKey(secret)
    if (key === null) return 401
    const { agentId } = paramsSchema.parse(params)
    const row = agent.get(agentId)
    if (row === undefined) return 404
    if (row.account_id !== key.accountId) return 403
    return {
      accountId: row.account_id,
      agentId: row.id,
      agentName: row.name,
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
      branchCount: row.branch_count,
    }
  }
  return { read, close: async () => void database.close() }
}

const correlationOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID()

async function serveBare(folder: string): Promise<Serving> {
  const { read, close } = openPeer(folder)
  const listener: RequestListener = (request, response) => {
    const { headers, method, url = '/' } = request
    const id = correlationOf(headers['x-ai-correlation-id'] ?? headers['x-correlation-id'])
    const agentId = /^\/v1\/agents\/([^/?]+)$/.exec(url)?.[1]
    const found =
      method === 'GET' && agentId !== undefined
        ? read(headers['x-api-key'], { agentId: decodeURIComponent(agentId) })
        : 404
    const body = JSON.stringify(typeof found === 'number' ? { error: found } : found)
    response.writeHead(typeof found === 'number' ? found : 200, {
      ...SECURITY_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'X-AI-Correlation-Id': id,
      'X-Correlation-Id': id,
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  return { server: createServer(listener), agentId: AGENT, secret: SECRET, close }
}

/** The same in Express, as its guide would have it: a middleware for headers, a route, `response.json`. */
async function serveExpress(folder: string): Promise<Serving> {
  const { read, close } = openPeer(folder)
  const tell: RequestHandler = (request, response, next) => {
    const id = correlationOf(request.headers['x-ai-correlation-id'] ?? request.headers['x-correlation-id'])
    response.set({ ...SECURITY_HEADERS, 'X-AI-Correlation-Id': id, 'X-Correlation-Id': id })
    next()
  }
  const app = bareApp()
  app.use(tell)
  app.get('/v1/agents/:agentId', (request, response) => {
    const found = read(request.headers['x-api-key'], request.params)
    if (typeof found === 'number') response.status(found).json({ error: found })
    else response.json(found)
  })
  return { server: createServer(app), agentId: AGENT, secret: SECRET, close }
}

/** Without the two headers of Express's own, which its peers do not send either: an ETag is no part of the work. */
const bareApp = () => express().disable('x-powered-by').disable('etag')

const VARIANTS: Readonly<Record<string, (folder: string) => Promise<Serving>>> = {
  bare: serveBare,
  listener: folder => serveProject(folder, platform => createServer(createRequestListener(platform))),
  express: serveExpress,
  mounted: folder => serveProject(folder, platform => createServer(bareApp().use(createRouter(platform)))),
  prototypes: folder =>
    serveProject(folder, platform => createExpressServer(bareApp().use(createRouter(platform)))),
}

const open = VARIANTS[String(JSON.parse(process.argv[2] ?? '""'))]
if (open === undefined) throw new Error(`Name a variant: ${Object.keys(VARIANTS).join(', ')}.`)
await withFolder(async folder => {
  const { server, close, ...subject } = await open(folder)
  // Connections stay while other variants have their turn.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await answerParent({ ...subject, port }, () => {
    const { user, system } = process.cpuUsage()
    return user + system
  })
  server.closeAllConnections()
  server.close()
  await close()
})
process.exit(0)
