import { clientEventIdOf, createJournal, type Journal, readFrame } from '@colloquy/test-support/journal'
import type { Random } from '@colloquy/test-support/random'
import { createSignal, type Signal } from '@colloquy/test-support/signal'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** What a visitor has sent. */
export interface SentEvent {
  /** The client's own id of it. */
  readonly id: string
  readonly type: string
  /** Null for what is no message. */
  readonly text: string | null
}

/** A visitor whose server dies again and again. */
export interface StormVisitor extends Signal {
  readonly sessionId: string
  readonly streaming: boolean
  readonly journal: Journal
  /** Everything that was sent, each once, in order. */
  readonly sent: readonly SentEvent[]
  /** How often it was connected, how many events it sent once more, and how many the server could not take. */
  readonly counts: { readonly connections: number; readonly resends: number; readonly refused: number }
  /** Sends an event as soon as there is a connection, and again over each later one until it is echoed. */
  send(type: string, text?: string): void
  /** True while there is a connection whose first batch has come. */
  readonly connected: boolean
  /** What is in the log, and of which the server has said that it failed. */
  readonly failed: readonly SentEvent[]
  /** How many stated failures named none of what was sent: of what came from outside. */
  readonly failedResults: number
  /** True once the server has closed the session for good, or knows it no more. */
  readonly over: boolean
  /** What the server said when it refused a connection. */
  readonly refusal: string
  /** Lets go of the connection, for good; also when the test is over. */
  stop(): void
}

/** What a visitor is given. */
export interface StormVisitorOptions {
  readonly url: string
  readonly name: string
  readonly sessionId: string
  readonly accessToken: string
  readonly streaming: boolean
  readonly random: Random
  /** Told of each frame that came, but for heartbeats. */
  readonly onFrame: () => void
}

/** Pause before the next attempt to connect, milliseconds: twice as long after each that fails, as clients of the field do. */
const PAUSE = { first: 50, longest: 3_200 } as const

/** How long a visitor hesitates before what the server could not take is sent again, milliseconds. */
const HESITATION = 500

/** How often a connection is asked for a sign of life, milliseconds. */
const HEARTBEAT = 5_000

/** How long a connection may take to stand, milliseconds: on a busy machine 200 come at once. */
const HANDSHAKE = 15_000

/**
 * How often it sends the heartbeat that the contract asks of clients, milliseconds: the server then looks for what it
 * was not told of (MS15).
 */
const SIGN_OF_LIFE = 30_000
const HEARTBEAT_FRAME = JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {} })

/**
 * Connects a visitor; it comes back by itself, from the last event that it has. Not the client of the project: that one
 * is patient, and waits to be told what has arrived before it sends again.
 */
export function connectStormVisitor(options: StormVisitorOptions): StormVisitor {
  const { name, random, sessionId, streaming } = options
  const journal = createJournal()
  const signal = createSignal()
  const outbox = new Map<string, string>()
  const delivered = new Set<string>()
  const sent: SentEvent[] = []
  const counts = { connections: 0, resends: 0, refused: 0 }
  let socket: WebSocket | null = null
  let pause: number = PAUSE.first
  let resent = new Set<string>()
  let ready = false
  let over = false
  let refusal = ''
  let stopped = false

  const emptyOutbox = (): void => {
    ready = true
    for (const [id, frame] of outbox) {
      if (delivered.has(id)) {
        counts.resends += 1
        resent.add(id)
      }
      delivered.add(id)
      socket?.send(frame)
    }
  }

  const onFrame = (text: string): void => {
    const { events, batch } = readFrame(text)
    journal.takeFrame(text)
    for (const event of events) {
      journal.take(event, resent)
      const id = clientEventIdOf(event)
      if (event.type === 'EVENT_TYPE_SYSTEM_MESSAGE') sendAgain(id ?? '')
      else if (id !== null) outbox.delete(id)
      if (event.type === 'EVENT_TYPE_SESSION_END') over = true
    }
    if (batch && !ready) emptyOutbox()
    // A heartbeat that comes back is no news.
    if (events.some(({ type }) => type !== 'EVENT_TYPE_HEARTBEAT')) options.onFrame()
    signal.changed()
  }

  const connect = (): void => {
    if (over || stopped) return
    const address = new URL('/ws', options.url.replace('http', 'ws'))
    address.searchParams.set('session_id', sessionId)
    address.searchParams.set('access_token', options.accessToken)
    if (journal.events.length > 0) address.searchParams.set('cursor', String(journal.events.length))
    const opened = new WebSocket(address, { handshakeTimeout: HANDSHAKE })
    let alive = true
    const signOfLife = setInterval(() => {
      if (opened.readyState === WebSocket.OPEN) opened.send(HEARTBEAT_FRAME)
    }, SIGN_OF_LIFE)
    const heartbeat = setInterval(() => {
      if (!alive) opened.terminate()
      else if (opened.readyState === WebSocket.OPEN) {
        alive = false
        opened.ping()
      }
    }, HEARTBEAT)
    opened.on('pong', () => {
      alive = true
    })
    socket = opened
    ready = false
    resent = new Set()
    opened.on('error', () => {})
    opened.on('unexpected-response', (_, response) => {
      // Ended while nobody was connected: there is nothing to come back to.
      if (response.statusCode === 404 || response.statusCode === 401) over = true
      response.setEncoding('utf8').on('data', text => {
        refusal += text
      })
      opened.terminate()
    })
    opened.on('open', () => {
      counts.connections += 1
      pause = PAUSE.first
      // An impatient client does not wait to be told what has arrived: the server has to know by itself.
      if (random.chance(0.5)) emptyOutbox()
    })
    opened.on('message', data => onFrame(String(data)))
    opened.on('close', () => {
      clearInterval(heartbeat)
      clearInterval(signOfLife)
      ready = false
      signal.changed()
      if (over) return
      setTimeout(connect, pause)
      pause = Math.min(pause * 2, PAUSE.longest)
    })
  }

  const stop = (): void => {
    stopped = true
    socket?.terminate()
  }

  onTestFinished(stop)
  connect()
  return {
    ...signal,
    sessionId,
    streaming,
    journal,
    sent,
    counts,
    get connected() {
      return ready
    },
    get failed() {
      return sent.filter(({ id }) => journal.failures.has(id) && !outbox.has(id))
    },
    get failedResults() {
      return journal.failures.has('') ? 1 : 0
    },
    get over() {
      return over
    },
    get refusal() {
      return refusal
    },
    send(type, text) {
      const id = `${name}-${sent.length + 1}`
      const payload = text === undefined ? {} : { text }
      sent.push({ id, type, text: text ?? null })
      outbox.set(id, JSON.stringify({ type, payload, metadata: { custom: { client_event_id: id, name } } }))
      if (ready) emptyOne(id)
    },
    stop,
  }

  /** What is in the log already has failed for good; what is not was refused for now. */
  function sendAgain(id: string): void {
    if (!outbox.has(id)) return
    counts.refused += 1
    setTimeout(() => {
      if (!ready || !outbox.has(id)) return
      resent.add(id)
      emptyOne(id)
    }, HESITATION)
  }

  function emptyOne(id: string): void {
    delivered.add(id)
    socket?.send(outbox.get(id) ?? '')
  }
}
