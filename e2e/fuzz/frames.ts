import fc from 'fast-check'
import { nastyText, withOneFault, writeJson } from './nasty.ts'
import { fragmented, frameBytes, OPCODES } from './raw-socket.ts'

/** A socket's client event, as JSON. */
export const eventText = (
  type: string,
  payload: unknown,
  custom: Readonly<Record<string, string>> = {},
): string => JSON.stringify({ type: `EVENT_TYPE_${type}`, payload, metadata: { custom } })

/** One thing that a client does. */
export type Step =
  /** A message that must be taken once, sent several times, in several fragments each. */
  | { readonly type: 'message'; readonly text: string; readonly times: number; readonly parts: number }
  /** Bytes that leave the socket open, whatever they are answered with. */
  | { readonly type: 'harmless'; readonly what: string; readonly bytes: Buffer }
  /** Bytes after which the server closes, with one of the codes; an empty list: with no code. */
  | {
      readonly type: 'fatal'
      readonly what: string
      readonly bytes: Buffer
      readonly codes: readonly number[]
    }
  /** Bytes in the middle of which the client goes away. */
  | { readonly type: 'cut'; readonly bytes: Buffer; readonly abruptly: boolean }

const text = (value: string): Buffer => frameBytes(OPCODES.text, Buffer.from(value))

/** Frame limits of the platform's defaults, bytes. */
const FRAME = 1_048_576
const MESSAGE = 131_072

const events: fc.Arbitrary<unknown> = fc.constantFrom(
  { type: 'EVENT_TYPE_REQUEST_AI_AGENT_JOIN', payload: {}, metadata: { custom: { local_id: 'a' } } },
  { type: 'EVENT_TYPE_USER_TYPING', payload: { state: 'TYPING_STATE_STARTED' } },
  { type: 'EVENT_TYPE_HEARTBEAT', payload: { a: 1, b: null, c: 'x', d: true } },
  { type: 'EVENT_TYPE_SESSION_END', payload: { reason: 'REASON_USER_END' } },
  { type: 'EVENT_TYPE_AI_AGENT_MESSAGE', payload: { text: 'I am the agent' } },
  { type: 'EVENT_TYPE_EVENT_BATCH', payload: { events: [] } },
  { type: '__proto__', payload: {} },
  { type: 'EVENT_TYPE_constructor', payload: {} },
)

