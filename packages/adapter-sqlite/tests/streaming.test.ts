import { type Bus, createLocalBus, createPlatform, type Platform } from '@colloquy/core'
import {
  connectSocketPair,
  createFakeClock,
  createFieldClient,
  createScriptedRuntime,
  type SocketPair,
} from '@colloquy/core/testing'
import { describe, expect, it } from 'vitest'
import { openStore, temporaryStoreFile } from './files.ts'

/** Says a few words, with a breath between them. */
const STORY = ['Once ', 'upon a ', 'time ', 'there was ', 'an inn.']
const BREATH = 60

/** A bus that passes nothing on. */
const deafBus: Bus = { publish: () => {}, subscribe: () => () => {} }

/** Two processes with stores of their own over one file. */
async function twoProcesses(bus: () => Bus) {
  const filename = temporaryStoreFile()
  const clock = createFakeClock()
  const runtime = () =>
    createScriptedRuntime(
      {
        greeting: 'Welcome.',
        otherwise: STORY.flatMap(text => [text, { type: 'wait', milliseconds: BREATH } as const]),
      },
      clock,
    )
  const start = () =>
    createPlatform({
      store: openStore({ filename }),
      clock,
      bus: bus(),
      runtime: runtime(),
      rateLimits: null,
    })
  const [here, there] = [start(), start()]
  const account = await here.access.createAccount({ slug: 'acme', name: 'Acme' })
  const agent = await here.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome.' })
  await here.agents.publish(agent.id, { environment: 'live' })
  const { token } = await here.access.createConnector({
    accountId: account.id,
    agentId: agent.id,
    environment: 'live',
    hosts: ['example.com'],
  })
  const { accessToken } = await here.messaging.issueAccessToken({
    connectorToken: token,
    host: 'example.com',
    remoteAddress: '127.0.0.1',
  })
  const authorization = `Bearer ${accessToken}`
  const { sessionId } = await here.messaging.createSession({ authorization, streaming: true })
  const connect = async (over: Platform): Promise<SocketPair> => {
    const pair = await connectSocketPair(over.messaging, { sessionId, accessToken })
    await pair.flush()
    return pair
  }
  const send = async (pair: SocketPair, type: string, payload: object): Promise<void> => {
    pair.send({ type: `EVENT_TYPE_${type}`, payload })
    await pair.flush()
    await clock.settle()
  }
  return { clock, here, there, connect, send }
}

/** The chunks of the story that a client has, by their payloads. */
const chunks = (pair: SocketPair): readonly object[] => {
  pair.flushToClient()
  return pair
    .events()
    .filter(
      ({ type, payload }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK' && payload.text !== 'Welcome.',
    )
    .map(({ payload }) => payload)
}

/** What clients of the field have on their screens: one after the other connection, and each alone. */
function fieldTexts(...pairs: readonly SocketPair[]): readonly string[] {
  const client = createFieldClient()
  for (const { received } of pairs) for (const frame of received) client.take(frame)
  return client.texts()
}

describe('two processes over one file', () => {
  it('MS29 whenever in a reply a visitor connects to the other one, the chunks are the same', async () => {
    for (let moment = 0; moment <= STORY.length; moment++) {
      const shared = createLocalBus()
      const { clock, here, there, connect, send } = await twoProcesses(() => shared)
      const first = await connect(here)
      await send(first, 'REQUEST_AI_AGENT_JOIN', {})
      await send(first, 'USER_MESSAGE', { text: 'Tell me a story.' })
      await clock.advance(moment * BREATH + 1)
      const second = await connect(there)
      expect(chunks(second)).toEqual(chunks(first))
      await clock.advance(1_000)
      expect(chunks(second)).toEqual(chunks(first))
      expect(
        chunks(first)
          .map(chunk => Reflect.get(chunk, 'text'))
          .join(''),
      ).toBe(STORY.join(''))
      for (const pairs of [[first], [second], [first, second], [second, first]])
        expect(fieldTexts(...pairs)).toEqual(['Welcome.', STORY.join('')])
      await here.close()
      await there.close()
    }
  })

  it('MS29 with a bus that loses everything the whole reply is there after the next sign of life', async () => {
    const { clock, here, there, connect, send } = await twoProcesses(() => deafBus)
    const first = await connect(here)
    await send(first, 'REQUEST_AI_AGENT_JOIN', {})
    await send(first, 'USER_MESSAGE', { text: 'Tell me a story.' })
    await clock.advance(130)
    const second = await connect(there)
    await clock.advance(16_000)
    for (const pair of [first, second]) await send(pair, 'HEARTBEAT', {})
    expect(chunks(second)).toEqual(chunks(first))
    expect(
      chunks(second)
        .map(chunk => Reflect.get(chunk, 'text'))
        .join(''),
    ).toBe(STORY.join(''))
    for (const pairs of [[first], [second], [first, second], [second, first]])
      expect(fieldTexts(...pairs)).toEqual(['Welcome.', STORY.join('')])
  })
})
