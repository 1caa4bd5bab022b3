import type { MessagingSocket } from '@colloquy/client/messaging'

/** Pauses between attempts: doubled each time, milliseconds. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Connections that never opened in a row, after which the page waits for its next visit. */
const MOST_FAILURES = 6

/** After as many in a row streams take their place, as in the chat (VC21). */
const STREAMS_AFTER = 3

/** Interval at which the page tells the server that it is open, milliseconds. */
const BEAT = 30_000

/** The session that is followed: plain data, which a page can give its frame. */
export interface Followed {
  readonly server: string
  readonly path: string
  readonly id: string
  readonly token: string
  /** Whether sockets failed recently. */
  readonly overStreams: boolean
}

/** Callbacks for events of a followed session. */
export interface Hears {
  /** The number of agents' messages so far. */
  said(count: number): void
  /** Streams get through where sockets do not. */
  streamsWork(): void
}

/** Follows a session, until the signal, its end, or too many connections that did not open. */
export type Follow = (session: Followed, hears: Hears, until: AbortSignal) => Promise<void>

interface ServerEvent {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Parses JSON. Returns null if it is invalid. */
export const parse = (json: unknown): unknown => {
  try {
    return JSON.parse(String(json))
  } catch {
    return null
  }
}

function eventsOf(json: unknown): readonly ServerEvent[] {
  const frame = Object(parse(json))
  const events: unknown = Object(frame.payload).events
  return (Array.isArray(events) ? events : [frame])
    .map(Object)
    .map(({ payload, type }) => ({ type: String(type), payload: Object(payload) }))
}

/** Returns the URL of the session's socket. In a frame, it includes the host of the surrounding page. */
function addressOf({ id, path, server, token }: Followed, host: string | null): URL {
  const address = new URL(path.replace(/^\//, ''), server.endsWith('/') ? server : `${server}/`)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('session_id', id)
  address.searchParams.set('access_token', token)
  if (host) address.searchParams.set('host', host)
  return address
}

/** Follows over one socket after the other, with the browser's or what opens them in its place. */
export const over =
  (host: string | null, openSocket?: (url: string) => MessagingSocket | Promise<MessagingSocket>): Follow =>
  (session, hears, until) =>
    new Promise(resolve => {
      const address = addressOf(session, host)
      let { overStreams } = session
      let failures = 0
      let timer: ReturnType<typeof setTimeout> | undefined
      let close = (): void => {}
      const end = (): void => {
        clearTimeout(timer)
        close()
        resolve()
      }
      async function open(): Promise<MessagingSocket> {
        if (openSocket) return openSocket(address.href)
        if (!overStreams) return new WebSocket(address)
        const streams = await import('@colloquy/client/sse')
        return streams.overStreams(session)(address.href)
      }
      function tryAgain(): void {
        failures += 1
        if (failures === STREAMS_AFTER) overStreams = true
        if (failures >= MOST_FAILURES) {
          end()
          return
        }
        const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures)
        timer = setTimeout(connect, pause * (0.5 + Math.random() / 2))
      }
      const connect = (): void => void open().then(hear, tryAgain)
      function hear(socket: MessagingSocket): void {
        if (until.aborted) {
          socket.close(1000)
          return
        }
        const said = new Set<unknown>()
        let isDone = false
        const beat = (): void => socket.send('{"type":"EVENT_TYPE_HEARTBEAT","payload":{}}')
        let beats: ReturnType<typeof setInterval> | undefined
        close = () => {
          isDone = true
          clearInterval(beats)
          socket.close(1000)
        }
        socket.addEventListener('message', ({ data }) => {
          if (isDone) return
          if (failures >= STREAMS_AFTER) hears.streamsWork()
          failures = 0
          beats ??= setInterval(beat, BEAT)
          for (const { payload, type } of eventsOf(data)) {
            if (/_AGENT_MESSAGE(_CHUNK)?$/.test(type) && payload.is_complete !== false)
              said.add(payload.message_id)
            if (type.endsWith('_IDLE_WARNING')) beat()
            if (type.endsWith('_SESSION_END')) return end()
          }
          hears.said(said.size)
        })
        socket.addEventListener('close', () => {
          clearInterval(beats)
          if (!isDone) tryAgain()
        })
      }
      if (until.aborted) return end()
      until.addEventListener('abort', end)
      connect()
    })
