import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { describe, expect, test } from 'vitest'
import { PROTOCOL_LIMITS } from '../../src/protocol/limits.ts'
import type { ReceivedEvent } from '../../src/testing/socket-pair.ts'

const custom = { local: 'x' }
const say = (text: string, metadata?: object) => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text },
  ...(metadata === undefined ? {} : { metadata: { custom: metadata } }),
})
const JOIN = { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} }
const END = { type: 'EVENT_TYPE_USER_END_SESSION', payload: {} }
const types = (events: readonly ReceivedEvent[]) => events.map(event => event.type.replace('EVENT_TYPE_', ''))
const messages = (events: readonly ReceivedEvent[]) =>
  events.filter(event => event.type === 'EVENT_TYPE_SYSTEM_MESSAGE').map(event => event.payload.message)

describe('what a client sends', () => {
  test('MS16 a heartbeat comes back to its sender alone, with the same metadata', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    await other.flush()
    const before = other.received.length
    pair.send({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: { custom } })
    await pair.flush()
    await other.flush()
    expect(pair.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_HEARTBEAT',
      sequence: null,
      metadata: { custom },
    })
    expect(other.received).toHaveLength(before)
  })

  test('MS16 a message comes back to every connection, with its metadata', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    await other.flush()
    pair.send(say('Hello', custom))
    await pair.flush()
    await other.flush()
    for (const { received } of [pair, other])
      expect(received.at(-1)).toMatchObject({
        type: 'EVENT_TYPE_USER_MESSAGE',
        sequence: 4,
        payload: { text: 'Hello', message_id: expect.any(String) },
        metadata: { custom },
      })
    expect(other.received.at(-1)).toEqual(pair.received.at(-1))
  })

  test('MS16 frames take effect in the order in which they came', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ joined: false })
    let open = (): void => {}
    bench.engine.gate = new Promise(resolve => {
      open = resolve
    })
    const frames = [JOIN, say('1'), { type: 'EVENT_TYPE_HEARTBEAT' }, 'broken', say('2'), END]
    for (const frame of frames) pair.send(frame)
    pair.flushToServer()
    open()
    await pair.flush()
    expect(types(pair.events())).toEqual([
      'SESSION_START',
      'REQUEST_AI_AGENT_JOIN',
      'AI_AGENT_JOINED',
      'USER_MESSAGE',
      'HEARTBEAT',
      'SYSTEM_MESSAGE',
      'USER_MESSAGE',
      'USER_END_SESSION',
      'SESSION_END',
    ])
    expect(bench.engine.conversation(sessionId).log.map(event => event.payload.text ?? '')).toContain('2')
  })

  test('MS16 a message that came before is answered with its stored echo, to its sender alone', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    pair.send(say('Once', { client_event_id: 'e1' }))
    await pair.flush()
    await other.flush()
    const echo = pair.received.at(-1)
    const before = other.received.length
    pair.send(say('Once', { client_event_id: 'e1' }))
    await pair.flush()
    await other.flush()
    expect(pair.received.slice(-2)).toEqual([echo, echo])
    expect(other.received).toHaveLength(before)
    expect(bench.engine.conversation(sessionId).log).toHaveLength(4)
  })

  test('EN6 the id of a message with other words is refused, and nothing is said', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    for (const id of [{ client_event_id: 'e1' }, { local_id: 'l1' }]) {
      pair.send(say('Once', id))
      await pair.flush()
      const { length } = bench.engine.conversation(sessionId).log
      pair.send(say('Something else', id))
      await pair.flush()
      expect(messages(pair.received.slice(-1))).toEqual([
        'The id of the message belongs to another message. Send a new one.',
      ])
      expect(bench.engine.conversation(sessionId).log).toHaveLength(length)
    }
  })

  test('MS16 the stored echo never comes before the events that precede it', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    await other.flush()
    bench.notices.auto = false
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'Lost on the bus' })
    const message = {
      sender: 'elsewhere',
      custom: { local_id: 'e2' },
      clientEventId: null,
      localId: 'local_id:e2',
      pinning: null,
    }
    await bench.engine.execute(sessionId, { type: 'message', text: 'Twice', ...message })
    pair.send(say('Twice', { local_id: 'e2' }))
    await pair.flush()
    expect(pair.events().map(event => event.sequence)).toEqual([1, 2, 3, 4, 5, 5])
  })

  test('CM12 errors go to the sender alone, with the metadata of the event, and the socket stays open', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ joined: false })
    const other = await bench.connect(sessionId)
    await other.flush()
    pair.send(say('Too early', custom))
    pair.send({ type: 'EVENT_TYPE_SESSION_END', payload: {}, metadata: { custom } })
    pair.send({ type: 'EVENT_TYPE_WHAT', payload: {}, metadata: { custom } })
    pair.send(say('x'.repeat(131_073), custom))
    await pair.flush()
    const errors = pair.received.slice(1)
    expect(messages(errors)).toEqual([
      'Error: Conversation not found',
      'Event type not allowed: EVENT_TYPE_SESSION_END',
      'Unknown event type or invalid message format',
      'Message too large',
    ])
    for (const error of errors)
      expect(error).toMatchObject({
        sequence: null,
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR' },
        metadata: { custom },
      })
    expect(pair.closedBy).toBeNull()
    expect(other.received).toHaveLength(1)
  })

  test('CM12 a join fails in the words for it while nothing is deployed, and works once something is', async () => {
    const bench = await createMessagingBench()
    bench.setPinning(null)
    const { sessionId, pair } = await bench.live()
    expect(messages(pair.received)).toEqual([
      "Sorry, I'm unable to start a conversation right now. Please try again later.",
    ])
    bench.setPinning((await import('@colloquy/test-support/messaging-bench')).PINNING)
    pair.send(JOIN)
    await pair.flush()
    expect(bench.engine.conversation(sessionId).state.deploymentId).toBe('DEPLOYMENT-1')
  })

  test('CM12 when the engine breaks, the host is told, the sender may try again', async () => {
    const bench = await createMessagingBench()
    const { pair } = await bench.live()
    const broken = new Error('disk full')
    bench.engine.failure = broken
    pair.send(say('Hello', custom))
    pair.send(say('Again'))
    await pair.flush()
    expect(messages(pair.received)).toEqual([
      "Sorry, I'm having trouble responding right now. Please try again.",
    ])
    expect(bench.errors).toEqual([{ error: broken, where: 'messaging USER_MESSAGE' }])
    expect(pair.received.at(-1)).toMatchObject({ payload: { text: 'Again' } })
  })

  test('MS16 typing is handed on and not echoed', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const before = pair.received.length
    pair.send({ type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STARTED' } })
    await pair.flush()
    expect(pair.received).toHaveLength(before)
    expect(bench.engine.conversation(sessionId).commands).toContainEqual({ type: 'typing', state: 'started' })
  })

  test('MS45 the deployment is looked up only while the conversation has none', async () => {
    const bench = await createMessagingBench()
    const { pair } = await bench.live()
    pair.send(say('Hello'))
    await pair.flush()
    expect(bench.resolved).toHaveLength(1)
  })

  test('MS45 or at every turn when the host wants that', async () => {
    const bench = await createMessagingBench({ deploymentPinning: 'turn' })
    const { sessionId, pair } = await bench.live()
    pair.send(say('Hello'))
    await pair.flush()
    const commands = bench.engine.conversation(sessionId).commands
    expect(commands.map(command => 'pinning' in command && command.pinning?.deploymentId)).toEqual([
      'DEPLOYMENT-1',
      'DEPLOYMENT-1',
    ])
  })
})

