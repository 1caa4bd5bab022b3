import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A WebSocket of the load: text frames over one socket, as cheap as it can be, so that the server is what is measured. */
export interface RawSocket {
  /** Sends what {@link clientFrame} has made. */
  send(frame: Buffer): void
  destroy(): void
}

/** A text as a whole frame of a client. Its mask is zero, which is a mask like any other and leaves the bytes alone. */
export function clientFrame(text: string): Buffer {
  const body = Buffer.from(text)
  if (body.length > 0xffff) throw new Error('A frame of the load is too long: it has at most 65535 bytes.')
  const short = body.length < 126
  const head = Buffer.alloc(short ? 6 : 8)
  head[0] = 0x81
  head[1] = 0x80 | (short ? body.length : 126)
  if (!short) head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** Position of a frame in the received bytes. */
interface Frame {
  readonly opcode: number
  readonly isLast: boolean
  readonly from: number
  readonly to: number
}

const CONTINUATION = 0
const TEXT = 1
const CLOSE = 8

/** The frame at that place; null while it is not whole. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === undefined || second === undefined) return null
  let length = second & 0x7f
  let from = at + 2
  if (length === 126) {
    from += 2
    if (bytes.length < from) return null
    length = bytes.readUInt16BE(at + 2)
  } else if (length === 127) {
    from += 8
    if (bytes.length < from) return null
    length = Number(bytes.readBigUInt64BE(at + 2))
  }
  const to = from + length
  return to > bytes.length ? null : { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, from, to }
}

/** Splits what comes into texts. */
class Texts {
  readonly #take: (text: string) => void
  #rest: Buffer | null = null
  #begun: string | null = null

  constructor(take: (text: string) => void) {
    this.#take = take
  }

  /** @returns whether the server wants to close */
  add(chunk: Buffer): boolean {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    for (let frame = frameAt(bytes, at); frame !== null; frame = frameAt(bytes, at)) {
      at = frame.to
      if (frame.opcode === CLOSE) return true
      if (frame.opcode !== TEXT && frame.opcode !== CONTINUATION) continue
      const text = (this.#begun ?? '') + bytes.toString('utf8', frame.from, frame.to)
      this.#begun = frame.isLast ? null : text
      if (frame.isLast) this.#take(text)
    }
    this.#rest = at === bytes.length ? null : bytes.subarray(at)
    return false
  }
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * Connects to a server of this machine. `onText` gets every text; `onClose` is called when it was the server that
 * closed. @throws Error when the server refuses
 */
export function openSocket(
  { port, path }: { readonly port: number; readonly path: string },
  onText: (text: string, socket: RawSocket) => void,
  onClose: () => void,
): Promise<RawSocket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const raw: RawSocket = { send: frame => void socket.write(frame), destroy: () => void socket.destroy() }
    const texts = new Texts(text => onText(text, raw))
    const take = (chunk: Buffer): void => {
      if (texts.add(chunk)) socket.end()
    }
    let head: Buffer | null = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      if (head === null) {
        take(chunk)
        return
      }
      head = Buffer.concat([head, chunk])
      const end = head.indexOf(END_OF_HEAD)
      if (end === -1) return
      const answer = head.toString('latin1', 0, end)
      if (!answer.startsWith('HTTP/1.1 101 ')) {
        reject(new Error(`The server refused a socket: ${answer}`))
        socket.destroy()
        return
      }
      const rest = head.subarray(end + END_OF_HEAD.length)
      head = null
      resolve(raw)
      if (rest.length > 0) take(rest)
    })
    socket.on('error', reject)
    socket.on('end', onClose)
    socket.write(
      [
        `GET ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        END_OF_HEAD,
      ]
        .join('\r\n')
        .replace(/(\r\n)+$/, END_OF_HEAD),
    )
  })
}
