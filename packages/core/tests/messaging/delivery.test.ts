import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { assembled, logged } from '@colloquy/test-support/replies'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TransientEvent } from '../../src/domain/conversation/event.ts'
import { batchEvents, type ReceivedEvent, type SocketPair } from '../../src/testing/socket-pair.ts'

const types = (events: readonly ReceivedEvent[]) => events.map(event => event.type.replace('EVENT_TYPE_', ''))
const sequences = (events: readonly ReceivedEvent[]) => logged(events).map(({ sequence }) => sequence)
const upTo = (last: number, after = 0) =>
  Array.from({ length: last - after }, (_, index) => after + index + 1)

/** What a client has had, for one that puts replies together by index and one of the field. */
const both = (pair: SocketPair) => ({ received: pair.events(), frames: pair.received })

const chunk = (messageId: string, index: number, text: string) => ({
  type: 'AI_AGENT_MESSAGE_CHUNK' as const,
  payload: {
    message_id: messageId,
    text,
    chunk_index: index,
    is_complete: false,
    attachments: [],
    response_suggestions: [],
  },
})

const finished = (messageId: string, texts: readonly string[]) => ({
  message_id: messageId,
  chunks: texts.slice(0, -1),
  text: texts.at(-1) ?? '',
  chunk_index: texts.length,
  is_complete: true,
  attachments: [],
  response_suggestions: [],
})

describe('connecting', () => {
  test('MS6 the first frame is one batch with the history', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live()
    const pair = await bench.connect(sessionId)
    await pair.flush()
    expect(pair.received).toHaveLength(1)
    expect(pair.received[0]).toMatchObject({ type: 'EVENT_TYPE_EVENT_BATCH', sequence: null })
    expect(types(pair.events())).toEqual(['SESSION_START', 'REQUEST_AI_AGENT_JOIN', 'AI_AGENT_JOINED'])
  })

  test.each([
    ['2', [3]],
    ['seq:1', [2, 3]],
    ['3', []],
    ['4', [1, 2, 3]],
    ['99', [1, 2, 3]],
    ['nonsense', [1, 2, 3]],
  ])('MS6 the cursor %s replays %j', async (cursor, replayed) => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live()
    const pair = await bench.connect(sessionId, cursor)
    await pair.flush()
    expect(types(pair.received)).toEqual(['EVENT_BATCH'])
    expect(sequences(pair.events())).toEqual(replayed)
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await pair.flush()
    expect(sequences(pair.events())).toEqual([...replayed, 4])
  })

  test('MS6 a long history comes in several batches, each when the one before has left', async () => {
    const bench = await createMessagingBench({ limits: { eventsPerBatch: 3 } })
    const { sessionId } = await bench.live()
    for (let count = 0; count < 6; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    const pair = await bench.connect(sessionId)
    await bench.clock.settle()
    expect(pair.pending).toBe(1)
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await pair.flush()
    expect(types(pair.received)).toEqual(Array.from({ length: 4 }, () => 'EVENT_BATCH'))
    expect(pair.received.map(event => batchEvents(event).length)).toEqual([3, 3, 3, 1])
    expect(sequences(pair.events())).toEqual(upTo(10))
  })

  test('MS6 what is still true comes right after the batch', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live()
    const thinking = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null } as const
    const somebodyElses = { ...thinking, to: 'another connection' }
    bench.engine.conversation(sessionId).current = [thinking, somebodyElses]
    const pair = await bench.connect(sessionId)
    pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
    await pair.flush()
    expect(types(pair.received)).toEqual(['EVENT_BATCH', 'AI_AGENT_THINKING', 'HEARTBEAT'])
  })

  test('MS6 when the log cannot be read the socket closes with 1011 and the host is told', async () => {
    const broken = new Error('disk gone')
    const bench = await createMessagingBench({}, () => async () => {
      throw broken
    })
    const pair = await bench.connect(await bench.session())
    await pair.flush()
    expect(pair.closedBy?.code).toBe(1011)
    expect(bench.errors).toEqual([{ error: broken, where: 'messaging replay' }])
  })

  test('MS15 when the log cannot be read on, every connection closes with 1011', async () => {
    let broken = false
    const bench = await createMessagingBench({}, read => async (id, after, bounds) => {
      if (broken) throw new Error('disk gone')
      return read(id, after, bounds)
    })
    const { sessionId, pair } = await bench.live()
    broken = true
    bench.engine.hints = false
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await pair.flush()
    expect(pair.closedBy?.code).toBe(1011)
    expect(bench.errors.map(error => error.where)).toEqual(['conversation log'])
  })
})

