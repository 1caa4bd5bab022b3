import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  connect as dial,
  type Server,
  type Socket,
} from 'node:net'
import { createPlatform } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import type { AgentRuntime } from '@colloquy/core/runtime'
import { createRequestListener } from '@colloquy/http-express'
import { createSignal } from '@colloquy/test-support/signal'
import { attachMessaging } from '@colloquy/ws-transport'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Message, openChat } from '../src/visitor-client.ts'

/** What the agent says to a text, in pieces that stream. */
const reply = (text: string): readonly string[] => ['You said ', `${text}, `, 'and dogs ', 'are welcome.']

/** An agent that says the next piece of a reply when it may. */
function createHesitant() {
  const signal = createSignal()
  const asked: string[] = []
  const answered: string[] = []
  let allowed = 0
  const runtime: AgentRuntime = {
    async *respond({ input }) {
      const text = input.type === 'message' ? input.text : 'nothing'
      asked.push(text)
      signal.changed()
      for (const [index, piece] of reply(text).entries()) {
        await signal.until(() => allowed > index)
        yield { type: 'text', text: piece }
      }
      answered.push(text)
      signal.changed()
    },
  }
  const allow = (pieces: number): void => {
    allowed = pieces
    signal.changed()
  }
  onTestFinished(() => allow(Number.POSITIVE_INFINITY))
  return {
    runtime,
    asked,
    allow,
    isAsked: (text: string) => signal.until(() => asked.includes(text)),
    hasAnswered: (text: string) => signal.until(() => answered.includes(text)),
  }
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A line to a port that breaks, refuses, or loses what the server says. */
async function createBadLine(target: number) {
  const ends = new Set<Socket>()
  const line = { refuses: false, losesAnswers: false, connections: 0, refused: 0 }
  const server = createTcpServer(near => {
    if (line.refuses) {
      line.refused += 1
      near.destroy()
      return
    }
    line.connections += 1
    const far = dial(target, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => other.destroy())
      end.on('data', data => {
        if (end === near || !line.losesAnswers) other.write(data)
      })
    }
  })
  const port = await portOf(server)
  onTestFinished(() => void server.close())
  const cut = (): void => {
    for (const end of ends) end.destroy()
    ends.clear()
  }
  onTestFinished(cut)
  return { url: `http://127.0.0.1:${port}`, line, cut }
}

/** A platform with an agent that is live, and the connector's token. */
async function startPlatform(runtime: AgentRuntime) {
  const platform = createPlatform({ store: createMemoryStore(), runtime, chunkFlush: 0 })
  const { access, agents } = platform
  const { id: accountId } = await access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id: agentId } = await agents.create({ accountId, name: 'Front desk', greeting: 'Welcome.' })
  await agents.publish(agentId, { environment: 'live' })
  const place = { accountId, agentId, environment: 'live', hosts: ['localhost'] } as const
  const { token } = await access.createConnector(place)
  const server = createServer(createRequestListener(platform))
  const sockets = attachMessaging(server, platform)
  const port = await portOf(server)
  onTestFinished(async () => {
    await sockets.close()
    server.close()
    server.closeAllConnections()
    await platform.close()
  })
  return { token, port }
}

beforeEach(() => {
  // Browsers, and Node from 22 on, have one of their own.
  vi.stubGlobal('WebSocket', WebSocket)
  return () => vi.unstubAllGlobals()
})

test('DO8 the client in the guide for authors of clients is the one that is run, letter by letter', () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../../docs/guides/visitor-client.md')).toContain(
    `\`\`\`ts\n${read('../src/visitor-client.ts')}\`\`\`\n`,
  )
})

test('DO8 it loses and doubles nothing, wherever its connection is cut', async () => {
  const { runtime, asked, allow, isAsked, hasAnswered } = createHesitant()
  const { token, port } = await startPlatform(runtime)
  const { url, line, cut } = await createBadLine(port)
  const changes = createSignal()
  const names: string[] = []
  const chunks: string[] = []
  let shown: readonly Message[] = []
  const chat = await openChat({
    server: url,
    connectorToken: token,
    host: 'localhost',
    onMessages(messages) {
      shown = messages
      changes.changed()
    },
    onEvent(name, { message_id: id, chunk_index: index }) {
      if (index === undefined) names.push(name)
      else chunks.push(`${id} ${index}`)
      changes.changed()
    },
  })
  const greeting = reply('nothing').join('')
  const shows = (text: string, isComplete: boolean): Promise<void> =>
    changes.until(() => shown.at(-1)?.text === text && shown.at(-1)?.isComplete === isComplete)

  // In the middle of the greeting: the chunks so far come again, the others follow.
  allow(2)
  await shows('You said ', false)
  cut()
  await vi.waitFor(() => expect(line.connections).toBeGreaterThan(2))
  allow(4)
  await shows(greeting, true)

  // Between a message and its echo: it is sent again, and answered once.
  allow(0)
  line.losesAnswers = true
  chat.say('one')
  await isAsked('one')
  cut()
  line.losesAnswers = false
  allow(3)
  await changes.until(() => shown.at(-1)?.text.startsWith('You said one, ') ?? false)

  // In the middle of the reply, which is finished while nothing gets through: it comes in the replay.
  line.refuses = true
  cut()
  allow(4)
  chat.say('two')
  await hasAnswered('one')
  await vi.waitFor(() => expect(line.refused).toBeGreaterThan(0))
  line.refuses = false
  await changes.until(() => shown.filter(({ isComplete }) => isComplete).length === 5)

  chat.end()
  expect(await chat.closed).toBe(1000)
  expect(asked).toEqual(['nothing', 'one', 'two'])
  expect(shown).toEqual([
    { from: 'agent', text: greeting, isComplete: true },
    { from: 'visitor', text: 'one', isComplete: true },
    { from: 'agent', text: reply('one').join(''), isComplete: true },
    { from: 'visitor', text: 'two', isComplete: true },
    { from: 'agent', text: reply('two').join(''), isComplete: true },
  ])
  const single = [
    'SESSION_START',
    'REQUEST_AI_AGENT_JOIN',
    'AI_AGENT_JOINED',
    'USER_END_SESSION',
    'SESSION_END',
  ]
  for (const name of single) expect(names.filter(one => one === name)).toHaveLength(1)
  expect(names.filter(name => name === 'USER_MESSAGE')).toHaveLength(2)
  expect(new Set(chunks).size).toBe(chunks.length)
})
