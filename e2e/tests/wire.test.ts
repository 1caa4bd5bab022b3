import { createServer } from 'node:http'
import { createSqliteStore } from '@colloquy/adapter-sqlite'
import { createPlatform } from '@colloquy/core'
import { createRouter } from '@colloquy/http-express'
import { createRetrievalRuntime } from '@colloquy/runtime-retrieval'
import { openDemoSession } from '@colloquy/test-support/demo'
import {
  CREDENTIALS,
  type Standalone,
  startedBefore,
  startStandalone,
} from '@colloquy/test-support/standalone'
import { openWire, type WireClient } from '@colloquy/test-support/wire-client'
import { attachDesk, attachMessaging } from '@colloquy/ws-transport'
import express from 'express'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'
import { textAt } from '../../examples/quickstart/src/json.ts'

// Slow: hosts are started as programs, and asked over real sockets, with texts of 131,072 bytes too.

const named = (name: string) => (event: { readonly type: string }) => event.type === `EVENT_TYPE_${name}`
const INVALID = 'Unknown event type or invalid message format'

async function startServer(): Promise<Standalone> {
  return startStandalone({
    ...(await startedBefore()),
    COLLOQUY_RATE_LIMITS: 'off',
    COLLOQUY_LOG: 'warn',
  })
}

/** Opens sockets of one new session. */
async function openSession(server: Standalone): Promise<(query?: string) => Promise<WireClient>> {
  const { sessionId, accessToken } = await openDemoSession(server)
  const address = `${server.url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}`
  return (query = '') => openWire(address + query)
}

/** With the agent joined, and its greeting. */
async function greeted(server: Standalone) {
  const connect = await openSession(server)
  const client = await connect()
  client.send('REQUEST_AI_AGENT_JOIN')
  await client.next(named('AI_AGENT_MESSAGE'))
  return { client, connect }
}

