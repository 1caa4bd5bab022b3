import type { IncomingMessage } from 'node:http'
import { clientOf, isSameHost, MESSAGING_TEXTS, originMatches, type Settings } from '@colloquy/core'
import { isSecure } from './secure.ts'

/** Why an upgrade request is refused whoever makes it. */
export interface UpgradeRefusal {
  readonly status: number
  readonly message: string
}

/** Null when the request came to the right host over a connection that nobody can read. */
export function refuseRequest(
  request: IncomingMessage,
  hosts: Settings['hosts'],
  options: { readonly allowInsecure: boolean; readonly trustProxy: boolean },
): UpgradeRefusal | null {
  if (!ownHost(request, hosts)) return { status: 404, message: 'not found' }
  if (options.allowInsecure || isSecure(request, options.trustProxy)) return null
  return { status: 403, message: MESSAGING_TEXTS.insecure }
}

/**
 * Null for a page of the server's own host, at any port, for one on `pageHosts`, and for a program that is no browser (HY7).
 * No connector says here whose pages may come, and no browser asks before it opens a socket.
 */
export function refusePage(
  request: IncomingMessage,
  pageHosts: readonly string[],
  trustProxy: boolean,
): UpgradeRefusal | null {
  const { headers, socket } = request
  if (headers.origin === undefined) return null
  const { host = '' } = clientOf(
    { address: socket.remoteAddress ?? '', encrypted: false, headers },
    trustProxy,
  )
  if (isSameHost(headers.origin, host) || originMatches(pageHosts, headers.origin)) return null
  return {
    status: 403,
    message: `origin not allowed: the page's host is neither this server's nor registered with it`,
  }
}

/** With hosts set, messaging answers on its own ones alone (decisions.md section 2). */
function ownHost(request: IncomingMessage, hosts: Settings['hosts']): boolean {
  if (hosts === null) return true
  const name = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return Object.values(hosts.messaging).some(host => host.toLowerCase() === name)
}

/** Null for a request target that is no path. */
export function readUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? ''
  if (!target.startsWith('/') || !URL.canParse(`http://host${target}`)) return null
  return new URL(`http://host${target}`)
}
