import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { createInbox, type Inbox, readEvent, type ServerEvent } from './inbox.ts'
import { at, listAt, textAt } from './json.ts'

/** What a visitor's client must be told. */
export interface VisitorOptions {
  /** The server's http address. */
  readonly url: string
  readonly sessionId: string
  readonly accessToken: string
  /** Told of connections and losses, and of what the server says is wrong, in a person's words. */
  readonly onStatus?: (status: string) => void
}

/**
 * A visitor's end of a session. It reconnects by itself after a loss, from the last event it has, sends again what was
 * not echoed, and takes every event once.
 */
export interface Visitor extends Pick<Inbox, 'journal' | 'next'> {
  /** Sends an event, as soon as there is a connection. Sent again after a loss, it takes effect once. */
  send(type: string, payload?: Readonly<Record<string, unknown>>): void
  /** Resolves with the code with which the server closed the session for good. */
  readonly closed: Promise<number>
  /** Lets go of the connection; the session goes on without it. */
  stop(): void
}

/** Pauses between attempts to connect, milliseconds: doubled each time up to the longest. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2_000

/** Close codes after which there is no way back: ended, unknown, too large. */
const FINAL_CODES = [1000, 4001, 1009]

/** Refusals of a handshake after which there is no way back. */
const FINAL_STATUSES = [400, 401, 403, 404]

/** What has been sent and not yet come back; kept until it has. */
interface Outbox {
  add(type: string, payload: Readonly<Record<string, unknown>>): string
  echoed(event: ServerEvent): void
  readonly frames: () => Iterable<string>
}

function createOutbox(): Outbox {
  const frames = new Map<string, string>()
  return {
    add(type, payload) {
      // The server takes an event of that id once, however often it is sent.
      const id = randomUUID()
      const frame = JSON.stringify({ type, payload, metadata: { custom: { client_event_id: id } } })
      frames.set(id, frame)
      return frame
    },
    echoed({ metadata }) {
      const id = at(metadata, 'custom.client_event_id')
      if (typeof id === 'string') frames.delete(id)
    },
    frames: () => frames.values(),
  }
}

/** One connection, from its handshake to its loss. */
interface Socket {
  /** Called with the close code, or with the reason for which there is no way back. */
  readonly onLost: (code: number, refusal: string | null) => void
  readonly onFrame: (text: string) => void
}

function openSocket(address: URL, { onLost, onFrame }: Socket): WebSocket {
  const socket = new WebSocket(address)
  let refusal: string | null = null
  socket.on('message', data => onFrame(String(data)))
  // A refused or broken connection is followed by `close`, which decides.
  socket.on('error', () => {})
  socket.on('unexpected-response', (_, response) => {
    const status = response.statusCode ?? 0
    if (FINAL_STATUSES.includes(status)) refusal = `the server refused the handshake with ${status}`
    response.resume()
    socket.terminate()
  })
  socket.on('close', code => onLost(code, refusal))
  return socket
}

function addressOf({ url, sessionId, accessToken }: VisitorOptions, cursor: number): URL {
  const address = new URL('/ws', url.replace(/^http/, 'ws'))
  address.searchParams.set('session_id', sessionId)
  address.searchParams.set('access_token', accessToken)
  if (cursor > 0) address.searchParams.set('cursor', String(cursor))
  return address
}

/**
 * Connects a visitor to a session. Long, because connecting, losing and coming back share one cursor and one outbox.
 */
export function connectVisitor(options: VisitorOptions): Visitor {
  const { onStatus = () => {} } = options
  const inbox = createInbox()
  const outbox = createOutbox()
  let socket: WebSocket | null = null
  let caughtUp = false
  let over = false
  let pause = FIRST_PAUSE
  let finish = (_: number): void => {}
  const closed = new Promise<number>(resolve => {
    finish = resolve
  })

  const giveUp = (reason: string): void => {
    over = true
    inbox.end(reason)
    socket?.terminate()
  }

  /** What the server did not understand, or could not do. */
  const tellError = ({ type, payload }: ServerEvent): void => {
    if (type !== 'EVENT_TYPE_SYSTEM_MESSAGE' || at(payload, 'level') !== 'SYSTEM_MESSAGE_LEVEL_ERROR') return
    onStatus(`the server says: ${textAt(payload, 'message')}`)
  }

  const onFrame = (text: string): void => {
    try {
      const frame = readEvent(JSON.parse(text))
      const batch = frame.type === 'EVENT_TYPE_EVENT_BATCH'
      const events = batch ? listAt(frame.payload, 'events').map(readEvent) : [frame]
      for (const event of events) {
        if (!inbox.take(event)) continue
        outbox.echoed(event)
        tellError(event)
      }
      if (batch && !caughtUp) goOn()
    } catch (error) {
      giveUp(error instanceof Error ? error.message : String(error))
    }
  }

  /** After the replay, which says what had arrived of what was sent. */
  const goOn = (): void => {
    caughtUp = true
    pause = FIRST_PAUSE
    onStatus(`connected, ${inbox.journal.length} events so far`)
    for (const frame of outbox.frames()) socket?.send(frame)
  }

  const onLost = (code: number, refusal: string | null): void => {
    if (over) return
    if (refusal !== null) {
      giveUp(refusal)
      return
    }
    if (FINAL_CODES.includes(code)) {
      finish(code)
      giveUp(`the session was closed with ${code}`)
      return
    }
    if (caughtUp) onStatus(`connection lost (${code}), connecting again`)
    caughtUp = false
    setTimeout(connect, pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }

  function connect(): void {
    if (!over) socket = openSocket(addressOf(options, inbox.journal.length), { onFrame, onLost })
  }

  connect()
  return {
    journal: inbox.journal,
    next: inbox.next,
    closed,
    send(type, payload = {}) {
      const frame = outbox.add(type, payload)
      if (caughtUp) socket?.send(frame)
    },
    stop() {
      over = true
      inbox.end('the visitor left')
      socket?.close()
    },
  }
}