describe('over the wire of the standalone server', () => {
  let server: Standalone
  beforeEach(async () => {
    server = await startServer()
  })

  test('MS2 a text of 131,072 bytes of UTF-8 is taken and comes back unchanged, one byte more is not', async () => {
    const { client } = await greeted(server)
    for (const [character, fits] of [
      ['a', 131_072],
      ['é', 65_536],
      ['€', 43_690],
      ['😀', 32_768],
    ] as const) {
      const text = character.repeat(fits)
      client.send('USER_MESSAGE', { text }, { client_event_id: character, 'Ä "name"': '\u2028 \ud800' })
      const echo = await client.next(named('USER_MESSAGE'))
      expect(echo.payload.text === text).toBe(true)
      expect(echo.metadata?.custom).toEqual({ client_event_id: character, 'Ä "name"': '\u2028 \ud800' })
      client.send('USER_MESSAGE', { text: `${text}xyz` }, { client_event_id: `${character}+` })
      const refusal = await client.next(named('SYSTEM_MESSAGE'))
      expect(refusal.payload).toEqual({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: 'Message too large' })
      expect(refusal.metadata?.custom).toEqual({ client_event_id: `${character}+` })
    }
  })

  test('MS6 a cursor is n or seq:n; what cannot be read, and what lies beyond the log, means everything', async () => {
    const { connect } = await greeted(server)
    const from = (first: number) => [1, 2, 3, 4].filter(sequence => sequence >= first)
    const cursors: readonly (readonly [string, readonly number[]])[] = [
      ['2', from(3)],
      ['seq:2', from(3)],
      ['0', from(1)],
      ['4', []],
      ['seq:999999', from(1)],
      ['5', from(1)],
      ['-1', from(1)],
      ['seq:-1', from(1)],
      ['2.5', from(1)],
      ['99999999999999999999', from(1)],
      ['%00', from(1)],
      ['', from(1)],
    ]
    for (const [cursor, sequences] of cursors) {
      const client = await connect(`&cursor=${cursor}`)
      expect([cursor, client.replayed]).toEqual([cursor, sequences])
      client.send('USER_TYPING', { state: 'nonsense' })
      await client.next(named('SYSTEM_MESSAGE'))
      client.sendRaw('x'.repeat(1_048_577))
      expect(await client.closed).toBe(1009)
    }
  })

  test('MS17 whatever a frame holds, its sender alone is told, and the next frame is taken', async () => {
    const { client, connect } = await greeted(server)
    const bystander = await connect('&cursor=4')
    const frames: readonly (readonly [string | Buffer, string])[] = [
      ['', INVALID],
      ['null', INVALID],
      ['[{"type":"EVENT_TYPE_HEARTBEAT"}]', INVALID],
      ['{"type":"EVENT_TYPE_HEARTBEAT"', INVALID],
      [Buffer.from('{"type":"EVENT_TYPE_HEARTBEAT"}'), INVALID],
      [`{"type":"EVENT_TYPE_HEARTBEAT","payload":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, INVALID],
      ['{"type":"EVENT_TYPE_HEARTBEAT","payload":{"n":1e999}}', INVALID],
      ['{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":""}}', INVALID],
      ['{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":{"toString":"x"}}}', INVALID],
      ['{"__proto__":{"type":"EVENT_TYPE_HEARTBEAT"}}', INVALID],
      ['{"type":"__proto__","payload":{}}', INVALID],
      ['{"type":"USER_MESSAGE","payload":{"text":"short name"}}', INVALID],
      ['{"type":"EVENT_TYPE_SESSION_END","payload":{}}', 'Event type not allowed: EVENT_TYPE_SESSION_END'],
    ]
    for (const [index, [frame, text]] of frames.entries()) {
      client.sendRaw(frame)
      client.send('HEARTBEAT', { index })
      expect((await client.next(named('SYSTEM_MESSAGE'))).payload.message).toBe(text)
      expect((await client.next(named('HEARTBEAT'))).payload).toEqual({ index })
    }
    client.send('USER_MESSAGE', { text: 'lone \ud800, nothing \u0000, When is breakfast?' })
    await client.next(named('AI_AGENT_MESSAGE'))
    await bystander.next(named('AI_AGENT_MESSAGE'))
    expect(new Set(bystander.events.map(({ type }) => type))).toEqual(
      new Set(['EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_AI_AGENT_THINKING', 'EVENT_TYPE_AI_AGENT_MESSAGE']),
    )
  })

  test('HT29 and HY2 a page of another origin may ask for its token, and reads why it gets none', async () => {
    const origin = 'http://localhost:3000'
    const url = `${server.url}/api/v1/access-token`
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-host,x-token',
      },
    })
    expect([asked.status, asked.headers.get('access-control-allow-headers')?.includes('x-token')]).toEqual([
      204,
      true,
    ])
    const token = { 'x-token': CREDENTIALS.COLLOQUY_CONNECTOR_TOKEN, 'x-host': origin }
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(url, { method: 'POST', headers })
      const { message } = z
        .object({ message: z.string().nullable().default(null) })
        .parse(await answer.json())
      return [answer.status, answer.headers.get('access-control-allow-origin'), message]
    }
    expect(await ask({ ...token, origin })).toEqual([200, origin, null])
    // Whose page it is stands in the token; without one nobody reads the answer, though it is given.
    expect(await ask({ origin })).toEqual([401, null, 'Missing authentication headers'])
    expect(await ask({ origin, 'x-token': 'nobody', 'x-host': origin })).toEqual([
      401,
      null,
      'Connector token does not exist',
    ])
    expect(await ask({ ...token, origin, 'x-host': 'localhost.example' })).toEqual([
      401,
      origin,
      'Failed to validate connector',
    ])
    expect(await ask({ ...token, origin: 'https://elsewhere.example' })).toEqual([
      403,
      null,
      expect.stringContaining('origin not allowed'),
    ])
  })
})

test('a host behind Express serves everything below its own paths, beside its own sockets', async () => {
  const store = createSqliteStore({ filename: ':memory:' })
  const platform = createPlatform({ store, runtime: createRetrievalRuntime() })
  const { id: accountId } = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const agent = await platform.agents.create({ accountId, name: 'Front desk', greeting: 'Welcome!' })
  const { agentId, environment } = await platform.agents.publish(agent.id, { environment: 'live' })
  const connector = await platform.access.createConnector({
    accountId,
    agentId,
    environment,
    hosts: ['localhost'],
  })

  const app = express()
  app.get('/', (_, response) => void response.send('the host'))
  app.use('/chat', createRouter(platform))
  const server = createServer(app)
  const own = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/own') own.handleUpgrade(request, socket, head, ws => ws.send('own'))
  })
  const endpoints = [
    attachMessaging(server, platform, { path: '/chat/ws' }),
    attachDesk(server, platform, { path: '/chat/desk/v1/ws' }),
  ]
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await Promise.all(endpoints.map(endpoint => endpoint.close()))
    await platform.close()
  })

  const post = async (path: string, headers: Record<string, string>) =>
    (await fetch(`http://${origin}/chat${path}`, { method: 'POST', headers })).json()
  const token = textAt(
    await post('/api/v1/access-token', {
      'x-token': connector.token,
      'x-host': 'localhost',
    }),
    'access_token',
  )
  const sessionId = textAt(await post('/api/v1/sessions', { authorization: `Bearer ${token}` }), 'session_id')
  const client = await openWire(`ws://${origin}/chat/ws?session_id=${sessionId}&access_token=${token}`)
  client.send('REQUEST_AI_AGENT_JOIN')
  expect((await client.next(named('AI_AGENT_MESSAGE'))).payload.text).toBe('Welcome!')
  expect(await (await fetch(`http://${origin}/`)).text()).toBe('the host')
  await ownSocketSays(`ws://${origin}/own`, 'own')
})

/** Resolves when the host's own socket says it. */
async function ownSocketSays(url: string, text: string): Promise<void> {
  const socket = new WebSocket(url)
  onTestFinished(() => socket.terminate())
  expect(String(await new Promise(resolve => socket.once('message', resolve)))).toBe(text)
}
