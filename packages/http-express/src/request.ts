import type { IncomingMessage } from 'node:http'
import { PlatformError } from '@colloquy/core'
import {
  bodyReadBefore,
  bodyTooLarge,
  bodyTooSlow,
  bodyUnwritable,
  clientOf,
  type HttpRequest,
  hostAmbiguity,
  type RefusedRequest,
  type TrustProxy,
} from '@colloquy/core/transport'

/** A request that other middleware may have read and parsed before. */
export type IncomingRequest = IncomingMessage & {
  readonly body?: unknown
  readonly rawBody?: unknown
  /** The target before a framework took off what it mounts the router at. */
  readonly originalUrl?: string
  /** The framework's own request, where it is another. */
  readonly original?: unknown
}

/** Names in lower case; of repeated headers the first. The record has no prototype: a client chooses the names. */
function firstHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase()
    if (name !== undefined) headers[name] ??= rawHeaders[index + 1] ?? ''
  }
  return headers
}

/** Form fields as the query string that they were parsed from, nested ones with brackets. */
function formPairs(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    formPairs(inner, name === '' ? key : Array.isArray(value) ? name : `${name}[${key}]`),
  )
}

/** True when a parser was here before us. */
const wasRead = (request: IncomingRequest): boolean =>
  request.rawBody instanceof Uint8Array || request.readableDidRead || request.readableEnded

/** No client spells an empty object in more bytes. */
const EMPTY_OBJECT_BYTES = 16

const isEmptyObject = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0

/**
 * Reports whether the host read a body and left nothing of it (HT41): then the parsed body cannot have come from the
 * request.
 */
function wasLost({ body, headers }: IncomingRequest): boolean {
  const length = Number(headers['content-length'] ?? 0)
  if (isEmptyObject(body)) return length > EMPTY_OBJECT_BYTES
  const came = length > 0 || headers['transfer-encoding'] !== undefined
  return came && (body === undefined || typeof body === 'function')
}

/**
 * Returns the body that a parser has read, as bytes.
 * @throws SCHEMA_VALIDATION_FAILED for a value that cannot be written as text; BODY_READ_BEFORE
 */
function parsedBody(request: IncomingRequest): Uint8Array {
  if (request.rawBody instanceof Uint8Array) return request.rawBody
  if (wasLost(request)) throw bodyReadBefore()
  const { body } = request
  if (body instanceof Uint8Array) return body
  if (body === undefined || typeof body === 'function') return new Uint8Array()
  if (typeof body === 'string') return Buffer.from(body)
  const form = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  try {
    return Buffer.from(
      form && typeof body === 'object'
        ? String(new URLSearchParams(formPairs(body, '')))
        : JSON.stringify(body),
    )
  } catch {
    // Both walk the value by calling themselves: what nests a hundred thousand deep has parsed, and exhausts the stack
    // here.
    throw bodyUnwritable()
  }
}

const bodyCut = (): PlatformError =>
  new PlatformError('SCHEMA_VALIDATION_FAILED', 'The body ended too early.')

/**
 * Reads to the end, or to the limit: what comes after that is thrown away unread and costs no memory.
 *
 * @param timeout milliseconds for the whole body, however steadily it drips
 */
function readBody(request: IncomingMessage, limit: number, timeout: number): Promise<Uint8Array> {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > limit) return Promise.reject(bodyTooLarge(limit))
  if (request.destroyed) return Promise.reject(bodyCut())
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const late = setTimeout(() => settle(() => reject(bodyTooSlow(timeout))), timeout)
    const settle = (finish: () => void) => {
      clearTimeout(late)
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      finish()
    }
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else settle(() => reject(bodyTooLarge(limit)))
    }
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)))
    const onClose = () => settle(() => reject(bodyCut()))
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/** Path and query of a request target, below the mount point; a target in absolute form loses its origin. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

/** Settings for receiving requests. */
export interface Intake {
  readonly trustProxy: TrustProxy
  /** Time limit for receiving a body, milliseconds. */
  readonly requestTimeout: number
  /** Time limit for a client to read a response, milliseconds. */
  readonly answerTimeout: number
}

/** Describes a request before it is read. */
export function describeHead(
  request: IncomingMessage,
  trustProxy: TrustProxy,
): RefusedRequest & { readonly query: string; readonly headers: Record<string, string> } {
  const { socket } = request
  const headers = firstHeaders(request.rawHeaders)
  const client = clientOf(
    {
      address: socket.remoteAddress ?? '',
      encrypted: 'encrypted' in socket,
      // Headers that several proxies add may be repeated. If there are several `Host` headers, Node too keeps the
      // first.
      headers: trustProxy ? request.headers : headers,
    },
    trustProxy,
  )
  if (client.host !== undefined) headers.host = client.host
  const { path, query } = splitTarget(request.url ?? '/')
  return {
    method: request.method ?? 'GET',
    path,
    query,
    headers,
    remoteAddress: client.remoteAddress,
    secure: client.secure,
  }
}

/** Mount path of a router, and the path below it. */
interface Mounted {
  readonly basePath: string
  readonly path: string
}

/**
 * Returns the mount path of a router. For the bare mount path frameworks write `/`, but the path below it is empty:
 * relative URLs resolve differently there than below a slash.
 */
function mountOf({ originalUrl = '', url = '' }: IncomingRequest, path: string): Mounted {
  const whole = splitTarget(originalUrl).path
  const isMounted = originalUrl !== url && whole.length > 0
  if (isMounted && path === '/' && !whole.endsWith('/')) return { basePath: whole, path: '' }
  return {
    basePath: isMounted && whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '',
    path,
  }
}

/** Describes a request of Node's to the dispatcher. */
export function describeRequest(
  request: IncomingRequest,
  { trustProxy, requestTimeout }: Pick<Intake, 'requestTimeout' | 'trustProxy'>,
): HttpRequest {
  const { method, query, headers, remoteAddress, secure, ...head } = describeHead(request, trustProxy)
  const { basePath, path } = mountOf(request, head.path)
  const ambiguity = hostAmbiguity(request)
  const parsed = wasRead(request)
  if (parsed) delete headers['content-encoding']
  const described: HttpRequest = {
    method,
    path,
    basePath,
    original: request.original ?? request,
    query,
    headers,
    remoteAddress,
    secure,
    async body(limit, timeout = requestTimeout) {
      const bytes = parsed ? parsedBody(request) : await readBody(request, limit, timeout)
      if (bytes.length > limit) throw bodyTooLarge(limit)
      return bytes
    },
  }
  return ambiguity === null ? described : { ...described, ambiguity }
}