describe('the end', () => {
  test('MS16 after SESSION_END every connection is closed with 1000', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    await other.flush()
    pair.send(END)
    await pair.flush()
    await other.flush()
    for (const { received, closedBy } of [pair, other]) {
      expect(types(received).slice(-2)).toEqual(['USER_END_SESSION', 'SESSION_END'])
      expect(closedBy?.code).toBe(1000)
    }
  })

  test('MS16 ending takes effect although the socket closes in the same instant', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    pair.send(say('Bye'))
    pair.send(END)
    pair.close()
    pair.flushToServer()
    await pair.flush()
    const { log, state } = bench.engine.conversation(sessionId)
    expect(log.map(event => event.type).slice(-3)).toEqual([
      'USER_MESSAGE',
      'USER_END_SESSION',
      'SESSION_END',
    ])
    expect(state.endReason).toBe('REASON_USER_END')
  })

  test('MS16 it does so although the socket closes before its replay', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const pair = await bench.connect(sessionId)
    pair.send(END)
    pair.close()
    pair.flushToServer()
    await pair.flush()
    await bench.clock.settle()
    expect(bench.engine.conversation(sessionId).state.endReason).toBe('REASON_USER_END')
    expect(bench.notices.subscriptions).toBe(0)
  })

  test('MS16 a session that ends between handshake and opening replays its end and closes', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const pair = await bench.connect(sessionId)
    await bench.engine.execute(sessionId, { type: 'end', sender: null, custom: null, clientEventId: null })
    await pair.flush()
    expect(types(pair.events())).toEqual(['SESSION_START', 'USER_END_SESSION', 'SESSION_END'])
    expect(pair.closedBy?.code).toBe(1000)
  })

  test('MS16 a session that is gone closes with 4001', async () => {
    const bench = await createMessagingBench()
    const { pair } = await bench.live()
    bench.engine.execute = async () => ({ status: 'missing' })
    pair.send(say('Hello'))
    await pair.flush()
    expect(pair.closedBy?.code).toBe(4001)
  })
})

