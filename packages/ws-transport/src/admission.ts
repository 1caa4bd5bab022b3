import type { IncomingMessage } from 'node:http'
import { MESSAGING_TEXTS, type Settings } from '@colloquy/core'
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
