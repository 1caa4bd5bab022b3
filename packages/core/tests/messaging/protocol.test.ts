import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkId } from '../../src/domain/conversation/chunk-id.ts'
import type { ConversationEvent } from '../../src/domain/conversation/event.ts'
import { cutBatches } from '../../src/protocol/batch.ts'
import { clientIdsOf, parseClientFrame, typingState } from '../../src/protocol/client-frame.ts'
import { parseCursor } from '../../src/protocol/cursor.ts'
import { batchText, eventText } from '../../src/protocol/envelope.ts'
import { createEventNames } from '../../src/protocol/event-names.ts'
import { expandChunks } from '../../src/protocol/expand-chunks.ts'
import { PROTOCOL_LIMITS } from '../../src/protocol/limits.ts'

const names = createEventNames('AI')
const limits = { messageBytes: 131_072 }
const parse = (frame: unknown) =>
  parseClientFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), names, limits)
const INVALID = 'Unknown event type or invalid message format'

describe('names', () => {
  test.each([
    ['AI', 'AI_AGENT_JOINED', 'EVENT_TYPE_AI_AGENT_JOINED'],
    ['Acme', 'AI_AGENT_JOINED', 'EVENT_TYPE_ACME_AGENT_JOINED'],
    ['Acme', 'REQUEST_AI_AGENT_JOIN', 'EVENT_TYPE_REQUEST_ACME_AGENT_JOIN'],
    ['Acme', 'LIVE_AGENT_JOINED', 'EVENT_TYPE_LIVE_AGENT_JOINED'],
    ['Acme', 'USER_MESSAGE', 'EVENT_TYPE_USER_MESSAGE'],
  ] as const)('MS42 with the brand %s, %s is %s on the wire and back', (brand, short, wire) => {
    const branded = createEventNames(brand)
    expect(branded.wire(short)).toBe(wire)
    expect(branded.short(wire)).toBe(short)
  })

  test('MS42 another brand, a short name and inherited names are no event', () => {
    for (const wire of ['EVENT_TYPE_AI_AGENT_JOINED', 'USER_MESSAGE', '__proto__', 'constructor'])
      expect(createEventNames('Acme').short(wire)).toBeNull()
  })
})