const harmless: fc.Arbitrary<Step> = fc
  .oneof(
    events.map(event => ['an event', text(writeJson(event))] as const),
    withOneFault(events).map(
      event => ['an event with a fault', text(writeJson(event).slice(0, FRAME - 1))] as const,
    ),
    nastyText.map(one => ['a nasty text', text(one)] as const),
    fc
      .constantFrom(100, 20_000, 500_000)
      .map(depth => ['deep JSON', text(`${'['.repeat(depth)}${']'.repeat(depth)}`)] as const),
    fc
      .constantFrom(100, 100_000)
      .map(
        depth =>
          [
            'a deep heartbeat',
            text(
              `{"type":"EVENT_TYPE_HEARTBEAT","payload":{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
            ),
          ] as const,
      ),
    fc
      .uint8Array({ maxLength: 300 })
      .map(bytes => ['a binary frame', frameBytes(OPCODES.binary, Buffer.from(bytes))] as const),
    fc.constant(['an empty frame', text('')] as const),
    fc
      .integer({ min: 1, max: 40 })
      .map(
        times =>
          [
            'pings',
            Buffer.concat(new Array(times).fill(frameBytes(OPCODES.ping, Buffer.from('x')))),
          ] as const,
      ),
    fc.constant(['an unsolicited pong', frameBytes(OPCODES.pong, Buffer.from('x'))] as const),
    fc.constant(['the largest frame', text('x'.repeat(FRAME))] as const),
    fc
      .constantFrom(MESSAGE + 1, MESSAGE * 3)
      .map(
        length =>
          [
            'a message over the limit',
            text(eventText('USER_MESSAGE', { text: 'x'.repeat(length) })),
          ] as const,
      ),
    fc
      .constantFrom(16_384, 100_000)
      .map(
        length =>
          [
            'custom metadata over the limit',
            text(eventText('USER_MESSAGE', { text: 'x' }, { k: 'x'.repeat(length) })),
          ] as const,
      ),
    fc
      .integer({ min: 2, max: 2_000 })
      .map(
        parts =>
          [
            'many small fragments',
            fragmented(Buffer.from(JSON.stringify({ type: 'x'.repeat(parts) })), parts),
          ] as const,
      ),
    fc.constant([
      'empty fragments',
      Buffer.concat([
        frameBytes(OPCODES.text, Buffer.alloc(0), { final: false }),
        ...new Array(200).fill(frameBytes(OPCODES.continuation, Buffer.alloc(0), { final: false })),
        frameBytes(OPCODES.continuation, Buffer.alloc(0)),
      ]),
    ] as const),
  )
  .map(([what, bytes]) => ({ type: 'harmless', what, bytes }))

/** RFC 6455: protocol errors are 1002, text that is not UTF-8 is 1007; a policy that is broken is 1008. */
const PROTOCOL = [1002]

/** No close code: ws cuts the connection off after more pings than it will keep pongs for. */
const CUT_OFF: readonly number[] = []

const close = (code: number, reason = ''): Buffer => {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(code)
  return frameBytes(OPCODES.close, Buffer.concat([head, Buffer.from(reason, 'latin1')]))
}

const FATAL: readonly (readonly [string, Buffer, readonly number[]])[] = [
  ['a continuation of nothing', frameBytes(OPCODES.continuation, Buffer.from('x')), PROTOCOL],
  [
    'a new message within a message',
    Buffer.concat([frameBytes(OPCODES.text, Buffer.from('a'), { final: false }), text('b')]),
    PROTOCOL,
  ],
  ...[3, 4, 5, 6, 7, 11, 15].map(
    opcode => [`opcode ${opcode}`, frameBytes(opcode, Buffer.from('x')), PROTOCOL] as const,
  ),
  ...[0x40, 0x20, 0x10, 0x70].map(
    reserved =>
      [
        `reserved bits ${reserved}`,
        frameBytes(OPCODES.text, Buffer.from('{}'), { reserved }),
        PROTOCOL,
      ] as const,
  ),
  ['an unmasked frame', frameBytes(OPCODES.text, Buffer.from('{}'), { masked: false }), PROTOCOL],
  ['a ping that is too long', frameBytes(OPCODES.ping, Buffer.alloc(126)), PROTOCOL],
  ['a ping in fragments', frameBytes(OPCODES.ping, Buffer.alloc(1), { final: false }), PROTOCOL],
  [
    'a length of 64 bits with the highest set',
    Buffer.from([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 1]),
    [1002, 1009],
  ],
  ['text that is not UTF-8', frameBytes(OPCODES.text, Buffer.from([0xff, 0xfe, 0xfd])), [1007]],
  ['a surrogate in UTF-8', frameBytes(OPCODES.text, Buffer.from([0xed, 0xa0, 0x80])), [1007]],
  ['half a character at the end', frameBytes(OPCODES.text, Buffer.from([0x22, 0xe2, 0x82])), [1007]],
  ['a frame over the limit', frameBytes(OPCODES.text, Buffer.alloc(FRAME + 1, 0x20)), [1009]],
  [
    'a length over the limit, without its bytes',
    Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 1]),
    [1009],
  ],
  [
    'fragments over the limit',
    Buffer.concat([
      frameBytes(OPCODES.text, Buffer.alloc(FRAME, 0x20), { final: false }),
      frameBytes(OPCODES.continuation, Buffer.alloc(1, 0x20)),
    ]),
    [1009],
  ],
  [
    'more fragments than any client needs',
    Buffer.concat([
      frameBytes(OPCODES.text, Buffer.from('x'), { final: false }),
      ...new Array(20_000).fill(frameBytes(OPCODES.continuation, Buffer.from('x'), { final: false })),
    ]),
    [1008],
  ],
  [
    'a flood of pings',
    Buffer.concat(new Array(2_000).fill(frameBytes(OPCODES.ping, Buffer.from('x')))),
    CUT_OFF,
  ],
  ['a close without a code', frameBytes(OPCODES.close, Buffer.alloc(0)), [1005]],
  ['a close with half a code', frameBytes(OPCODES.close, Buffer.alloc(1)), PROTOCOL],
  ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535].map(
    code => [`close code ${code}`, close(code), PROTOCOL] as const,
  ),
  ['a close with a reason that is not UTF-8', close(1000, '\u00ff\u00fe'), [1007]],
  ['a close', close(1000, 'bye'), [1000]],
  ['a close of its own', close(4321), [4321]],
]

const fatal: fc.Arbitrary<Step> = fc
  .constantFrom(...FATAL)
  .map(([what, bytes, codes]) => ({ type: 'fatal', what, bytes, codes }))

const cut: fc.Arbitrary<Step> = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.boolean())
  .map(([length, abruptly]) => ({
    type: 'cut',
    bytes: text(eventText('USER_MESSAGE', { text: 'never finished' })).subarray(0, length),
    abruptly,
  }))

const message: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      { weight: 5, arbitrary: nastyText.filter(({ length }) => length < 1_000) },
      { weight: 1, arbitrary: fc.constant('x'.repeat(MESSAGE - 20)) },
    ),
    fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constantFrom(2, 400) }),
    fc.constantFrom(1, 1, 1, 2, 7),
  )
  .map(([words, times, parts]) => ({
    type: 'message',
    text: words,
    // Each message in fragments brings a ping: many of them would be a flood.
    times: words.length > 1_000 || parts > 1 ? 1 : times,
    parts,
  }))

/** All ways there are to end a socket wrongly, each once: no run leaves one out. */
export const fatalSteps: readonly Step[] = FATAL.map(([what, bytes, codes]) => ({
  type: 'fatal',
  what,
  bytes,
  codes,
}))

/** Generates the steps of one visitor's client, in order. */
export const stepsOf = (length: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: message },
      { weight: 6, arbitrary: harmless },
      { weight: 2, arbitrary: fatal },
      { weight: 1, arbitrary: cut },
    ),
    { minLength: length, maxLength: length, size: 'max' },
  )
