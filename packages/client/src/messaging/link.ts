import { addressBelow } from './connector-token.ts'
import { fieldsOf } from './fields.ts'
import type { MessagingSocket, OpenSocket } from './ports.ts'
import { refusalOf, retryAfterOf } from './refused-error.ts'
import type { Refusal, Session } from './state.ts'

/** The listener of a socket, until the socket is dropped. */
export interface LinkListener {
  frame(json: string): void
  /** `problem` is a sentence where nothing else says why; empty otherwise. */
  closed(code: number, refusal: Refusal | null, problem: string): void
}

/** One socket, from its handshake to its end. */
export interface Link {
  send(frame: string): void
  /** Closes the socket. The listener gets nothing more. */
  release(): void
}

/** A refused handshake, as `ws` reports it. */
interface UpgradeAnswer {
  readonly statusCode?: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Target of a connection. */
interface Place {
  readonly session: Session
  readonly cursor: number
  readonly host: string | undefined
}

/** Returns the address of a session's socket, behind an event of its log. */
export function socketAddress(server: string, path: string, { session, cursor, host }: Place): string {
  const address = new URL(addressBelow(server, path.replace(/^\//, '')).replace(/^http/, 'ws'))
  address.searchParams.set('session_id', session.id)
  address.searchParams.set('access_token', session.token.value)
  if (cursor > 0) address.searchParams.set('cursor', String(cursor))
  if (host) address.searchParams.set('host', host)
  return address.href
}

/** Returns an address for people: the query holds the visitor's token. */
const withoutQuery = (address: string): string => address.replace(/\?.*/, '')

/** Opens a socket. Its listener gets nothing after `release`. */
export function openLink(openSocket: OpenSocket, address: string, listener: LinkListener): Link {
  let isOver = false
  let isOpen = false
  const close = (code: number, refusal: Refusal | null): void => {
    if (isOver) return
    isOver = true
    // A browser does not report why a socket could not be opened.
    const problem = isOpen || refusal !== null ? '' : `No socket could be opened at ${withoutQuery(address)}.`
    listener.closed(code, refusal, problem)
  }
  let socket: MessagingSocket
  try {
    socket = openSocket(address)
  } catch (error) {
    // An address or a policy that forbids it: no later attempt goes better.
    close(1006, { ...refusalOf(error), status: 400 })
    return { send() {}, release() {} }
  }
  socket.addEventListener('message', ({ data }) => {
    isOpen = true
    if (!isOver && typeof data === 'string') listener.frame(data)
  })
  socket.addEventListener('close', ({ code = 1006 }) => close(code, null))
  // `close` follows, and decides.
  socket.addEventListener('error', () => {})
  // `ws` reports the response to a refused handshake in an event of its own.
  const { on } = fieldsOf(socket)
  if (typeof on === 'function')
    on.call(socket, 'unexpected-response', (_: object, { headers, statusCode = 0 }: UpgradeAnswer) => {
      const retryAfter = retryAfterOf(String(headers['retry-after'] ?? ''), Date.now())
      const message = `The server refused the handshake with ${statusCode}.`
      close(1006, { status: statusCode, message, retryAfter })
      socket.close()
    })
  return {
    send(frame) {
      if (!isOver) socket.send(frame)
    },
    release() {
      isOver = true
      socket.close(1000)
    },
  }
}
