/** The server under attack: a child process, so that its heap is its own and its death is seen. Speaks over IPC. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { writeHeapSnapshot } from 'node:v8'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform, type WebhookSender } from '@colloquy/core'
import { createScriptedSpeech } from '@colloquy/core/testing'
import { createRouter } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import express from 'express'
import { accountState } from '../scope-matrix/state.ts'
import { createShiftedClock, endAll } from './end-all.ts'
import { createTenant, functions } from './tenant.ts'

const errors: string[] = []
const note = (where: string) => (error: unknown) => {
  errors.push(`${where}: ${error instanceof Error ? error.stack : String(error)}`)
}
process.on('unhandledRejection', note('unhandled rejection'))
process.on('uncaughtException', note('uncaught exception'))

/** Receivers that answer everything: what is fuzzed is this side. */
const webhookSender: WebhookSender = {
  objection: url => (url.startsWith('https://') ? null : 'The address must begin with https://'),
  send: async () => ({ type: 'answered', status: 200 }),
}

const clock = createShiftedClock()
const { FUZZ_DATABASE: database = '' } = process.env

const store = createSqliteStore({ filename: database })
const platform = createPlatform({
  clock,
  store,
  // Few indexes, so that this cache is full when it is warm.
  runtime: createRetrievalRuntime({ cachedIndexes: 5 }),
  functions,
  webhookSender,
  textCarrier: { send: async ({ id }) => ({ carrierId: id }) },
  speechProvider: createScriptedSpeech(),
  verifyNumber: () => true,
  callProvider: { place: async ({ id }) => ({ providerId: id }) },
  rateLimits: null,
  // Small caches: the heap's baseline is what does not go away, not what is kept to be fast.
  limits: { cachedConversations: 50, cachedFigures: 5_000 },
  onError: (error, where) => note(where)(error),
})

const marker = 'MARKER-OF-THE-OTHER-ACCOUNT'
const own = await createTenant(platform, 'own', 'own-words')
const other = await createTenant(platform, 'other', marker)
const accounts = { own: own.account, other: other.account }
const operator = await platform.access.createApiKey({ kind: 'operator' })

const app = express()
app.get('/health', (_, response) => {
  response.json({ ok: true })
})
app.use(createRouter(platform))
app.use((_, response) => {
  response.setHeader('X-Host-Page', '1').status(404).end('a page of the host')
})
const server = createServer(app)
const sockets = attachMessaging(server, platform)
const desk = attachDesk(server, platform)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0

/**
 * Writes a snapshot of the heap and returns its path. First waits until nothing is in progress, and garbage collection
 * frees no more: sockets take time to go away.
 */
async function heapSnapshot(): Promise<string> {
  await platform.idle()
  let lowest = Number.POSITIVE_INFINITY
  for (let idle = 0; idle < 5; idle++) {
    globalThis.gc?.()
    await new Promise(resolve => setTimeout(resolve, 50))
    const { heapUsed } = process.memoryUsage()
    if (heapUsed < lowest * 0.99) idle = 0
    lowest = Math.min(lowest, heapUsed)
  }
  return writeHeapSnapshot(`${database}.heapsnapshot`)
}

const answers: Readonly<Record<string, () => Promise<unknown>>> = {
  world: async () => ({ port, own, other, operatorKey: operator.secret, operatorKeyId: operator.key.id }),
  heap: heapSnapshot,
  errors: async () => errors.splice(0),
  snapshot: () => accountState({ platform, accounts, agents: { own, other } }, 'other'),
  end: () => endAll(platform, store, clock, [own, other]),
  stop: async () => {
    await Promise.all([sockets.close(), desk.close()])
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await platform.close()
    process.disconnect()
  },
}

process.on('message', async message => {
  const question = String(message)
  try {
    const answer = await answers[question]?.()
    process.send?.({ question, answer: answer ?? null, error: null })
  } catch (error) {
    process.send?.({ question, answer: null, error: String(error) })
  }
})
process.send?.({ question: 'ready', answer: null, error: null })
