import type { Socket } from 'node:net'
import { makeUpFrames } from '@colloquy/test-support/declared-frames'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, openClient, type Served, serve } from './support/client.ts'

/** Opcodes of RFC 6455. */
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10]

const FRAME_LIMIT = 1_048_576

interface Shape {
  readonly final?: boolean
  /** Bits 0x40, 0x20 and 0x10. */
  readonly reserved?: number
  readonly masked?: boolean
}

/** One frame as bytes. Its mask is zero, which is a mask like any other. */
function frame(opcode: number, payload: Buffer | string, shape: Shape = {}): Buffer {
  const { final = true, reserved = 0, masked = true } = shape
  const body = Buffer.from(payload)
  const wide = body.length < 126 ? 0 : body.length < 65_536 ? 2 : 8
  const head = Buffer.alloc(2 + wide + (masked ? 4 : 0))
  head[0] = (final ? 0x80 : 0) | reserved | opcode
  head[1] = (masked ? 0x80 : 0) | (wide === 0 ? body.length : wide === 2 ? 126 : 127)
  if (wide === 2) head.writeUInt16BE(body.length, 2)
  if (wide === 8) head.writeBigUInt64BE(BigInt(body.length), 2)
  return Buffer.concat([head, body])
}

const close = (code: number, reason = ''): Buffer => {
  const head = Buffer.alloc(2)
  head.writeUInt16BE(code)
  return frame(CLOSE, Buffer.concat([head, Buffer.from(reason, 'latin1')]))
}

const begun = (payload: Buffer | string): Buffer => frame(TEXT, payload, { final: false })
const goneOn = (payload: Buffer | string): Buffer => frame(CONTINUATION, payload, { final: false })
const many = (count: number, bytes: Buffer): readonly Buffer[] => Array.from({ length: count }, () => bytes)

/** Bytes that end a socket, and the codes that it may close with. */
const FATAL: readonly (readonly [what: string, bytes: Buffer, codes: readonly number[]])[] = [
  ['a continuation of nothing', frame(CONTINUATION, 'x'), [1002]],
  ['a new message within a message', Buffer.concat([begun('a'), frame(TEXT, 'b')]), [1002]],
  ...[3, 4, 5, 6, 7, 11, 15].map(opcode => [`opcode ${opcode}`, frame(opcode, 'x'), [1002]] as const),
  ...[0x20, 0x10, 0x70].map(
    reserved => [`reserved bits ${reserved}`, frame(TEXT, '{}', { reserved }), [1002]] as const,
  ),
  ['an unmasked frame', frame(TEXT, '{}', { masked: false }), [1002]],
  ['a ping that is too long', frame(PING, Buffer.alloc(126)), [1002]],
  ['a ping in fragments', frame(PING, 'x', { final: false }), [1002]],
  [
    'a length of 64 bits with the highest set',
    Buffer.from([0x81, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 1]),
    [1002, 1009],
  ],
  ['text that is not UTF-8', frame(TEXT, Buffer.from([0xff, 0xfe, 0xfd])), [1007]],
  ['a surrogate in UTF-8', frame(TEXT, Buffer.from([0xed, 0xa0, 0x80])), [1007]],
  ['half a character at the end', frame(TEXT, Buffer.from([0x22, 0xe2, 0x82])), [1007]],
  ['a frame over the limit', frame(TEXT, Buffer.alloc(FRAME_LIMIT + 1, 0x20)), [1009]],
  [
    'a length over the limit, without its bytes',
    Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 1]),
    [1009],
  ],
  [
    'fragments over the limit',
    Buffer.concat([begun(Buffer.alloc(FRAME_LIMIT, 0x20)), frame(CONTINUATION, ' ')]),
    [1009],
  ],
  ['more fragments than any client needs', Buffer.concat([begun('x'), ...many(20_000, goneOn('x'))]), [1008]],
  // No close frame: the connection is cut off after more pings than pongs are kept for.
  ['a flood of pings', Buffer.concat(many(2_000, frame(PING, 'x'))), [1006]],
  ['a close without a code', frame(CLOSE, ''), [1005]],
  ['a close with half a code', frame(CLOSE, 'x'), [1002]],
  ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535].map(
    code => [`close code ${code}`, close(code), [1002]] as const,
  ),
  ['a close with a reason that is not UTF-8', close(1000, '\u00ff\u00fe'), [1007]],
  ['a close', close(1000, 'bye'), [1000]],
  ['a close of its own', close(4321), [4321]],
]

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Bytes after which the socket goes on. */
const HARMLESS: readonly (readonly [what: string, bytes: Buffer])[] = [
  [
    'an event of the server',
    frame(TEXT, '{"type":"EVENT_TYPE_SESSION_END","payload":{"reason":"REASON_USER_END"}}'),
  ],
  ['an event that is none', frame(TEXT, '{"type":"__proto__","payload":{"constructor":{}}}')],
  ['text that is no JSON', frame(TEXT, '\u0000{"type":')],
  ['deep JSON', frame(TEXT, `${'['.repeat(500_000)}${']'.repeat(500_000)}`)],
  ['a deep heartbeat', frame(TEXT, `{"type":"EVENT_TYPE_HEARTBEAT","payload":${deep(100_000)}}`)],
  ['a binary frame', frame(BINARY, Buffer.from([0, 1, 2, 0xff]))],
  ['an empty frame', frame(TEXT, '')],
  ['pings', Buffer.concat(many(40, frame(PING, 'x')))],
  ['an unsolicited pong', frame(PONG, 'x')],
  ['the largest frame', frame(TEXT, 'x'.repeat(FRAME_LIMIT))],
  [
    'many small fragments',
    Buffer.concat([begun('x'), ...many(2_000, goneOn('x')), frame(CONTINUATION, 'x')]),
  ],
  ['empty fragments', Buffer.concat([begun(''), ...many(200, goneOn('')), frame(CONTINUATION, '')])],
]

describe('a client that breaks every rule', () => {
  let served: Served
  let neighbour: Client
  beforeAll(async () => {
    served = await serve()
    neighbour = await join()
  })
  // Events of the fake engine are made up.
  beforeEach(makeUpFrames)
  afterAll(() => served.stop())

  const join = async (): Promise<Client> => openClient(served.url(await served.bench.session()))
  const write = ({ socket }: Client, bytes: Buffer): void => {
    const connection: Socket = Reflect.get(socket, '_socket')
    connection.write(bytes)
  }
  let beats = 0
  /** Frames take effect in order: once this one is answered, so are those before it. */
  async function beat(client: Client): Promise<void> {
    const id = String(beats++)
    client.send({ type: 'EVENT_TYPE_HEARTBEAT', payload: { id } })
    await client.until(({ payload }) => Reflect.get(payload, 'id') === id)
  }

  test.each(FATAL)('FZ11 %s closes its socket as stated, and nobody else’s', async (_, bytes, codes) => {
    const client = await join()
    write(client, bytes)
    expect(codes).toContain((await client.closed).code)
    await beat(neighbour)
  })

  test.each(HARMLESS)('FZ11 %s leaves the socket open, and what follows is answered', async (_, bytes) => {
    const client = await join()
    write(client, bytes)
    await beat(client)
    client.socket.terminate()
  })

  test('FZ11 a client that goes away in the middle of a frame harms nobody', async () => {
    const whole = frame(TEXT, JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {} }))
    for (let length = 1; length < whole.length; length++) {
      const client = await join()
      write(client, whole.subarray(0, length))
      client.socket.terminate()
    }
    await beat(neighbour)
  })
})
