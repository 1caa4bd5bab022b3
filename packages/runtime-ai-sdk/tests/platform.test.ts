import { createPlatform, defineFunction, type PlatformOptions } from '@colloquy/core'
import { createMemoryStore } from '@colloquy/core/memory'
import { connectSocketPair, createFakeClock } from '@colloquy/core/testing'
import type { Answer } from '@colloquy/test-support/fake-openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { withServer } from './support/turn.ts'

/** A platform whose agent is the fake server, with a live agent that knows about breakfast and the deposit. */
async function open(answers: readonly Answer[], options: Partial<PlatformOptions> = {}) {
  const made = await withServer(answers)
  const platform = createPlatform({ store: createMemoryStore(), runtime: made.runtime, ...options })
  onTestFinished(() => platform.close())
  const account = await platform.access.createAccount({ slug: 'hotel', name: 'The hotel' })
  const { id } = await platform.agents.create({ accountId: account.id, name: 'Desk', greeting: 'Welcome!' })
  const branch = await platform.agents.createBranch(id, { branchName: 'first' })
  await platform.agents.updateBehavior(id, branch.id, 'You are the desk of a hotel.')
  await platform.agents.createTopic(id, branch.id, {
    name: 'Breakfast',
    content: 'Breakfast is served from seven to ten in the garden room.',
  })
  await platform.agents.createTopic(id, branch.id, {
    name: 'Deposit',
    content: 'A deposit of fifty pounds is due on arrival.',
    actions: '{{fn:take_deposit}}',
  })
  await platform.agents.merge(id, branch.id)
  await platform.agents.publish(id, { environment: 'live' })
  const agent = await platform.agents.find(id)
  if (agent === null) throw new Error('The agent is not there.')
  const connector = await platform.access.createConnector({
    accountId: account.id,
    agentId: id,
    environment: 'live',
    hosts: ['localhost'],
  })
  return { ...made, platform, agent, connector }
}

const FINDS = [
  { name: 'search_knowledge_base', arguments: '{"query":"breakfast"}' },
  { name: 'note_room', arguments: '{"room":7}' },
]

test('debug chat shows topics, requests with their tokens, functions and state', async () => {
  const noteRoom = defineFunction({
    description: 'Notes the room of the visitor.',
    parameters: z.object({ room: z.int() }),
    execute(conversation, args) {
      conversation.setVariable('room', args.room)
      return { noted: true }
    },
  })
  const { platform, agent, server } = await open(
    [
      { type: 'reply', calls: FINDS },
      { type: 'reply', chunks: ['Breakfast is served ', 'from seven to ten in the garden room.'] },
    ],
    { functions: { note_room: noteRoom } },
  )
  const started = await platform.debugChat.start(agent, { environment: 'live' })
  expect(started.turn.record.agent_response).toBe('Welcome!')
  const { state, turn } = await platform.debugChat.send(agent, started.state.id, {
    environment: 'live',
    message: 'When is breakfast? I am in room 7.',
  })
  expect(turn.record.agent_response).toBe('Breakfast is served from seven to ten in the garden room.')
  expect(turn.details).toMatchObject({
    retrieved_topics: expect.arrayContaining(['Breakfast']),
    cited_topic: 'Breakfast',
    node_trace: ['model', 'tool:search_knowledge_base', 'function:note_room', 'model'],
    function_events: [{ name: 'note_room', arguments: { room: 7 }, result: { noted: true } }],
    llm_requests: [
      {
        model: 'fake-model',
        step: 1,
        input_tokens: 120,
        output_tokens: 7,
        finish_reason: 'tool-calls',
        error: null,
      },
      {
        model: 'fake-model',
        step: 2,
        input_tokens: 120,
        output_tokens: 7,
        finish_reason: 'stop',
        error: null,
      },
    ],
  })
  expect(state.variables).toEqual({ room: 7 })
  expect(server.requests[0]?.body.tools?.map(tool => tool.function)).toContainEqual({
    name: 'note_room',
    description: noteRoom.description,
    parameters: noteRoom.describeParameters(),
  })
  expect(server.requests[0]?.body.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
  ])
})

test('a model that fails is a stated failure, and the next message is answered', async () => {
  const errors: unknown[] = []
  const { platform, agent } = await open(
    [
      { type: 'status', status: 401 },
      { type: 'reply', chunks: ['Here I am.'] },
    ],
    { onError: error => errors.push(error) },
  )
  const { state } = await platform.debugChat.start(agent, { environment: 'live' })
  const send = (message: string) => platform.debugChat.send(agent, state.id, { environment: 'live', message })
  await expect(send('Hello?')).rejects.toThrow("Sorry, I'm having trouble responding right now.")
  expect(errors.map(String)).toEqual([
    'PlatformError: The language model fake-model has failed: 401 The provider refused the credentials',
  ])
  expect((await send('Hello again?')).turn.record.agent_response).toBe('Here I am.')
})

test('a model that hangs fails the turn at its deadline', async () => {
  const clock = createFakeClock()
  const errors: unknown[] = []
  const { platform, agent, server } = await open([{ type: 'hang' }], {
    clock,
    turnDeadline: 9_000,
    onError: error => errors.push(error),
  })
  const { state } = await platform.debugChat.start(agent, { environment: 'live' })
  const sent = platform.debugChat.send(agent, state.id, { environment: 'live', message: 'Hello?' })
  sent.catch(() => undefined)
  const { gaveUp } = await server.request(0)
  await clock.advance(9_000)
  await expect(sent).rejects.toThrow("Sorry, I'm having trouble responding right now.")
  await gaveUp
  expect(errors.map(String)).toEqual(['PlatformError: The turn took longer than 9000 ms.'])
})

test('in messaging a visitor sees the reply grow, each word once', async () => {
  let release = (): void => undefined
  const until = new Promise<void>(resolve => {
    release = resolve
  })
  const chunks = ['Breakfast is served ', 'from seven ', 'to ten.']
  const { platform, connector } = await open([{ type: 'reply', chunks, until }], { chunkFlush: 1 })
  const { accessToken } = await platform.messaging.issueAccessToken({
    connectorToken: connector.token,
    host: 'localhost',
    remoteAddress: '127.0.0.1',
  })
  const { sessionId } = await platform.messaging.createSession({
    authorization: `Bearer ${accessToken}`,
    streaming: true,
  })
  const socket = await connectSocketPair(platform.messaging, { sessionId, accessToken })
  const texts = () =>
    socket
      .events()
      .filter(({ type }) => type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK')
      .map(({ payload }) => payload)
  const flushed = async () => {
    await socket.flush()
    return texts()
  }
  const arrived = (count: number) =>
    expect.poll(async () => (await flushed()).length).toBeGreaterThanOrEqual(count)
  await socket.flush()
  socket.send({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })
  await arrived(1)
  socket.send({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'When is breakfast?' } })
  await arrived(2)
  // The server holds the end back until here: what has come is not the whole reply.
  expect(texts().at(-1)).toMatchObject({ is_complete: false })
  release()
  await expect.poll(async () => (await flushed()).at(-1)?.is_complete).toBe(true)
  const reply = texts().slice(1)
  expect(reply.map(({ text }) => text).join('')).toBe(chunks.join(''))
  expect(reply.map(({ chunk_index }) => chunk_index)).toEqual(reply.map((_, at) => at + 1))
})
