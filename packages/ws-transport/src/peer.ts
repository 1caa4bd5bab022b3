import type { Duplex } from 'node:stream'
import { CLOSE_CODES, CLOSE_TEXTS, type Connection, type ConnectionPort } from '@colloquy/core/transport'
import type { WebSocket } from 'ws'
import type { Cork } from './cork.ts'

/** What every socket of an endpoint shares. */
export interface PeerParts {
  readonly cork: Cork
  readonly encode: (text: string) => Buffer
  readonly maxBufferedBytes: number
  readonly onError: (error: unknown, where: string) => void
}

/** A socket, open. */
export interface Peer {
  /** Asks a silent peer for a sign of life, or drops it when it has not answered the last time. */
  probe(): void
  close(code: number, reason: string): void
  terminate(): void
  /** Resolves when the socket is gone and everything it sent was handled. */
  readonly gone: Promise<void>
}

/** The platform's side of a socket. */
export type PeerConnection = Omit<Connection, 'id'>

/**
 * Joins a socket to the platform's side of its connection. Frames go out past `ws`, whole and in order, so that one
 * encoded frame serves every socket it goes to; `ws` reads, answers pings and closes. Both write to the same stream, so
 * nothing overtakes.
 */
export function createPeer(
  parts: PeerParts,
  open: (port: ConnectionPort) => PeerConnection,
  ws: WebSocket,
  stream: Duplex,
): Peer {
  let alive = true
  let closeSocket = (): void => {}
  const socketClosed = new Promise<void>(resolve => {
    closeSocket = resolve
  })

  const connection = open({
    send(text) {
      if (ws.readyState !== ws.OPEN) return
      if (stream.writableLength > parts.maxBufferedBytes) {
        ws.close(CLOSE_CODES.too_slow, CLOSE_TEXTS.too_slow)
        return
      }
      parts.cork.hold(stream)
      stream.write(parts.encode(text))
    },
    close: (code, reason) => ws.close(code, reason),
    drained: () => drained(stream),
  })

  ws.on('message', (data, isBinary) => {
    alive = true
    // All frames are text: a binary one cannot be read, like an empty one, and is answered as such.
    const text = isBinary || !Buffer.isBuffer(data) ? '' : data.toString()
    read(parts, connection, { ws, stream }, text)
  })
  ws.on('pong', () => {
    alive = true
  })
  // What went wrong is answered by ws with its own close code; `close` follows in every case.
  ws.on('error', () => {})
  ws.on('close', () => {
    connection.closed()
    closeSocket()
  })

  return {
    probe() {
      if (!alive) {
        ws.terminate()
        return
      }
      alive = false
      if (ws.readyState === ws.OPEN) ws.ping()
    },
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
    gone: socketClosed.then(() => connection.settled()),
  }
}

/**
 * Hands a frame over. Stops reading from the socket while too many frames wait, and while half the buffer is full: a
 * client that sends faster than it reads what comes of it is made to wait, not closed.
 */
function read(
  parts: PeerParts,
  connection: PeerConnection,
  { ws, stream }: { readonly ws: WebSocket; readonly stream: Duplex },
  text: string,
): void {
  const ready = connection.receive(text) && stream.writableLength <= parts.maxBufferedBytes / 2
  if (ready || ws.isPaused) return
  ws.pause()
  connection
    .settled()
    .then(() => drained(stream))
    .catch(error => parts.onError(error, 'socket'))
    .finally(() => ws.resume())
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
