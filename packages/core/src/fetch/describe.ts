import { clientOf, type TrustProxy } from '../http/forwarded.ts'
import type { HttpRequest } from '../http/route.ts'
import { readRequestBody } from './body.ts'

/** Headers for authentication and tenancy. If one is sent twice, neither value counts. */
const ONCE = ['Host', 'Authorization', 'X-Api-Key', 'X-Token', 'X-Host'] as const

/** The parts of a request's address. */
export interface Target {
  readonly scheme: string
  readonly host: string
  /** Percent-encoded, as it is in the address. */
  readonly path: string
  readonly query: string
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i

/**
 * Splits an address without a `URL`, which would normalise the path once more.
 *
 * @returns null for anything but an absolute address
 */
export function targetOf(address: string): Target | null {
  const parts = ADDRESS.exec(address)
  if (parts === null) return null
  const [, scheme = '', host = '', path = '', query = ''] = parts
  return { scheme: scheme.toLowerCase(), host, path: path === '' ? '/' : path, query }
}

/**
 * Returns why a header that must come once is not believed, as a sentence; null for none. `Headers` joins repeated ones
 * with a comma and a space, which no host, key or token has (HY24).
 */
function repetition(headers: HttpRequest['headers']): string | null {
  const repeated = ONCE.find(name => headers[name.toLowerCase()]?.includes(', '))
  return repeated === undefined ? null : `The header "${repeated}" is not valid: it must be sent once.`
}

/** The parts of a request that are known before its body is read. */
export type Head = Omit<HttpRequest, 'body'>

/** The settings of a handler for reading requests. */
export interface Taking {
  readonly trustProxy: TrustProxy
  /** The address of the other side of the connection; "" if a trusted proxy reports it. */
  readonly address: string
}

/** Describes a request before it is read. `path` is that below the base path. */
export function headOf(request: Request, target: Target, { trustProxy, address }: Taking): Head {
  // A client chooses the names: the record has no prototype.
  const headers: Record<string, string> = Object.create(null)
  for (const [name, value] of request.headers) headers[name] = value
  headers.host ??= target.host
  const client = clientOf({ address, encrypted: target.scheme === 'https', headers }, trustProxy)
  const ambiguity = repetition(headers)
  if (client.host !== undefined) headers.host = client.host
  const { path, query } = target
  const { remoteAddress, secure } = client
  const head = { method: request.method, path, query, headers, remoteAddress, secure }
  return ambiguity === null ? head : { ...head, ambiguity }
}

/** Describes a request to the dispatcher. */
export const describeFetched = (request: Request, head: Head, requestTimeout: number): HttpRequest => ({
  ...head,
  original: request,
  body: (limit, timeout = requestTimeout) => readRequestBody(request, limit, timeout),
})