describe('frames of clients', () => {
  test('MS2 each event is read with its metadata', () => {
    const metadata = { custom: { a: '1' } }
    expect(parse({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'Hi' }, metadata })).toEqual({
      type: 'USER_MESSAGE',
      payload: { text: 'Hi' },
      custom: { a: '1' },
    })
    expect(parse({ type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {} })).toEqual({
      type: 'REQUEST_AI_AGENT_JOIN',
      payload: {},
      custom: null,
    })
    expect(parse({ type: 'EVENT_TYPE_USER_END_SESSION' })).toEqual({
      type: 'USER_END_SESSION',
      payload: {},
      custom: null,
    })
    expect(parse({ type: 'EVENT_TYPE_HEARTBEAT', payload: { t: 1 }, metadata })).toEqual({
      type: 'HEARTBEAT',
      payload: { t: 1 },
      custom: { a: '1' },
    })
  })

  test.each([
    ['TYPING_STATE_STARTED', 'started'],
    ['TYPING_STATE_STOPPED', 'stopped'],
    ['started', 'started'],
    ['stopped', 'stopped'],
  ])('MS2 typing %s is understood', (state, read) => {
    const event = parse({ type: 'EVENT_TYPE_USER_TYPING', payload: { state } })
    expect('type' in event && event.type === 'USER_TYPING' ? typingState(event) : null).toBe(read)
  })

  test.each([
    'not json',
    '',
    'null',
    '[]',
    '"EVENT_TYPE_HEARTBEAT"',
    '{}',
    '{"type":7}',
    '{"type":"EVENT_TYPE_NOTHING","payload":{}}',
    '{"type":"USER_MESSAGE","payload":{"text":"Hi"}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":"Hi"}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":""}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":["Hi"]}}',
    '{"type":"EVENT_TYPE_USER_TYPING","payload":{"state":"perhaps"}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"Hi"},"metadata":{"custom":{"a":1}}}',
    '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"Hi"},"metadata":7}',
    `{"type":"EVENT_TYPE_HEARTBEAT","payload":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
    '{"__proto__":{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}}',
  ])('MS2 %.60s is refused as unreadable', frame => {
    expect(parse(frame)).toMatchObject({ error: INVALID })
  })

  test('MS2 no text makes the reader throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), text => {
        expect(parse(text)).toBeTypeOf('object')
      }),
    )
  })

  test('MS2 an event of the server is not allowed, and named as it came', () => {
    expect(parse({ type: 'EVENT_TYPE_SESSION_END', payload: {}, metadata: { custom: { a: '1' } } })).toEqual({
      error: 'Event type not allowed: EVENT_TYPE_SESSION_END',
      custom: { a: '1' },
    })
  })

  test('MS2 a text is measured in bytes of UTF-8', () => {
    const message = (text: string) => parse({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text } })
    expect(message('x'.repeat(131_072))).toHaveProperty('payload.text')
    expect(message('x'.repeat(131_073))).toMatchObject({ error: 'Message too large' })
    expect(message('é'.repeat(65_536))).toHaveProperty('payload.text')
    expect(message(`${'é'.repeat(65_536)}x`)).toMatchObject({ error: 'Message too large' })
    expect(message('😀'.repeat(32_769))).toMatchObject({ error: 'Message too large' })
  })

  test('MS2 custom metadata is bounded', () => {
    const custom = { a: 'x'.repeat(PROTOCOL_LIMITS.customLength) }
    expect(parse({ type: 'EVENT_TYPE_HEARTBEAT', metadata: { custom } })).toMatchObject({
      error: 'Message too large',
    })
  })

  test('MS2 the client names its event as client_event_id or local_id or both, and nothing inherited counts', () => {
    const [clientEventId, localId] = ['client_event_id:a', 'local_id:b']
    expect(clientIdsOf({ client_event_id: 'a', local_id: 'b' })).toEqual({ clientEventId, localId })
    expect(clientIdsOf({ local_id: 'b' })).toEqual({ clientEventId: null, localId })
    expect(clientIdsOf({ client_event_id: 'a' })).toEqual({ clientEventId, localId: null })
    const none = { clientEventId: null, localId: null }
    expect(clientIdsOf({ client_event_id: '' })).toEqual(none)
    expect(clientIdsOf(Object.create({ local_id: 'b' }))).toEqual(none)
    expect(clientIdsOf(null)).toEqual(none)
  })
})

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
const id = '01234567-89ab-4cde-8f01-23456789abcd'

describe('the envelope', () => {
  test('MS42 has these fields and metadata only when the client sent some', () => {
    const event = { id, sequence: 7, at, type: 'USER_MESSAGE', payload: { text: '"é\u2028' } } as const
    expect(JSON.parse(eventText({ ...event, custom: null }, names))).toEqual({
      id,
      sequence: 7,
      timestamp: '2026-01-02T03:04:05.006Z',
      type: 'EVENT_TYPE_USER_MESSAGE',
      payload: { text: '"é\u2028' },
    })
    expect(JSON.parse(eventText({ ...event, custom: { a: '"' } }, names)).metadata).toEqual({
      custom: { a: '"' },
    })
  })

  test('MS42 a batch is an event without a sequence', () => {
    expect(JSON.parse(batchText({ id, at, events: [] }, names))).toEqual({
      id,
      sequence: null,
      timestamp: '2026-01-02T03:04:05.006Z',
      type: 'EVENT_TYPE_EVENT_BATCH',
      payload: { events: [] },
    })
  })
})

/** As RFC 9562 makes a UUID of version 5, by the system's own SHA-1. */
function nameBased(name: string): string {
  const namespace = Buffer.from('6f1a3f0c0d5b4c7e9a52b8e4d1c73f96', 'hex')
  const hash = createHash('sha1').update(namespace).update(name).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const stream = (chunks: readonly string[]): ConversationEvent => ({
  id,
  at,
  sequence: 4,
  type: 'AI_AGENT_MESSAGE_CHUNK',
  custom: null,
  clientEventId: null,
  payload: {
    message_id: 'm',
    chunks: chunks.slice(0, -1),
    text: chunks.at(-1) ?? '',
    chunk_index: chunks.length,
    is_complete: true,
    attachments: [],
    response_suggestions: [{ message_text: 'More' }],
  },
})

describe('a finished stream', () => {
  test('MS29 unfolds into its chunks: one text, indexes from 1, the last alone complete and in the log', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 30 }), texts => {
        const chunks = [...expandChunks(stream(texts), 0)]
        expect(chunks.map(chunk => chunk.payload.text)).toEqual(texts)
        expect(chunks.map(chunk => chunk.payload.chunk_index)).toEqual(texts.map((_, index) => index + 1))
        expect(chunks.map(chunk => chunk.payload.is_complete)).toEqual(
          texts.map((_, index) => index === texts.length - 1),
        )
        expect(chunks.map(chunk => chunk.sequence)).toEqual([...texts.slice(1).map(() => 3), 4])
        expect(chunks.map(chunk => chunk.id)).toEqual([
          ...texts.slice(1).map((_, index) => chunkId('m', index + 1)),
          id,
        ])
        for (const chunk of chunks) expect(chunk.payload).not.toHaveProperty('chunks')
      }),
    )
  })

  test('MS29 sends only what the receiver lacks', () => {
    const texts = ['a ', 'b ', 'c ', 'd']
    const sent = (count: number) => [...expandChunks(stream(texts), count)]
    expect(sent(2).map(chunk => chunk.payload.text)).toEqual(['c ', 'd'])
    expect(sent(9).map(chunk => chunk.payload.text)).toEqual(['d'])
    expect(sent(1)).toEqual(sent(0).slice(1))
  })

  test('MS29 what is no stream is one event', () => {
    const event = { ...stream(['x']), type: 'USER_MESSAGE', payload: { text: 'Hi' } } as const
    expect([...expandChunks(event, 0)]).toEqual([event])
  })
})

describe('ids of chunks', () => {
  test('MS29 are UUIDs made of message and index alone, no two the same', () => {
    expect(chunkId('0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000', 1)).toBe(
      nameBased('0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000/1'),
    )
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.string(), fc.nat(), (message, index, other, place) => {
        expect(chunkId(message, index)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        )
        expect(chunkId(message, index)).toBe(chunkId(message, index))
        expect(chunkId(message, index) === chunkId(other, place)).toBe(message === other && index === place)
      }),
    )
  })
})

const plain = (type: ConversationEvent['type'], text = '{}') => ({
  event: { ...stream(['x']), type, payload: {} },
  text,
})

describe('batches', () => {
  const bounds = { count: 500, bytes: 1_000, firstReaches: 0 }

  test('MS6 an empty history is one empty batch', () => {
    expect([...cutBatches([], bounds)]).toEqual([{ texts: [], newest: 0 }])
  })

  test('MS6 batches keep order and bounds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(400), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (lengths, count, wide) => {
          const events = lengths.map(length => plain('USER_MESSAGE', (wide ? 'é' : 'x').repeat(length)))
          const batches = Array.from(cutBatches(events, { ...bounds, count }), ({ texts }) => texts)
          expect(batches.flat()).toEqual(events.map(({ text }) => text))
          const full = batches.map((batch, index) => [...batch, ...(batches[index + 1]?.slice(0, 1) ?? [])])
          for (const [index, batch] of batches.entries()) {
            expect(batch.length).toBeLessThanOrEqual(count)
            if (batch.length > 1) expect(Buffer.byteLength(batch.join(''))).toBeLessThanOrEqual(1_000)
            // Nothing more would have fitted.
            const withNext = full[index] ?? []
            if (index < batches.length - 1)
              expect(withNext.length > count || Buffer.byteLength(withNext.join('')) > 1_000).toBe(true)
          }
        },
      ),
    )
  })

  test('MS6 the first batch goes on until what it has to reach', () => {
    const events = Array.from({ length: 9 }, (_, index) => {
      const { event } = plain('USER_MESSAGE')
      return { event: { ...event, sequence: index + 1 }, text: `${index + 1}` }
    })
    const batches = [...cutBatches(events, { ...bounds, count: 2, firstReaches: 6 })]
    expect(batches).toEqual([
      { texts: ['1', '2', '3', '4', '5', '6'], newest: 6 },
      { texts: ['7', '8'], newest: 8 },
      { texts: ['9'], newest: 9 },
    ])
  })

  test('MS6 a batch is made when it is asked for, and not before', () => {
    let made = 0
    function* events() {
      for (; made < 100; made++) yield plain('USER_MESSAGE', `${made}`)
    }
    const batches = cutBatches(events(), { ...bounds, count: 10 })
    batches.next()
    expect(made).toBe(10)
    batches.next()
    expect(made).toBe(20)
  })
})

describe('cursors', () => {
  test.each([
    ['7', 7],
    ['seq:7', 7],
    ['0', 0],
    [null, 0],
    ['', 0],
    ['-1', 0],
    ['7.5', 0],
    ['seq:', 0],
    ['1e3', 0],
    ['9'.repeat(40), 0],
    ['SEQ 7', 0],
  ])('MS6 %s asks for what comes after %i', (cursor, after) => {
    expect(parseCursor(cursor)).toBe(after)
  })
})
