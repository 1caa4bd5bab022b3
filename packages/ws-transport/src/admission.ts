import type { IncomingMessage } from 'node:http'
import type { Settings } from '@colloquy/core'
import {
  type Client,
  clientOf,
  hostAmbiguity,
  isHostOf,
  isSameHost,
  MESSAGING_TEXTS,
  originMatches,
} from '@colloquy/core/transport'
import type { EndpointOptions } from './options.ts'

/** The reason why an upgrade request is refused for every client. */
export interface UpgradeRefusal {
  readonly status: 400 | 403 | 404
  readonly message: string
}

const isEncrypted = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean =>
  'encrypted' in socket && socket.encrypted === true

/** Returns the client that asks for a socket, as over HTTP: its address, and whether the connection is secure. */
export function requestClient(
  { headers, socket }: IncomingMessage,
  { trustProxy = false }: Pick<EndpointOptions, 'trustProxy'>,
): Client {
  return clientOf(
    { address: socket.remoteAddress ?? '', encrypted: isEncrypted({ socket }), headers },
    trustProxy,
  )
}

/** Null when the request came to one host, and to the right one, over a private connection (HY24). */
export function refuseRequest(
  request: IncomingMessage,
  hosts: Settings['hosts'],
  options: Pick<EndpointOptions, 'allowInsecure' | 'trustProxy'>,
): UpgradeRefusal | null {
  const ambiguity = hostAmbiguity(request)
  if (ambiguity !== null) return { status: 400, message: ambiguity }
  const client = requestClient(request, options)
  if (!isHostOf(hosts, 'messaging', client.host)) return { status: 404, message: 'not found' }
  // Over TLS the last hop is private, whatever a header says of earlier hops.
  if (options.allowInsecure || client.secure || isEncrypted(request)) return null
  return { status: 403, message: MESSAGING_TEXTS.insecure }
}

/**
 * Null for a page of the server's own host, at any port, for one on `pageHosts`, and for a program other than a browser
 * (HY7). No connector says here whose pages may come, and no browser asks before it opens a socket.
 */
export function refusePage(
  request: IncomingMessage,
  pageHosts: readonly string[],
  options: Pick<EndpointOptions, 'trustProxy'>,
): UpgradeRefusal | null {
  const { origin } = request.headers
  if (origin === undefined) return null
  const { host = '' } = requestClient(request, options)
  if (isSameHost(origin, host) || originMatches(pageHosts, origin)) return null
  return {
    status: 403,
    message: `origin not allowed: the page's host is neither this server's nor registered with it`,
  }
}

/** Returns the only value of a query parameter; null if it is missing or repeated. */
export function onlyValue(query: URLSearchParams, name: string): string | null {
  const [value = null, ...more] = query.getAll(name)
  return more.length === 0 ? value : null
}

/**
 * Parses a request target. Returns null for one that is no path, and for a path that would have to be resolved first,
 * such as `/x/../ws`: a host's own handlers compare targets as they were sent (MS24). A target in absolute form loses
 * its origin, as over HTTP.
 */
export function readUrl(request: IncomingMessage): URL | null {
  const target = (request.url ?? '').replace(/^(?:https?|wss?):\/\/[^/?]*/i, '')
  if (!target.startsWith('/')) return null
  try {
    const url = new URL(`http://host${target}`)
    return (target.split('?', 1)[0] || '/') === url.pathname ? url : null
  } catch {
    return null
  }
}
