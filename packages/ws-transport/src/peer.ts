import type { Duplex } from 'node:stream'
import { CLOSE_CODES, CLOSE_TEXTS, type Connection, type ConnectionPort } from '@colloquy/core/transport'
import { type RawData, WebSocket } from 'ws'
import type { Cork, Line } from './cork.ts'
import { encodeBytes } from './frame.ts'

/** The close of a peer that does not answer pings. It may still read. */
export interface SilentClose {
  readonly code: number
  readonly reason: string
}

/** Parts that all sockets of an endpoint share. */
export interface PeerParts {
  readonly cork: Cork
  readonly encode: (text: string) => Buffer
  readonly maxBufferedBytes: number
  readonly silent: SilentClose | null
  readonly onError: (error: unknown, where: string) => void
  /** Called when a socket is gone and everything that it sent was handled. */
  left(peer: Peer): void
}

/** The platform's side of a socket. */
export interface PeerConnection extends Omit<Connection, 'id' | 'refresh'> {
  /** Takes a binary frame, as `receive` takes text. @default it is treated like an empty one, which is invalid */
  receiveBytes?(bytes: Uint8Array): boolean
}

/** A socket that carries bytes as well. */
export interface PeerPort extends ConnectionPort {
  /** Sends one binary frame, behind all that was sent before. */
  sendBytes(bytes: Uint8Array): void
}

/** A socket of an endpoint. It knows its peer, so that all sockets share the same listeners. */
export class PeerSocket extends WebSocket {
  peer: Peer | null = null
}

const peerOf = (ws: WebSocket): Peer | null => (ws instanceof PeerSocket ? ws.peer : null)

function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const peer = peerOf(this)
  if (peer?.deaf !== false) return
  if (!isBinary && Buffer.isBuffer(data)) peer.receive(data.toString())
  else peer.receiveBytes(Buffer.isBuffer(data) ? data : null)
}

/** The answer to a ping waits for a client that does not read, like all else. */
function onPing(this: WebSocket): void {
  peerOf(this)?.pinged()
}

function onPong(this: WebSocket): void {
  peerOf(this)?.answered()
}

function onClose(this: WebSocket): void {
  peerOf(this)?.closed()
}

/** Ignores errors: ws answers them with its own close code, and `close` follows in every case. */
function onError(): void {}

/**
 * An open socket, joined to the platform's side of its connection. Frames go out past `ws`, whole and in order, so that
 * one encoded frame serves every socket it goes to; `ws` reads, answers pings and closes. Both write to the same
 * stream, so nothing overtakes. A class without functions of its own, because a server holds many idle ones.
 */
export class Peer implements PeerPort {
  readonly #parts: PeerParts
  readonly #ws: PeerSocket
  readonly #line: Line
  readonly #connection: PeerConnection
  #alive = true
  #closed = false
  /** Its client goes on sending what nobody reads: no time is spent on it while the socket closes (MS92). */
  deaf = false
  /** Called when the socket closes. */
  #waiting: (() => void) | null = null

  constructor(parts: PeerParts, open: (port: PeerPort) => PeerConnection, ws: PeerSocket, line: Line) {
    this.#parts = parts
    this.#ws = ws
    this.#line = line
    this.#connection = open(this)
    ws.peer = this
    ws.on('message', onMessage)
      .on('ping', onPing)
      .on('pong', onPong)
      .on('error', onError)
      .on('close', onClose)
  }

  send(text: string, _cursor?: number, soon = false): void {
    this.#write(text, soon)
  }

  sendBytes(bytes: Uint8Array): void {
    this.#write(bytes, false)
  }

  #write(data: string | Uint8Array, soon: boolean): void {
    const { cork, encode, maxBufferedBytes } = this.#parts
    if (this.#ws.readyState !== WebSocket.OPEN) return
    const { socket } = this.#line
    if (socket.writableLength > maxBufferedBytes) {
      this.#ws.close(CLOSE_CODES.too_slow, CLOSE_TEXTS.too_slow)
      return
    }
    cork.hold(this.#line, soon)
    socket.write(typeof data === 'string' ? encode(data) : encodeBytes(data))
  }

  close(code: number, reason: string): void {
    this.deaf ||= code === CLOSE_CODES.flooding
    this.#ws.close(code, reason)
  }

  drained(): Promise<void> {
    return drained(this.#line.socket)
  }

  /** Pings a peer, or drops it if it has not answered the last ping. */
  probe(): void {
    if (!this.#alive) {
      // Timers come before reads: an answer that is there, or is being written, counts (TM6).
      setImmediate(setImmediate, () => this.#dropSilent())
      return
    }
    this.#alive = false
    if (this.#ws.readyState === WebSocket.OPEN) this.#ws.ping()
  }

  #dropSilent(): void {
    if (this.#alive) return
    const { silent } = this.#parts
    if (silent === null || this.#ws.readyState !== WebSocket.OPEN) this.#ws.terminate()
    else this.#ws.close(silent.code, silent.reason)
  }

  terminate(): void {
    this.#ws.terminate()
  }

  answered(): void {
    this.#alive = true
  }

  /** Ends a connection whose client asks for more signs of life than it reads. */
  pinged(): void {
    if (this.#line.socket.writableLength > this.#parts.maxBufferedBytes) this.#ws.terminate()
  }

  /**
   * Passes a frame on. Stops reading from the socket while too many frames wait, and while half the buffer is full: a
   * client that sends faster than it reads the responses is made to wait, not closed.
   */
  receive(text: string): void {
    this.#taken(this.#connection.receive(text))
  }

  /** @param bytes null for a frame in parts, which is never asked for */
  receiveBytes(bytes: Uint8Array | null): void {
    const taken = bytes === null ? undefined : this.#connection.receiveBytes?.(bytes)
    this.#taken(taken ?? this.#connection.receive(''))
  }

  #taken(isReady: boolean): void {
    this.#alive = true
    const { maxBufferedBytes } = this.#parts
    const ready = isReady && this.#line.socket.writableLength <= maxBufferedBytes / 2
    if (ready || this.#ws.isPaused) return
    this.#ws.pause()
    this.#connection
      .settled()
      .then(() => drained(this.#line.socket))
      .catch(error => this.#parts.onError(error, 'socket'))
      .finally(() => this.#ws.resume())
  }

  closed(): void {
    this.#closed = true
    this.#connection.closed()
    this.#waiting?.()
    const left = (): void => this.#parts.left(this)
    this.#connection.settled().then(left, left)
  }

  /** Resolves when the socket is gone and everything it sent was handled. Asked once, by an endpoint that closes. */
  async gone(): Promise<void> {
    if (!this.#closed)
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    await this.#connection.settled()
  }
}

/** Node signals `drain` only after a write that was asked to wait. */
function drained(stream: Duplex): Promise<void> {
  if (stream.destroyed || !stream.writableNeedDrain) return Promise.resolve()
  return new Promise(resolve => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
