import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '@colloquy/client/http'
import { createMessaging, fromConnector, memoryStorage } from '@colloquy/client/messaging'
import { overStreams } from '@colloquy/client/sse'
import { createPlatform, defineFunction } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { createRequestListener } from '@colloquy/http-express'
import { createSignal } from '@colloquy/test-support/signal'
import { attachMessaging } from '@colloquy/ws-transport'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { type Context, signContext } from '../src/sign-context.ts'

interface Frame {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>> & { readonly events?: readonly Frame[] }
}

const OPERATOR_KEY = 'operator-key-of-the-test'

/** A server whose agent asks a function who the visitor is, at every turn. */
async function startServer() {
  const seen: unknown[] = []
  const platform = createPlatform({
    store: createMemoryStore(),
    runtime: {
      async *respond(turn) {
        await turn.callFunction('who', {})
        yield { type: 'text', text: 'Thank you.' }
      },
    },
    functions: {
      who: defineFunction({
        description: 'Says who the visitor is.',
        parameters: z.object({}),
        execute: ({ verifiedContext }) => void seen.push(verifiedContext),
      }),
    },
  })
  const { access, agents } = platform
  await access.createApiKey({ kind: 'operator', secret: OPERATOR_KEY })
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const place = { accountId, agentId, environment: 'live', hosts: ['localhost'] } as const
  const { connector, token } = await access.createConnector(place)
  const server = createServer(createRequestListener(platform))
  const sockets = attachMessaging(server, platform)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await sockets.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { operatorKey: OPERATOR_KEY, connectorToken: token, connectorHost: 'localhost' }
  const api = createApi({ server: url, credentials })
  return { seen, connector, token, url, api }
}

test('DO8 and MS49 a function reads what a back end has signed, over a real socket', async () => {
  const { seen, connector, url, api } = await startServer()
  const { kid, secret } = await api.rotateContextKeys({ id: connector.id })
  const { access_token: accessToken } = await api.issueAccessToken()
  const visitor = createApi({ server: url, credentials: { accessToken } })
  const session = await visitor.createSession({ body: {} })
  const address = new URL('/ws', url.replace('http', 'ws'))
  address.searchParams.set('session_id', session.session_id)
  address.searchParams.set('access_token', accessToken)
  // A socket of its own: the client would send no token that is signed for another conversation.
  const socket = new WebSocket(address)
  onTestFinished(() => socket.terminate())
  const frames: Frame[] = []
  const changes = createSignal()
  socket.on('message', data => {
    const frame: Frame = JSON.parse(String(data))
    frames.push(...(frame.payload.events ?? [frame]))
    changes.changed()
  })
  const began = (): Frame | undefined => frames.find(({ type }) => type === 'EVENT_TYPE_SESSION_START')
  await changes.until(() => began() !== undefined)
  const contextId = String(began()?.payload.context_id)
  const send = (type: string, payload: object): void =>
    socket.send(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }))
  const set = (context: Context, id = contextId): void =>
    send('SET_CONTEXT', { token: signContext({ kid, secret }, id, context) })
  const answers = async (count: number): Promise<void> =>
    changes.until(() => frames.filter(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE').length === count)

  set({ user: 'u-7', plan: 'gold' })
  send('REQUEST_AI_AGENT_JOIN', {})
  await answers(1)
  set({ user: 'somebody else' }, 'another conversation')
  send('USER_MESSAGE', { text: 'Who am I?' })
  await answers(2)
  set({})
  send('USER_MESSAGE', { text: 'And now?' })
  await answers(3)
  expect(seen).toEqual([{ user: 'u-7', plan: 'gold' }, { user: 'u-7', plan: 'gold' }, {}])
  expect(JSON.stringify(frames)).not.toContain('gold')
  const told = frames.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE')
  expect(told.map(({ payload }) => payload)).toEqual([
    { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: 'The verified context was not taken.' },
  ])
})

test.each(['sockets', 'streams'])(
  'VC24 the client asks for a token and sends it before it joins, over %s',
  async way => {
    const { seen, connector, token, url, api } = await startServer()
    const { kid, secret } = await api.rotateContextKeys({ id: connector.id })
    const server = url.replace('127.0.0.1', 'localhost')
    const asked: string[] = []
    const chat = createMessaging({
      server,
      storage: memoryStorage(),
      getToken: fromConnector({ server, connectorToken: token, host: 'localhost' }),
      async verifiedContext(contextId) {
        asked.push(contextId)
        return signContext({ kid, secret }, contextId, { plan: 'gold' })
      },
      openSocket: way === 'streams' ? overStreams({ server }) : address => new WebSocket(address),
    })
    onTestFinished(() => chat.destroy())
    chat.start()
    chat.send('Who am I?')
    await expect.poll(() => seen).toHaveLength(2)
    expect(seen).toEqual([{ plan: 'gold' }, { plan: 'gold' }])
    expect(asked).toHaveLength(1)
  },
)
