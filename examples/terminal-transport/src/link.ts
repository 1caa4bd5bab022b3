import type { Writable } from 'node:stream'
import type { ConversationId } from '@colloquy/core'
import {
  CLOSE_CODES,
  CLOSE_TEXTS,
  type Connection,
  type HandshakeRefusal,
  type Messaging,
} from '@colloquy/core/transport'

/** The session that a link is for, and what its client has of it. */
export interface LinkTarget {
  readonly sessionId: ConversationId
  readonly accessToken: string
  /** The sequence of the newest event that the client has; 0 for nothing. */
  readonly cursor: number
}

/** Callbacks of a link to its client. */
export interface LinkEvents {
  /** A text frame of the platform, in order. */
  onFrame(frame: string): void
  /** The link is gone, for one of the reasons of `CLOSE_CODES`. Called once, and not after `drop`. */
  onClosed(code: number, reason: string): void
}

/** One connection of a terminal to a session. */
export interface Link {
  /** Hands a frame to the platform. Resolves when the next one may be sent. A link that is gone takes nothing. */
  send(frame: string): Promise<void>
  /** Resolves when everything sent so far was handled. */
  settled(): Promise<void>
  /** Lets go of the connection; the session goes on without it. */
  drop(): void
}

/** Most bytes that may wait to be written to a slow terminal, in addition to the newest frame. */
const MAX_BUFFERED_BYTES = 1_048_576

/**
 * A transport: joins a terminal's output to the platform's side of a connection. What a socket does for `ws-transport`,
 * the stream does here: it says how much waits to be written, and when that is gone (TT3).
 *
 * @param output where the client shows its frames
 */
export async function openLink(
  messaging: Pick<Messaging, 'handshake'>,
  target: LinkTarget,
  output: Writable,
  events: LinkEvents,
): Promise<Link | HandshakeRefusal> {
  const { sessionId, accessToken, cursor } = target
  const handshake = await messaging.handshake({ sessionId, accessToken, cursor: String(cursor) })
  if ('status' in handshake) return handshake
  let connection: Connection | null = null
  let gone = false

  const leave = (): void => {
    gone = true
    connection?.closed()
  }
  const close = (code: number, reason: string): void => {
    if (gone) return
    leave()
    events.onClosed(code, reason)
  }

  const opened = handshake.open({
    send(frame) {
      if (gone) return
      if (output.writableLength > MAX_BUFFERED_BYTES) close(CLOSE_CODES.too_slow, CLOSE_TEXTS.too_slow)
      else events.onFrame(frame)
    },
    close,
    drained: () => drained(output),
  })
  connection = opened
  return {
    async send(frame) {
      if (gone || opened.receive(frame)) return
      await opened.settled()
      await drained(output)
    },
    settled: () => opened.settled(),
    drop: leave,
  }
}

/** Resolves when little waits to be written, or the reader is gone. */
function drained(output: Writable): Promise<void> {
  if (output.destroyed || !output.writableNeedDrain) return Promise.resolve()
  return new Promise(resolve => {
    const done = (): void => {
      output.off('drain', done).off('close', done)
      resolve()
    }
    output.on('drain', done).on('close', done)
  })
}
