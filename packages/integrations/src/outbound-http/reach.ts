import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './addresses.ts'
import { createCheckedLookup, type ResolveAll, refusalOf } from './checked-lookup.ts'

/** The addresses that may be reached. */
export interface ReachOptions {
  readonly allowPrivateAddresses: boolean
  /** Also over plain `http:`. */
  readonly allowInsecure: boolean
  readonly resolveAll: ResolveAll
}

/** The way out of this process, to allowed addresses alone. */
export interface Reach {
  /** Returns why an address is never requested, as far as its text shows it; null if it may be tried. */
  objection(address: string): string | null
  /** Begins a request to an address without an objection, over a connection of its own. */
  start(target: URL, options: RequestOptions): ClientRequest
}

/**
 * Returns the host of a URL without the brackets of IPv6. `new URL` has turned every spelling of an IPv4 address into a
 * plain one.
 */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Names that mean this machine without a look-up. */
const isLocalName = (host: string): boolean => /^(?:.*\.)?localhost\.?$/.test(host)

/**
 * Every request has a connection of its own, so that none goes over one that was opened for another purpose, or that
 * the other side is about to close.
 */
export function createReach({ allowPrivateAddresses, allowInsecure, resolveAll }: ReachOptions): Reach {
  const agents = { https: new HttpsAgent({ keepAlive: false }), http: new HttpAgent({ keepAlive: false }) }
  const lookup: { readonly lookup?: LookupFunction } = allowPrivateAddresses
    ? {}
    : { lookup: createCheckedLookup(resolveAll) }
  return {
    objection(address) {
      const url = URL.canParse(address) ? new URL(address) : null
      const allowed = allowInsecure ? ['https:', 'http:'] : ['https:']
      if (url === null || !allowed.includes(url.protocol))
        return allowInsecure
          ? 'expected an absolute http or https address'
          : 'expected an absolute https address'
      const host = hostOf(url)
      if (allowPrivateAddresses) return null
      // Sockets do not look literal addresses up, so these are checked here.
      const refused = isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)
      return refused ? refusalOf(host).message : null
    },
    start(target, options) {
      const secure = target.protocol === 'https:'
      const begin = secure ? httpsRequest : httpRequest
      return begin(target, { agent: secure ? agents.https : agents.http, ...options, ...lookup })
    },
  }
}
