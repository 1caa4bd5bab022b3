import {
  createBadLine,
  createHesitant,
  hesitantReply,
  startMessagingHost,
} from '@colloquy/test-support/messaging-host'
import { createSignal } from '@colloquy/test-support/signal'
import { beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Message, openChat } from '../src/visitor-client.ts'

beforeEach(() => {
  // Browsers, and Node from 22 on, have one of their own.
  vi.stubGlobal('WebSocket', WebSocket)
  return () => vi.unstubAllGlobals()
})

test('DO8 it loses and doubles nothing, wherever its connection is cut', async () => {
  const { runtime, asked, allow, isAsked, hasAnswered } = createHesitant()
  const { token, port } = await startMessagingHost({ runtime })
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
  const greeting = hesitantReply('nothing').join('')
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
    { from: 'agent', text: hesitantReply('one').join(''), isComplete: true },
    { from: 'visitor', text: 'two', isComplete: true },
    { from: 'agent', text: hesitantReply('two').join(''), isComplete: true },
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