describe('live events', () => {
  test('MS15 a connection that read further than its feed has heard brings the others up to date, itself not twice', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.notices.auto = false
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    const other = await bench.connect(sessionId)
    await other.flush()
    await pair.flush()
    for (const client of [pair, other]) expect(sequences(client.events())).toEqual(upTo(4))
  })

  test('MS6 a snapshot that something has overtaken is asked for again', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live()
    const thinking = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null } as const
    let asked = 0
    const standing = (transients: readonly TransientEvent[]) => ({
      sequence: bench.engine.conversation(sessionId).state.sequence,
      events: transients,
      complete: true,
      streams: false,
    })
    bench.engine.snapshot = async () => {
      if (++asked > 1) return standing([])
      const before = standing([thinking])
      bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
      return before
    }
    const pair = await bench.connect(sessionId)
    await pair.flush()
    expect(types(pair.received)).toEqual(['EVENT_BATCH'])
    expect(sequences(pair.events())).toEqual(upTo(4))
    expect(asked).toBe(2)
  })

  test('MS6 a conversation that never rests still lets a connection in', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.engine.snapshot = async () => {
      const { sequence } = bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
      return { sequence, events: [], complete: true, streams: false }
    }
    const other = await bench.connect(sessionId)
    await other.flush()
    await pair.flush()
    const { log } = bench.engine.conversation(sessionId)
    for (const client of [pair, other]) expect(sequences(client.events())).toEqual(upTo(log.length))
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await other.flush()
    expect(sequences(other.events())).toEqual(upTo(log.length))
  })

  test('MS15 a frame is built once and is the same text for every connection', async () => {
    const bench = await createMessagingBench()
    const sessionId = await bench.session()
    const frames: string[][] = [[], [], []]
    for (const own of frames) {
      const handshake = await bench.messaging.handshake({
        sessionId,
        accessToken: bench.accessToken,
        cursor: null,
      })
      if ('status' in handshake) throw new Error(handshake.message)
      const connection = handshake.open({
        send: frame => own.push(frame),
        close() {},
        drained: async () => {},
      })
      await connection.settled()
    }
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE', { text: 'Hi' })
    const last = frames.map(own => own.at(-1))
    expect(new Set(last).size).toBe(1)
    expect(last[0]).toContain('"text":"Hi"')
  })

  test('MS15 with hints that fit, the log is not read', async () => {
    let reads = 0
    const bench = await createMessagingBench({}, read => (id, after, bounds) => {
      reads++
      return read(id, after, bounds)
    })
    const { sessionId, pair } = await bench.live()
    reads = 0
    for (let count = 0; count < 5; count++) bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await pair.flush()
    expect(sequences(pair.events())).toEqual(upTo(8))
    expect(reads).toBe(0)
  })

  test('MS15 what a notice tells comes after the log has reached it', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.notices.auto = false
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.engine.tell(sessionId, { type: 'AI_AGENT_THINKING' })
    bench.notices.deliver(1)
    await pair.flush()
    expect(types(pair.received).slice(-2)).toEqual(['AI_AGENT_MESSAGE', 'AI_AGENT_THINKING'])
    bench.notices.deliver(0)
    await pair.flush()
    expect(sequences(pair.events())).toEqual(upTo(4))
  })

  test('MS15 a late word of thinking is not told once the reply is there', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.notices.auto = false
    bench.engine.tell(sessionId, { type: 'AI_AGENT_THINKING' })
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    bench.notices.deliver(1)
    bench.notices.deliver(0)
    await pair.flush()
    expect(types(pair.received).slice(-1)).toEqual(['AI_AGENT_MESSAGE'])
  })

  test('MS15 MS29 a late word of the place in the queue is not told once somebody has joined', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.engine.tell(sessionId, { type: 'HANDOFF_QUEUE_STATUS' })
    bench.notices.auto = false
    bench.engine.tell(sessionId, { type: 'HANDOFF_QUEUE_STATUS' })
    bench.engine.append(sessionId, 'LIVE_AGENT_JOINED')
    bench.notices.deliver(1)
    bench.notices.deliver(0)
    await pair.flush()
    expect(types(pair.received).slice(-2)).toEqual(['HANDOFF_QUEUE_STATUS', 'LIVE_AGENT_JOINED'])
  })

  test('MS15 what is for one connection goes to it alone', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    await other.flush()
    bench.engine.tell(sessionId, { type: 'SYSTEM_MESSAGE', to: pair.connection.id })
    await pair.flush()
    await other.flush()
    expect(types(pair.received).at(-1)).toBe('SYSTEM_MESSAGE')
    expect(types(other.received)).toEqual(['EVENT_BATCH'])
  })

  test('MS15 a lost notice is made good when the client gives a sign of life', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live()
    bench.notices.auto = false
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE')
    await bench.clock.advance(30_000)
    pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
    await pair.flush()
    expect(sequences(pair.events())).toEqual(upTo(4))
  })
})

