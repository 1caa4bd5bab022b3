import { IncomingMessage, Server, ServerResponse, STATUS_CODES } from 'node:http'
import { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { PlatformError, refuseUnknown } from '@colloquy/core'
import type { Dispatcher, HttpResponse, RefusedRequest, TrustProxy } from '@colloquy/core/transport'
import { LINGER, send } from './middleware.ts'
import { describeHead } from './request.ts'

/**
 * Handler of a server's requests, with the dispatcher that words its refusals: a result of `createRouter` or
 * `createRequestListener`.
 */
export interface Answering {
  readonly dispatcher: Dispatcher
  readonly trustProxy: TrustProxy
  /** True when the host serves no other paths. */
  readonly everyPath: boolean
}

export interface ErrorAnswersOptions {
  /** Mount path of the router, for example `/colloquy`. @default "", which is the root */
  readonly mountPath?: string
}

/** Every option: another one is refused (EM4). */
const OPTIONS: Readonly<Record<keyof ErrorAnswersOptions, true>> = { mountPath: true }

/**
 * Returns the error for a fault that Node's parser or its timers found in a request; null for errors of the connection.
 */
function faultOf(code: string): PlatformError | null {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new PlatformError(
        'HEADERS_TOO_LARGE',
        'The headers of the request are too large. Send fewer, or shorter ones.',
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new PlatformError(
        'BODY_TOO_LARGE',
        'The chunk extensions of the body are too large. Send chunks without extensions.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new PlatformError(
        'REQUEST_TIMEOUT',
        'The request did not arrive in time. Send it whole, and at once.',
      )
    default:
      if (!code.startsWith('HPE_')) return null
      return new PlatformError(
        'SCHEMA_VALIDATION_FAILED',
        'The request is not valid HTTP. Send it as RFC 9112 describes it.',
      )
  }
}

const unmetExpectation = (): PlatformError =>
  new PlatformError(
    'EXPECTATION_FAILED',
    'The header "Expect" has a value that the server does not support. Allowed: 100-continue.',
  )

/** Returns a refusal with the status that Node itself sends, for a path of the host. */
const plain = (status: number): HttpResponse => ({ status, headers: {}, body: null, chunks: null })

/**
 * Returns the answer that a connection is busy with; null for none. Node keeps it there for itself, and tells it
 * nowhere else.
 */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  const answer = '_httpMessage' in socket ? socket._httpMessage : null
  return answer instanceof ServerResponse ? answer : null
}

/** The request whose body is being read; null between two requests. Kept by Node in the same way. */
function requestUnderWay(socket: Duplex): IncomingMessage | null {
  const parser: unknown = 'parser' in socket ? socket.parser : null
  if (typeof parser !== 'object' || parser === null || !('incoming' in parser)) return null
  const { incoming } = parser
  return incoming instanceof IncomingMessage && !incoming.complete ? incoming : null
}

/**
 * Writes an answer to a connection that has no request to answer, and closes it: not before the client has had time to
 * read it.
 */
function writeLast(socket: Duplex, { status, headers, body }: HttpResponse): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ Connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body ?? '')}`,
  ]
  const late = setTimeout(() => socket.destroy(), LINGER)
  late.unref()
  socket.once('close', () => clearTimeout(late))
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** Returns a request of which nothing could be read but whence it came. */
const unreadRequest = (socket: Duplex): RefusedRequest => ({
  method: '',
  path: '',
  headers: {},
  remoteAddress: 'remoteAddress' in socket ? String(socket.remoteAddress) : '',
  secure: 'encrypted' in socket,
})

/** @throws SCHEMA_VALIDATION_FAILED naming the wrong argument, and the allowed one */
function checkArguments(server: unknown, router: unknown, options: unknown): void {
  const refusal = (message: string): PlatformError => new PlatformError('SCHEMA_VALIDATION_FAILED', message)
  if (!(server instanceof Server || server instanceof SecureServer))
    throw refusal(
      'attachErrorAnswers takes an HTTP or HTTPS server first. Pass the server that createServer(app) or app.listen() returns.',
    )
  if (typeof router !== 'function' || !('dispatcher' in router))
    throw refusal(
      'attachErrorAnswers takes the router second. Pass what createRouter or createRequestListener returns.',
    )
  refuseUnknown('attachErrorAnswers', options, Object.keys(OPTIONS))
}

/** Servers whose own refusals have a body already. */
const attached = new WeakSet<object>()

/**
 * Gives a Node server's own refusals the body of the platform's refusals (HY26): 417, 431, 408, and the 400 and
 * 413 of its parser. It leaves paths of the host alone. It also leaves a server alone that has other listeners of its
 * own for `clientError` or `checkExpectation`.
 *
 * @param router the result of `createRouter` or `createRequestListener` for that server
 * @throws SCHEMA_VALIDATION_FAILED for anything but a server and a router, and for an unknown option (EM4)
 * @throws Error if the server has them already
 */
export function attachErrorAnswers(
  server: Server | SecureServer,
  router: Answering,
  options: ErrorAnswersOptions = {},
): void {
  checkArguments(server, router, options)
  if (attached.has(server)) throw new Error('This server has error answers already. Attach them once.')
  attached.add(server)
  const { dispatcher, trustProxy, everyPath } = router
  const mountPath = (options.mountPath ?? '').replace(/\/$/, '')
  const answered = new WeakSet<Duplex>()

  /** Returns the response to a refused request; without a body if its path is the host's. */
  function refusal(request: IncomingMessage, error: PlatformError): HttpResponse {
    const head = describeHead(request, trustProxy)
    const below = head.path.startsWith(`${mountPath}/`)
    const path = below ? head.path.slice(mountPath.length) : ''
    const answer = dispatcher.refusal({ ...head, path }, error)
    if (!everyPath && !(below && dispatcher.matches(path))) return plain(answer.status)
    return { ...answer, headers: { ...answer.headers, Connection: 'close' } }
  }

  function answer(socket: Duplex, error: PlatformError): void {
    const reading = requestUnderWay(socket)
    const earlier = answerUnderWay(socket)
    if (!socket.writable) socket.destroy()
    // The fault came after that request, whose response comes first.
    else if (earlier !== null && earlier.req !== reading) earlier.once('close', () => answer(socket, error))
    // It has its answer, whole or in part.
    else if (reading !== null && earlier?.headersSent !== false) socket.destroy()
    else if (reading !== null) writeLast(socket, refusal(reading, error))
    else writeLast(socket, dispatcher.refusal(unreadRequest(socket), error))
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (server.listenerCount('clientError') > 1 || answered.has(socket)) return
    answered.add(socket)
    const fault = faultOf(error.code ?? '')
    if (fault === null) socket.destroy()
    else answer(socket, fault)
  })

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (server.listenerCount('checkExpectation') > 1) return
    const refuse = async (): Promise<void> => {
      await send(response, refusal(request, unmetExpectation()))
    }
    refuse().catch(() => response.destroy())
  })
}
