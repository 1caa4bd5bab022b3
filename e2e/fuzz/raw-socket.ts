import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { createSignal } from '@colloquy/test-support/signal'

/** Opcodes of RFC 6455. */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Shape of a frame on the wire. By default it is as a client must write it. */
export interface FrameShape {
  /** @default true */
  readonly final?: boolean
  /** Bits 0x40, 0x20 and 0x10; 0x40 says that the message is compressed. @default 0 */
  readonly reserved?: number
  /** @default true */
  readonly masked?: boolean
}

/** One frame as bytes. */
export function frameBytes(opcode: number, payload: Buffer, shape: FrameShape = {}): Buffer {
  const { final = true, reserved = 0, masked = true } = shape
  const first = (final ? 0x80 : 0) | reserved | opcode
  const mask = masked ? 0x80 : 0
  const { length } = payload
  const head = length < 126 ? Buffer.from([first, mask | length]) : Buffer.alloc(length < 65_536 ? 4 : 10)
  if (length >= 126) {
    head[0] = first
    head[1] = mask | (length < 65_536 ? 126 : 127)
    if (length < 65_536) head.writeUInt16BE(length, 2)
    else head.writeBigUInt64BE(BigInt(length), 2)
  }
  if (!masked) return Buffer.concat([head, payload])
  const key = randomBytes(4)
  return Buffer.concat([head, key, Buffer.from(payload.map((byte, index) => byte ^ (key[index % 4] ?? 0)))])
}

/** A text message in several frames, with a ping between two of them. */
export function fragmented(text: Buffer, parts: number): Buffer {
  const size = Math.max(1, Math.ceil(text.length / parts))
  const frames: Buffer[] = []
  for (let at = 0; at < text.length; at += size) {
    const opcode = at === 0 ? OPCODES.text : OPCODES.continuation
    frames.push(frameBytes(opcode, text.subarray(at, at + size), { final: at + size >= text.length }))
    if (at === 0) frames.push(frameBytes(OPCODES.ping, Buffer.from('between')))
  }
  return Buffer.concat(frames)
}

/** A socket that may break every rule of RFC 6455, and reads what the server writes. */
export interface RawSocket {
  write(bytes: Buffer): void
  /** The text frames that came so far. */
  readonly texts: readonly string[]
  /** Resolves when something that came satisfies it; false when the socket closed before. */
  until(done: () => boolean): Promise<boolean>
  /** Ends the connection as a client that goes away does. */
  end(): void
  /** Cuts it off. */
  destroy(): void
  /** The close code that the server gave, null where it gave none. Resolves when the connection is gone. */
  readonly closed: Promise<number | null>
}

/** Reads the server's frames from the front; returns what is left. */
function readFrames(bytes: Buffer, take: (opcode: number, payload: Buffer) => void): Buffer {
  let rest = bytes
  while (rest.length >= 2) {
    const short = (rest[1] ?? 0) & 0x7f
    const head = short === 127 ? 10 : short === 126 ? 4 : 2
    if (rest.length < head) break
    const length =
      short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short
    if (rest.length < head + length) break
    take((rest[0] ?? 0) & 0x0f, rest.subarray(head, head + length))
    rest = rest.subarray(head + length)
  }
  return rest
}

const upgradeRequest = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')

/** Upgrades a connection. @throws Error when the server refuses */
export async function openRawSocket(port: number, path: string): Promise<RawSocket> {
  const socket: Socket = connect(port, '127.0.0.1')
  const signal = createSignal()
  const texts: string[] = []
  let rest: Buffer = Buffer.alloc(0)
  let upgraded = false
  let code: number | null = null
  let gone = false
  const take = (opcode: number, payload: Buffer): void => {
    if (opcode === OPCODES.text) texts.push(payload.toString())
    if (opcode === OPCODES.ping) socket.write(frameBytes(OPCODES.pong, payload))
    if (opcode === OPCODES.close) {
      code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005
      socket.end(frameBytes(OPCODES.close, payload.subarray(0, 2)))
    }
  }
  const closed = new Promise<number | null>(resolve => {
    socket.on('close', () => {
      gone = true
      signal.changed()
      resolve(code)
    })
  })
  socket.on('error', () => {})
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk])
    if (!upgraded) {
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1) return
      if (!rest.subarray(0, end).toString().startsWith('HTTP/1.1 101')) {
        socket.destroy()
        return
      }
      upgraded = true
      rest = rest.subarray(end + 4)
    }
    rest = readFrames(rest, take)
    signal.changed()
  })
  socket.write(upgradeRequest(path))
  await signal.until(() => upgraded || gone)
  if (!upgraded) throw new Error(`the upgrade was refused: ${rest.toString().slice(0, 300)}`)
  return {
    texts,
    closed,
    write: bytes => {
      if (!gone) socket.write(bytes)
    },
    async until(done) {
      await signal.until(() => done() || gone)
      return done()
    },
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  }
}