describe('a streamed reply', () => {
  const texts = ['One ', 'two ', 'three ', 'four']

  test('MS29 is sent live as chunks, the last one alone from the log', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ streaming: true })
    for (const [index, text] of texts.slice(0, -1).entries())
      bench.engine.tell(sessionId, chunk('m', index + 1, text))
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE_CHUNK', finished('m', texts))
    await pair.flush()
    const chunks = pair.received.filter(event => event.type === 'EVENT_TYPE_AI_AGENT_MESSAGE_CHUNK')
    expect(chunks.map(({ payload }) => [payload.chunk_index, payload.is_complete])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [4, true],
    ])
    expect(chunks.map(event => event.sequence)).toEqual([3, 3, 3, 4])
    expect(chunks.some(event => 'chunks' in event.payload)).toBe(false)
    expect(assembled(both(pair))).toEqual(['One two three four'])
  })

  test('MS29 is whole although chunks were lost, doubled and late', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }), async deliveries => {
        const bench = await createMessagingBench()
        const { sessionId, pair } = await bench.live({ streaming: true })
        bench.notices.auto = false
        for (const [index, text] of texts.slice(0, -1).entries())
          bench.engine.tell(sessionId, chunk('m', index + 1, text))
        bench.engine.append(sessionId, 'AI_AGENT_MESSAGE_CHUNK', finished('m', texts))
        for (const [index, keep] of deliveries) {
          bench.notices.deliver(index, keep)
          await pair.flush()
        }
        bench.notices.deliver(bench.notices.waiting.length - 1)
        await bench.clock.advance(30_000)
        pair.send({ type: 'EVENT_TYPE_HEARTBEAT' })
        await pair.flush()
        expect(sequences(pair.events())).toEqual(upTo(4))
        expect(assembled(both(pair))).toEqual([texts.join('')])
        const complete = pair.events().findIndex(event => event.payload.is_complete === true)
        const after = pair.events().slice(complete + 1)
        expect(types(after)).not.toContain('AI_AGENT_MESSAGE_CHUNK')
      }),
      { numRuns: 60 },
    )
  })

  test('MS29 stands once for whoever connects in the middle of it', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live({ streaming: true })
    const kept = bench.engine.conversation(sessionId)
    kept.current = [1, 2].map(index => ({
      ...chunk('m', index, texts[index - 1] ?? ''),
      custom: null,
      to: null,
    }))
    const pair = await bench.connect(sessionId)
    await pair.flush()
    bench.engine.tell(sessionId, chunk('m', 3, 'three '))
    kept.current = []
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE_CHUNK', finished('m', texts))
    await pair.flush()
    const chunks = pair.events().filter(event => event.payload.message_id === 'm')
    expect(chunks.map(event => event.payload.chunk_index)).toEqual([1, 2, 3, 4])
    expect(assembled(both(pair))).toEqual([texts.join('')])
  })

  test('MS29 reaches a connection in the order of its chunks, each once, without a gap', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ streaming: true })
    const indexes = async (...told: readonly number[]) => {
      for (const index of told) bench.engine.tell(sessionId, chunk('m', index, texts[index - 1] ?? ''))
      await pair.flush()
      return pair.events().flatMap(({ payload }) => (payload.message_id === 'm' ? [payload.chunk_index] : []))
    }
    expect(await indexes(2, 3)).toEqual([])
    expect(await indexes(1, 1, 2)).toEqual([1, 2, 3])
  })

  test('MS29 a gap is asked about, by the connection that has it, at most once a second', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ streaming: true })
    const { asked } = bench.engine
    const told = (...indexes: readonly number[]) => {
      for (const index of indexes) bench.engine.tell(sessionId, chunk('m', index, 'word '))
      return asked.length
    }
    expect(told(2, 3)).toBe(1)
    await bench.clock.advance(999)
    expect(told(4)).toBe(1)
    await bench.clock.advance(1)
    expect(told(5)).toBe(2)
    expect(asked.at(-1)).toEqual({ conversationId: sessionId, connection: pair.connection.id })
    await bench.clock.advance(1_000)
    expect(told(1, 6)).toBe(2)
    await bench.clock.advance(1_000)
    expect(told(3, 7)).toBe(2)
  })

  test('MS29 whoever connects asks when its process does not know all', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live({ streaming: true })
    expect(bench.engine.asked).toEqual([])
    bench.engine.complete = false
    const pair = await bench.connect(sessionId)
    await pair.flush()
    expect(bench.engine.asked).toEqual([{ conversationId: sessionId, connection: pair.connection.id }])
  })

  test('MS29 of replies that are never completed few are remembered', async () => {
    const bench = await createMessagingBench()
    const { sessionId, pair } = await bench.live({ streaming: true })
    for (let reply = 0; reply < 20; reply++) bench.engine.tell(sessionId, chunk(`m${reply}`, 1, 'word '))
    bench.engine.tell(sessionId, chunk('m0', 1, 'word '))
    bench.engine.tell(sessionId, chunk('m19', 1, 'word '))
    await pair.flush()
    const ids = pair.events().flatMap(({ payload }) => payload.message_id ?? [])
    expect(ids.filter(id => id === 'm0')).toHaveLength(2)
    expect(ids.filter(id => id === 'm19')).toHaveLength(1)
  })

  test('MS29 is replayed chunk by chunk', async () => {
    const bench = await createMessagingBench()
    const { sessionId } = await bench.live({ streaming: true })
    bench.engine.append(sessionId, 'AI_AGENT_MESSAGE_CHUNK', finished('m', texts))
    const pair = await bench.connect(sessionId, '3')
    await pair.flush()
    expect(pair.received).toHaveLength(1)
    expect(pair.events().map(event => event.payload.chunk_index)).toEqual([1, 2, 3, 4])
    expect(sequences(pair.events())).toEqual([4])
    expect(assembled(both(pair))).toEqual([texts.join('')])
  })
})
