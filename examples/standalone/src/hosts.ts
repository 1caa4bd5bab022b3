import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Platform } from '@colloquy/core'
import { clientOf, hostAmbiguity, isHostOf, type TrustProxy } from '@colloquy/core/transport'

/** Listener for requests of Node's server. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** A part of the server for people: the console and its pages are for those who work with it, the demo for visitors. */
export type Part = 'console' | 'demo'

/** Whether a part answers on a host. */
export type ServesHost = (part: Part, host: string | undefined) => boolean

const FAMILY = { console: 'agents', demo: 'messaging' } as const

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

/**
 * Decides on which hosts the parts for people answer (SS22): the console on the hosts of the agents API, the demo on
 * those of messaging, and both on the server's own address, unless that is a host of another family. Without `hosts`
 * each answers on every host.
 */
export function servesHosts(hosts: Platform['settings']['hosts'], own: string): ServesHost {
  const ours = [...LOOPBACK, own.includes(':') ? `[${own}]` : own.toLowerCase()]
  return (part, host) => {
    if (isHostOf(hosts, FAMILY[part], host)) return true
    const isOthers = (['agents', 'chat', 'messaging'] as const).some(family => isHostOf(hosts, family, host))
    return !isOthers && ours.includes(withoutPort(host ?? ''))
  }
}

/** Hosts of the parts for people, and the proxies trusted to name the host of a request. */
export interface HostRules {
  readonly serves: ServesHost
  readonly trustProxy: TrustProxy
}

/** Asks the pages of a part on its hosts, and for an unambiguous host alone; else the listener behind them. */
export const onHosts =
  (part: Part, pages: Listener, listener: Listener, { serves, trustProxy }: HostRules): Listener =>
  (request, response) => {
    const { headers, socket } = request
    const { host } = clientOf({ address: socket.remoteAddress ?? '', encrypted: false, headers }, trustProxy)
    const isAsked = hostAmbiguity(request) === null && serves(part, host)
    if (isAsked) pages(request, response)
    else listener(request, response)
  }
