import { createMessagingBench } from '@colloquy/test-support/messaging-bench'
import { describe, expect, test } from 'vitest'
import { parseClientFrame } from '../../src/protocol/client-frame.ts'
import { createEventNames } from '../../src/protocol/event-names.ts'
import { PROTOCOL_LIMITS } from '../../src/protocol/limits.ts'
import type { ReceivedEvent } from '../../src/testing/socket-pair.ts'
import { createFrameMeter } from '../../src/usecases/access/frame-meter.ts'

const WARNING = 'Too many messages. Please slow down and try again.'
const say = (text: string, more: object = {}) => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text, ...more },
})
const messages = (events: readonly ReceivedEvent[]) =>
  events.filter(event => event.type === 'EVENT_TYPE_SYSTEM_MESSAGE').map(event => event.payload.message)

/** How often texts are parsed meanwhile. */
function countingParses(work: () => void): number {
  const { parse } = JSON
  let parses = 0
  JSON.parse = (text, reviver) => {
    parses += 1
    return parse(text, reviver)
  }
  try {
    work()
  } finally {
    JSON.parse = parse
  }
  return parses
}

describe('frames are counted first', () => {
  const rateLimits = {
    session: { perSecond: 1, burst: 100 },
    sessionBytes: { perSecond: 1_000, burst: 10_000 },
  }

  test('MS92 frames above the bytes of a session are not read, told once, and closed with 1008', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { pair } = await bench.live()
    const frame = JSON.stringify(say('x', { more: 'y'.repeat(3_000) }))
    const parses = countingParses(() => {
      for (let count = 0; count < 50; count++) pair.connection.receive(frame)
    })
    // The join and three more have used what there is; as much again, and the socket closes.
    expect(parses).toBe(4)
    expect(pair.closedBy).toMatchObject({ code: 1008, reason: 'too many frames' })
    expect(messages(pair.received)).toEqual([])
  })

  test('MS92 who waits is read again, and is told once that frames were not', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { sessionId, pair } = await bench.live()
    for (let count = 0; count < 7; count++) pair.send(say('x', { more: 'y'.repeat(2_400) }))
    await pair.flush()
    expect(messages(pair.received)).toEqual([WARNING])
    await bench.clock.advance(20_000)
    pair.send(say('later'))
    await pair.flush()
    expect(bench.engine.conversation(sessionId).log.at(-1)?.payload.text).toBe('later')
    expect(messages(pair.received)).toEqual([WARNING])
  })

  test('MS92 frames above the number of a session are not read, whatever they are', async () => {
    const bench = await createMessagingBench({
      rateLimits: { session: { perSecond: 1, burst: 1 }, sessionBytes: null },
    })
    const { pair } = await bench.live({ joined: false })
    const most = PROTOCOL_LIMITS.frameFactor
    const parses = countingParses(() => {
      for (let count = 0; count < 10 * most; count++) pair.connection.receive('{}')
    })
    expect(parses).toBe(most)
    await pair.flush()
    expect(pair.closedBy?.code).toBe(1008)
  })

  test('MS92 the connections of a session are counted together', async () => {
    const bench = await createMessagingBench({ rateLimits })
    const { sessionId, pair } = await bench.live()
    const other = await bench.connect(sessionId)
    const frame = JSON.stringify(say('x', { more: 'y'.repeat(3_000) }))
    for (let count = 0; count < 50; count++) pair.connection.receive(frame)
    expect(countingParses(() => void other.connection.receive(frame))).toBe(0)
  })

  test('MS92 a frame may be larger than what comes at once, and is then owed for', () => {
    let now = 0
    const limits = { frames: null, bytes: { perSecond: 10, burst: 10 } }
    const meter = createFrameMeter(limits, { monotonic: () => now })
    const large = 'x'.repeat(25)
    expect(meter.count('a', large)).toBe('read')
    now = 1_000
    expect(meter.count('a', 'x')).toBe('refused')
    now = 2_000
    expect(meter.count('a', 'x')).toBe('read')
  })

  test('MS92 bytes of UTF-8 count, not characters', () => {
    const limits = { frames: null, bytes: { perSecond: 1, burst: 10 } }
    const meter = createFrameMeter(limits, { monotonic: () => 0 })
    expect(['€€€', '€', 'x'].map(frame => meter.count('a', frame))).toEqual(['read', 'read', 'refused'])
  })
})

describe('fields of a frame', () => {
  const limits = { messageBytes: 1_000 }
  const names = createEventNames('AI')

  /** Reads a frame whose fields note how they are looked at. */
  function reading(type: string, extra: number) {
    const looks = { lists: 0, reads: 0 }
    const watched = (fields: object): object =>
      new Proxy(fields, {
        ownKeys(target) {
          looks.lists += 1
          return Reflect.ownKeys(target)
        },
        get(target, name, receiver) {
          looks.reads += 1
          return Reflect.get(target, name, receiver)
        },
      })
    const many = Object.fromEntries(Array.from({ length: extra }, (_, at) => [`key${at}`, 1]))
    const { parse } = JSON
    JSON.parse = () => ({
      ...many,
      type: `EVENT_TYPE_${type}`,
      payload: watched({ ...many, text: 'x', state: 'started', token: 'x' }),
      metadata: { ...many, custom: watched({}) },
    })
    try {
      const event = parseClientFrame('', names, limits)
      return { event, looks }
    } finally {
      JSON.parse = parse
    }
  }

  test.each(['USER_MESSAGE', 'USER_TYPING', 'SET_CONTEXT', 'REQUEST_AI_AGENT_JOIN', 'USER_END_SESSION'])(
    'MS92 those of %s are read by name, however many others there are',
    type => {
      const few = reading(type, 1)
      const many = reading(type, 10_000)
      expect('error' in few.event || 'error' in many.event).toBe(false)
      expect(many.looks).toEqual(few.looks)
    },
  )

  test('MS92 a heartbeat and custom fields are refused above 16,384 characters without a look at the rest', () => {
    const { event, looks } = reading('HEARTBEAT', 100_000)
    expect(event).toMatchObject({ error: 'Message too large' })
    expect(looks.reads).toBeLessThan(PROTOCOL_LIMITS.customLength / 4)
    const custom = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`key${at}`, 'x']))
    const frame = { type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: { custom } }
    expect(parseClientFrame(JSON.stringify(frame), names, limits)).toMatchObject({
      error: 'Message too large',
      custom: null,
    })
  })
})
