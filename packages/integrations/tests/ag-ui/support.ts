import { once } from 'node:events'
import { createServer } from 'node:http'
import { HttpAgent } from '@ag-ui/client'
import { createPlatform, type PlatformOptions, silentLog } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createFakeClock, createScriptedRuntime, type Script } from '@colloquy/core/testing'
import { TEST_BRAND } from '@colloquy/test-support/brand'
import { getRequestListener } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import * as z from 'zod'
import { type AgUiOptions, createAgUiHandler } from '../../src/ag-ui/index.ts'

const SCRIPT: Script = {
  greeting: 'Welcome!',
  messages: {
    'When is breakfast?': ['From 7 ', 'to 10.', { type: 'suggestion', text: 'And dinner?' }],
    'A person, please': ['One moment.', { type: 'handoff', destination: 'reception', reason: 'asked' }],
    'Good bye': ['Good bye!', { type: 'end' }],
    broken: [{ type: 'fail', message: 'no model' }],
  },
  otherwise: turn => (turn.input.type === 'message' ? `You said: ${turn.input.text}` : 'Hm.'),
}

const PAGE =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><main></main><script type="module" src="/page.js"></script></html>'

const address = z.object({ port: z.number() })

/** A real server that answers runs; the header `x-visitor` says who asks. */
export async function openServer({
  options = {},
  platform: more = {},
  page,
  api = async () => new Response(null, { status: 404 }),
}: {
  readonly options?: Partial<AgUiOptions>
  readonly platform?: Partial<PlatformOptions>
  /** The script of a page that is served beside it. */
  readonly page?: Uint8Array
  /** Answers the paths below `/api`. */
  readonly api?: (request: Request) => Promise<Response>
} = {}) {
  const errors: unknown[] = []
  const runtime = createScriptedRuntime(SCRIPT, createFakeClock())
  const platform = createPlatform({
    ...{ store: createMemoryStore(), runtime, log: silentLog, rateLimits: null, brand: TEST_BRAND },
    onError: error => void errors.push(error),
    ...more,
  })
  onTestFinished(() => platform.close())
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome!' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const scope = { accountId: account.id, agentId: agent.id, environment: 'live' as const }
  const { token } = await platform.access.createConnector({ ...scope, hosts: ['hotel.example'] })
  const make = () =>
    createAgUiHandler(platform, {
      connectorToken: token,
      host: 'hotel.example',
      authorize: request => {
        const id = request.headers.get('x-visitor')
        return id === null ? null : { id }
      },
      onError: error => void errors.push(error),
      ...options,
    })
  const held = { handler: make() }
  const answer = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === '/agent') return held.handler(request)
    if (pathname.startsWith('/api/')) return api(request)
    return pathname === '/page.js'
      ? new Response(page, { headers: { 'content-type': 'text/javascript' } })
      : new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
  const server = createServer(getRequestListener(answer, { overrideGlobalObjects: false })).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${address.parse(server.address()).port}`
  const url = `${origin}/agent`
  return {
    ...{ platform, agent, account, origin, url, errors, runtime, token },
    /** Another process answers from now on: it remembers no thread. */
    restart: () => {
      held.handler = make()
    },
    open: (threadId: string, visitor = 'ada') =>
      new HttpAgent({ url, threadId, headers: { 'x-visitor': visitor } }),
    ask: (body: unknown, headers: Record<string, string> = { 'x-visitor': 'ada' }) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** Says something over the published client, and resolves with the texts of the new messages. */
export async function say(agent: HttpAgent, text: string | null, id = crypto.randomUUID()) {
  if (text !== null) agent.addMessage({ id, role: 'user', content: text })
  const custom: { name: string; value: unknown }[] = []
  const { newMessages } = await agent.runAgent(
    {},
    { onCustomEvent: ({ event }) => void custom.push({ name: event.name, value: event.value }) },
  )
  return { texts: newMessages.map(({ content }) => content), custom, id }
}
