import { createApi } from '@colloquy/client/http'
import {
  createMessaging,
  type EndReason,
  type EventName,
  type Messaging,
  type ServerEvent,
  type Status,
} from '@colloquy/client/messaging'
import { WebSocket } from 'ws'
import { Failure } from './failure.ts'

/** Options of a visitor's client. */
export interface VisitorOptions {
  /** The server's http address. */
  readonly url: string
  readonly sessionId: string
  readonly accessToken: string
  /** The server's word in names of events. @default 'AI' */
  readonly brand?: string
  /** Told of connections and losses, and of what the server says is wrong, in a person's words. */
  readonly onStatus?: (status: string) => void
}

/** A visitor's end of a session that is open already, and all that came to it. */
export interface Visitor {
  /** Every event of the session's log so far, in order. */
  readonly journal: readonly ServerEvent[]
  /** The next event of that name, counted from the last one that was waited for. @throws Failure */
  next<Name extends EventName>(name: Name): Promise<ServerEvent<Name>>
  /** Asks for the agent. */
  join(): void
  say(text: string): void
  /** Ends the session. */
  end(): void
  /** Resolves when the session has ended. */
  ended(): Promise<EndReason>
  /** Lets go of the connection; the session goes on without it. */
  stop(): void
}

/** Longest wait for an event, milliseconds. */
const DEADLINE = 30_000

/** All names: an event is told to those who listen for its own. */
const NAMES: Readonly<Record<EventName, true>> = {
  SESSION_START: true,
  REQUEST_AI_AGENT_JOIN: true,
  USER_MESSAGE: true,
  USER_END_SESSION: true,
  AI_AGENT_JOINED: true,
  AI_AGENT_THINKING: true,
  AI_AGENT_MESSAGE: true,
  AI_AGENT_MESSAGE_CHUNK: true,
  AI_AGENT_TRIGGERED_HANDOFF: true,
  AI_AGENT_LEFT: true,
  HANDOFF_ACCEPTED: true,
  HANDOFF_QUEUE_STATUS: true,
  HANDOFF_FAILED: true,
  HANDOFF_TIMEOUT: true,
  CLIENT_HANDOFF_REQUIRED: true,
  LIVE_AGENT_JOINED: true,
  LIVE_AGENT_MESSAGE: true,
  LIVE_AGENT_TYPING: true,
  LIVE_AGENT_LEFT: true,
  LANGUAGE_CHANGED: true,
  SYSTEM_MESSAGE: true,
  SESSION_IDLE_WARNING: true,
  SESSION_END: true,
  HEARTBEAT: true,
  OTHER: true,
}

const isNamed = <Name extends EventName>(event: ServerEvent, name: Name): event is ServerEvent<Name> =>
  event.name === name

/** Connects to a session that was made already; a client makes another only to find out whether that one is gone. */
function clientOf({ url: server, brand = 'AI', sessionId, accessToken }: VisitorOptions): Messaging {
  let made = false
  return createMessaging({
    server,
    brand,
    // The quickstart waits for a server that is restarted by hand.
    maxAttempts: Number.POSITIVE_INFINITY,
    joins: false,
    getToken: async () => ({ accessToken, expiresIn: 0 }),
    async createSession() {
      if (!made) {
        made = true
        return sessionId
      }
      return (await createApi({ server, credentials: { accessToken } }).createSession({ body: {} }))
        .session_id
    },
    openSocket: address => new WebSocket(address),
  })
}

/** Connects a visitor, and keeps what comes. Long because all that is awaited looks at the one list of what came. */
export function connectVisitor(options: VisitorOptions): Visitor {
  const { onStatus = () => {} } = options
  const client = clientOf(options)
  const journal: ServerEvent[] = []
  const arrived: ServerEvent[] = []
  const looks = new Set<() => void>()
  let consumed = 0
  let stopped = false
  let status: Status = client.current.status

  function take(event: ServerEvent): void {
    // A chunk of a reply that goes on carries the sequence of an event before it.
    const isPart = isNamed(event, 'AI_AGENT_MESSAGE_CHUNK') && !event.payload.isComplete
    if (event.sequence !== null && !isPart) journal.push(event)
    if (isNamed(event, 'SYSTEM_MESSAGE') && event.payload.level === 'error')
      onStatus(`the server says: ${event.payload.message}`)
    arrived.push(event)
    for (const look of looks) look()
  }

  const over = (): string | null => {
    const { endReason, problem } = client.current
    if (stopped) return 'the visitor left'
    if (status === 'ended') return `the session has ended (${endReason})`
    return status === 'failed' ? `the server refused: ${problem?.status} ${problem?.message}` : null
  }

  function look(): void {
    if (client.current.status === status) return
    status = client.current.status
    if (status === 'open') onStatus(`connected, ${journal.length} events so far`)
    if (status === 'reconnecting') onStatus('connection lost, connecting again')
    for (const look of looks) look()
  }

  /** Resolves with what is found, as soon as it is; rejects when it cannot come any more, or does not for long. */
  const until = <Found>(what: string, find: () => Found | null): Promise<Found> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(late)
        looks.delete(look)
        act()
      }
      const look = (): void => {
        const [found, reason] = [find(), over()]
        if (found !== null) settle(() => resolve(found))
        else if (reason !== null) settle(() => reject(new Failure(`Waited for ${what}: ${reason}`)))
      }
      const late = setTimeout(() => {
        settle(() => reject(new Failure(`No ${what} within ${DEADLINE / 1000} s`)))
      }, DEADLINE)
      looks.add(look)
      look()
    })

  for (const name of Object.keys(NAMES) as EventName[]) client.on(name, take)
  client.subscribe(look)
  client.start()
  return {
    journal,
    next: <Name extends EventName>(name: Name) =>
      until(name, () => {
        const found = arrived.findIndex((event, index) => index >= consumed && event.name === name)
        const event = arrived[found]
        if (event === undefined || !isNamed(event, name)) return null
        consumed = found + 1
        return event
      }),
    join: client.join,
    say: client.send,
    end: client.end,
    ended: () =>
      until('the end of the session', () => (status === 'ended' ? client.current.endReason : null)),
    stop() {
      stopped = true
      client.destroy()
      for (const look of looks) look()
    },
  }
}
