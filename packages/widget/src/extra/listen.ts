import { browserStorage, type MessagingSocket, type MessagingStorage } from '@colloquy/client/messaging'
import { memory as ownMemory } from '../chat/device.ts'
import { countInTitle, ring } from '../chat/more/device.ts'
import type { Frame } from '../launcher/part.ts'
import { wordsOf } from './words.ts'

/** Pauses between attempts: doubled each time, milliseconds. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Connections that never opened in a row, after which the page waits for its next visit. */
const MOST_FAILURES = 6

/** After as many in a row streams take their place, as in the chat (VC27), for so long on this device, milliseconds. */
const STREAMS_AFTER = 3
const STREAMS_FOR = 3_600_000

/** How often the server is told that the page is there, milliseconds. */
const BEAT = 30_000

interface ServerEvent {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
}

const parse = (json: unknown): unknown => {
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

/** The session that the device holds of whoever the page says the visitor is; null for none. */
async function storedSession({ options }: Frame, storage: MessagingStorage) {
  const { identity = null, 'no-sockets': until, session } = await storage.read()
  const { id, token } = Object(parse(session))
  const value = Object(token).value
  if (typeof id !== 'string' || typeof value !== 'string' || identity !== (options.identity ?? null))
    return null
  return { id, value, overStreams: Number(until) > Date.now() }
}

/**
 * Follows the session that the device holds, so that who closed the chat and went on to another page is told of what
 * was said there, and is not taken for gone. One page of the device does: the one that was looked at last.
 * Where the chat is in a frame, the frame listens.
 *
 * @param signal ends it
 */
export async function listen(frame: Frame, signal: AbortSignal): Promise<void> {
  const { framedBy, host, name, options, unread: show } = frame
  const storage = options.storage ?? browserStorage({ name })
  const session = await storedSession(frame, storage).catch(() => null)
  if (session === null) return
  const memory = framedBy?.memory ?? ownMemory
  const { path = '/ws', server } = options
  const address = new URL(path.replace(/^\//, ''), server.endsWith('/') ? server : `${server}/`)
  address.protocol = address.protocol.replace('http', 'ws')
  address.searchParams.set('session_id', session.id)
  address.searchParams.set('access_token', session.value)
  if (framedBy) address.searchParams.set('host', framedBy.pageHost)
  const words = wordsOf(host.lang).unread
  let { overStreams } = session

  async function open(): Promise<MessagingSocket> {
    if (options.openSocket) return options.openSocket(address.href)
    if (!overStreams) return new WebSocket(address)
    const streams = await import('@colloquy/client/sse')
    return streams.overStreams({ server })(address.href)
  }

  /** One socket after the other, until the signal, the session's end, or too many that did not open. */
  function follow(until: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      let failures = 0
      let timer: ReturnType<typeof setTimeout> | undefined
      let close = (): void => {}
      const end = (): void => {
        if (options.countInTitle) countInTitle(0)
        clearTimeout(timer)
        close()
        resolve()
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
        let before: number | null = null
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
          if (failures >= STREAMS_AFTER) void storage.write('no-sockets', String(Date.now() + STREAMS_FOR))
          failures = 0
          beats ??= setInterval(beat, BEAT)
          for (const { payload, type } of eventsOf(data)) {
            if (/_AGENT_MESSAGE(_CHUNK)?$/.test(type) && payload.is_complete !== false)
              said.add(payload.message_id)
            if (type.endsWith('_IDLE_WARNING')) beat()
            if (type.endsWith('_SESSION_END')) return end()
          }
          const unread = Math.max(0, said.size - Number(memory.read(`${name}.seen`)))
          show(unread, words.replace('{n}', String(unread)))
          if (options.countInTitle) countInTitle(unread)
          if (options.sound && before !== null && unread > before) ring()
          before = unread
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
  }

  async function inFrame(until: AbortSignal): Promise<void> {
    const { startChat } = await import('../frame/page.ts')
    const part = await startChat({ ...frame, listens: true })
    await new Promise(resolve => {
      until.addEventListener('abort', resolve)
      if (until.aborted) resolve(null)
    })
    part.destroy()
  }

  const listenUntil = options.frame ? inFrame : follow
  const { locks } = navigator
  // Pages over plain HTTP have no locks: each of them listens. Of a frame the page has the lock.
  if (locks === undefined || framedBy) return listenUntil(signal)
  function takeOver(): void {
    if (document.hidden || signal.aborted) return
    const mine = new AbortController()
    signal.addEventListener('abort', () => mine.abort())
    locks
      .request(`${name}.listens`, { steal: true }, () => listenUntil(mine.signal))
      // Another page listens now.
      .catch(() => mine.abort())
  }
  document.addEventListener('visibilitychange', takeOver, { signal })
  takeOver()
}