describe('limits', () => {
  const rateLimits = {
    key: null,
    session: { perSecond: 1, burst: 3 },
    accessToken: { perSecond: 1, burst: 9 },
  }

  test('MS16 over the rate limit of a session an event is not taken, and its sender warned', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    pair.send(say('1'))
    other.send(say('2'))
    await pair.flush()
    await other.flush()
    other.send(say('3', custom))
    await other.flush()
    expect(other.received.at(-1)).toMatchObject({
      type: 'EVENT_TYPE_SYSTEM_MESSAGE',
      payload: { level: 'SYSTEM_MESSAGE_LEVEL_WARNING' },
      metadata: { custom },
    })
    await bench.clock.advance(1_000)
    other.send(say('4'))
    await other.flush()
    expect(bench.engine.conversation(sessionId).log.map(event => event.payload.text)).toEqual([
      undefined,
      undefined,
      undefined,
      '1',
      '2',
      '4',
    ])
  })

  test('SM23 a visitor who sends hundreds of messages is warned, and others are answered at once', async () => {
    const bench = await createMessagingBench({ rateLimits: {} })
    const noisy = await bench.live()
    const quiet = await bench.live()
    const texts = (id: Parameters<typeof bench.engine.conversation>[0]) =>
      bench.engine.conversation(id).log.flatMap(({ payload }) => payload.text ?? [])
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 100; count++) noisy.pair.send(say(`noise ${round} ${count}`))
      await noisy.pair.flush()
    }
    expect(texts(noisy.sessionId)).toHaveLength(19)
    // The join is a frame too. One warning is for all that were not read.
    expect(messages(noisy.pair.received)).toHaveLength(240 - 1 - 19 + 1)
    for (let count = 0; count < 19; count++) quiet.pair.send(say(`${count}`))
    await quiet.pair.flush()
    expect(texts(quiet.sessionId)).toEqual(Array.from({ length: 19 }, (_, count) => `${count}`))
    expect(messages(quiet.pair.received)).toEqual([])
    await bench.clock.advance(2_000)
    for (let count = 0; count < 50; count++) noisy.pair.send(say(`later ${count}`))
    await noisy.pair.flush()
    expect(texts(noisy.sessionId)).toHaveLength(39)
  })

  test('SM23 to connect again brings no new bucket', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { sessionId, pair } = await bench.live()
    for (let count = 0; count < 5; count++) pair.send(say(`${count}`))
    pair.close()
    await pair.flush()
    const again = await bench.connect(sessionId)
    again.send(say('again'))
    await again.flush()
    expect(messages(again.received)).toHaveLength(1)
    const log = bench.engine.conversation(sessionId).log
    expect(log.flatMap(({ payload }) => payload.text ?? [])).toEqual(['0', '1'])
  })

  test('SM23 sessions and handshakes of one access token count together, before the connector is looked up', async () => {
    const bench = await createMessagingBench({ rateLimits: { key: { perSecond: 0.5, burst: 3 } } })
    const sessionId = await bench.session()
    await bench.session()
    await bench.connect(sessionId)
    bench.context.store.access.connectors.find = () => Promise.reject(new Error('nobody may ask'))
    await expect(bench.session()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterSeconds: 2 },
    })
    const { accessToken } = bench
    expect(await bench.messaging.handshake({ sessionId, accessToken, cursor: null })).toEqual({
      status: 429,
      message: 'too many requests',
      retryAfterSeconds: 2,
    })
  })

  test('MS16 ending a session is never too much', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { sessionId, pair } = await bench.live()
    for (let count = 0; count < 9; count++) pair.send(say(`${count}`))
    pair.send(END)
    await pair.flush()
    expect(bench.engine.conversation(sessionId).state.endReason).toBe('REASON_USER_END')
  })

  test('MS16 a flood of heartbeats is rationed too', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { pair } = await bench.live()
    for (let count = 0; count < 20; count++) pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
    await pair.flush()
    const taken = rateLimits.session.burst * PROTOCOL_LIMITS.signalFactor
    expect(types(pair.received).filter(type => type === 'HEARTBEAT')).toHaveLength(taken)
    expect(messages(pair.received)).toHaveLength(20 - taken)
  })

  test('MS16 the queue of a connection asks for a pause, and is bounded', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    let open = (): void => {}
    bench.engine.gate = new Promise(resolve => {
      open = resolve
    })
    const frame = JSON.stringify(say('x'))
    const answers = Array.from({ length: 1_000 }, () => pair.connection.receive(frame))
    expect(answers.indexOf(false) + 1).toBe(PROTOCOL_LIMITS.pauseFrames)
    open()
    await pair.flush()
    expect(bench.engine.conversation(sessionId).log).toHaveLength(3 + PROTOCOL_LIMITS.queuedFrames)
    expect(messages(pair.received)).toEqual([
      'Our system is experiencing high load. Please try again in a moment.',
    ])
    expect(pair.connection.receive(frame)).toBe(true)
  })
})
