import { createServer } from 'node:http'
import { createPlatform, type Platform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import {
  createFakeClock,
  createFieldClient,
  createScriptedRuntime,
  type FakeClock,
  type Script,
} from '@colloquy/core/testing'
import { afterEach, expect, test } from 'vitest'
import { attachMessaging } from '../src/index.ts'
import { type Client, listen, openClient, type Received } from './support/client.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A whole platform on a server, with a session of a connector of its one agent. */
async function serve(script: Script, streaming: boolean) {
  const clock: FakeClock = createFakeClock()
  const runtime = createScriptedRuntime(script, clock)
  const platform: Platform = createPlatform({ store: createMemoryStore(), runtime, clock })
  const account = await platform.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await platform.agents.publish(agent.id, { environment: 'live' })
  const { token } = await platform.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['localhost'],
  })
  const server = createServer()
  const endpoint = attachMessaging(server, platform)
  const port = await listen(server)
  cleanups.push(async () => {
    await endpoint.close()
    await new Promise<void>(resolve => server.close(() => resolve()))
    await platform.close()
  })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: token,
    host: 'http://localhost',
    remoteAddress: '127.0.0.1',
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await platform.messaging.createSession({ authorization, streaming })
  const url = `ws://127.0.0.1:${port}/ws?session_id=${sessionId}&access_token=${accessToken}`
  return { clock, connect: (cursor = 0): Promise<Client> => openClient(`${url}&cursor=${cursor}`) }
}

const send = (client: Client, type: string, payload: object = {}): void =>
  client.send({ type: `EVENT_TYPE_${type}`, payload })
const names = (events: readonly Received[]) => events.map(({ type }) => type.replace('EVENT_TYPE_', ''))
const flat = (client: Client): readonly Received[] =>
  client.received.flatMap(event => event.payload.events ?? [event])

test('a conversation with a whole platform goes as the specification says', async () => {
  const { connect } = await serve({ greeting: 'Welcome.', messages: { Hello: 'Good day.' } }, false)
  const client = await connect()
  send(client, 'REQUEST_AI_AGENT_JOIN')
  await client.until(event => event.payload.text === 'Welcome.')
  send(client, 'USER_MESSAGE', { text: 'Hello' })
  await client.until(event => event.payload.text === 'Good day.')
  send(client, 'USER_END_SESSION')
  expect((await client.closed).code).toBe(1000)
  expect(names(flat(client))).toEqual([
    'SESSION_START',
    'REQUEST_AI_AGENT_JOIN',
    'AI_AGENT_JOINED',
    'AI_AGENT_THINKING',
    'AI_AGENT_MESSAGE',
    'USER_MESSAGE',
    'AI_AGENT_THINKING',
    'AI_AGENT_MESSAGE',
    'USER_END_SESSION',
    'SESSION_END',
  ])
  expect(flat(client).flatMap(event => event.sequence ?? [])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

test('MS29 a reply that streams stands once for who is there, who comes in the middle, and who comes later', async () => {
  const parts = ['One two ', 'three four ', 'five six']
  const pause = { type: 'wait', milliseconds: 1_000 } as const
  const [one = '', two = '', three = ''] = parts
  const { clock, connect } = await serve({ greeting: [one, pause, two, pause, three] }, true)
  const early = await connect()
  send(early, 'REQUEST_AI_AGENT_JOIN')
  await early.until(event => event.type === 'EVENT_TYPE_AI_AGENT_THINKING')
  await clock.advance(500)
  await early.until(event => event.payload.text !== undefined)
  const middle = await connect()
  await middle.until(event => event.payload.events !== undefined)
  await clock.advance(3_000)
  const complete = (event: Received): boolean =>
    'is_complete' in event.payload && event.payload.is_complete === true
  await Promise.all([early.until(complete), middle.until(complete)])
  const late = await connect()
  await late.until(event => event.payload.events !== undefined)
  const assembled = [early, middle, late].map(client => {
    const chunks = flat(client).filter(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK')
    const indexes = chunks.map(({ payload }) => ('chunk_index' in payload ? payload.chunk_index : null))
    expect(indexes).toEqual(chunks.map((_, index) => index + 1))
    return chunks.map(({ payload }) => payload.text).join('')
  })
  expect(assembled).toEqual([parts.join(''), parts.join(''), parts.join('')])
  for (const clients of [[early], [middle], [late], [early, middle, late], [middle, early]]) {
    const field = createFieldClient()
    for (const { received } of clients) for (const frame of received) field.take(frame)
    expect(field.texts()).toEqual([parts.join('')])
  }
})

test('CM12 who lost the connection and came back hears that the message which it had sent has failed', async () => {
  const failing = [
    { type: 'wait', milliseconds: 1_000 } as const,
    { type: 'fail', message: 'no model' } as const,
  ]
  const { clock, connect } = await serve({ greeting: 'Welcome.', messages: { Hello: failing } }, false)
  const lost = await connect()
  const bystander = await connect()
  send(lost, 'REQUEST_AI_AGENT_JOIN')
  await lost.until(event => event.payload.text === 'Welcome.')
  send(lost, 'USER_MESSAGE', { text: 'Hello' })
  await lost.until(event => event.sequence === 5)
  lost.socket.terminate()
  const back = await connect(5)
  await back.until(event => event.type === 'EVENT_TYPE_AI_AGENT_THINKING')
  await clock.advance(1_000)
  await back.until(event => event.payload.message?.includes('having trouble responding') === true)
  send(bystander, 'HEARTBEAT')
  await bystander.until(event => event.type === 'EVENT_TYPE_HEARTBEAT')
  expect(names(flat(bystander))).not.toContain('SYSTEM_MESSAGE')
})
