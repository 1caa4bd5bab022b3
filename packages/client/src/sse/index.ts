import { addressBelow } from '../messaging/connector-token.ts'
import { fieldsOf, number, text } from '../messaging/fields.ts'
import type { MessagingSocket, OpenSocket, SocketEvent } from '../messaging/ports.ts'
import { createPartReader } from './parts.ts'
import type { StreamAnswer, StreamFetch } from './ports.ts'
import { createPosts } from './posts.ts'

export { eventsOf } from './events.ts'
export type { StreamPart } from './parts.ts'
export type { StreamAnswer, StreamBody, StreamFetch } from './ports.ts'

/** Options for opening streams. */
export interface StreamOptions {
  /** The server's address, as the client is given it. */
  readonly server: string
  /** @default globalThis.fetch */
  readonly fetch?: StreamFetch
}

type Refuse = (request: object, answer: { statusCode: number; headers: Record<string, string> }) => void

/** An unreachable server, or a stream that broke off. */
const BROKEN = 1006

const parse = (json: string): Readonly<Record<string, unknown>> => {
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    return fieldsOf(null)
  }
}

/**
 * Opens a stream of events, with requests beside it, in the shape of a socket (ES1, ES7; VC21). Long because both sides
 * end it in the same way.
 */
function openStream(url: string, { server, fetch = globalThis.fetch }: StreamOptions): MessagingSocket {
  const { searchParams: query } = new URL(url)
  const session = addressBelow(
    server,
    `api/v1/sessions/${encodeURIComponent(query.get('session_id') ?? '')}/`,
  )
  // The header, not the address: addresses are kept in logs.
  const headers = { authorization: `Bearer ${query.get('access_token') ?? ''}` }
  const listeners: { type: string; tell: (event: SocketEvent) => void }[] = []
  let refuse: Refuse = () => {}
  const controller = new AbortController()
  let isOver = false

  const tell = (event: SocketEvent): void => {
    for (const listener of listeners) if (listener.type === event.type) listener.tell(event)
  }
  function end(code: number): void {
    if (isOver) return
    isOver = true
    controller.abort()
    tell({ type: 'close', code })
  }
  const posts = createPosts(
    fetch,
    `${session}events`,
    { ...headers, 'content-type': 'application/json' },
    end,
  )

  async function read(body: StreamAnswer['body']): Promise<void> {
    const reader = body?.getReader()
    const decoder = new TextDecoder()
    const partsOf = createPartReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || isOver) return
      for (const { name, data } of partsOf(decoder.decode(value, { stream: true }))) {
        if (name === 'message') tell({ type: 'message', data })
        else if (name === 'open') posts.begin(text(parse(data), 'stream'))
        else if (name === 'close') end(number(parse(data), 'code') ?? BROKEN)
      }
    }
  }

  async function run(): Promise<void> {
    const asked = new URLSearchParams(
      [...query].filter(([name]) => name === 'cursor' || name === 'host'),
    ).toString()
    const { signal } = controller
    const answer = await fetch(`${session}stream${asked && `?${asked}`}`, { method: 'GET', headers, signal })
    if (answer.ok) await read(answer.body)
    else {
      const retryAfter = answer.headers.get('retry-after')
      const told = retryAfter === null ? {} : { 'retry-after': retryAfter }
      refuse({}, { statusCode: answer.status, headers: told })
    }
  }
  run().then(
    () => end(BROKEN),
    () => end(BROKEN),
  )

  const socket: MessagingSocket & { on(type: string, listener: Refuse): void } = {
    send: frame => posts.send(frame),
    // Frames sent earlier still go out, as on a socket.
    close: () => end(1000),
    addEventListener: (type, listener) => void listeners.push({ type, tell: listener }),
    on(type, listener) {
      if (type === 'unexpected-response') refuse = listener
    },
  }
  return socket
}

/**
 * Lets a client talk without sockets: the option `openSocket` of `createMessaging` (VC21). For pages, proxies and
 * platforms that allow no WebSocket.
 */
export const overStreams =
  (options: StreamOptions): OpenSocket =>
  url =>
    openStream(url, options)
