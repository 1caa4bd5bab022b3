import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { readUrl } from './admission.ts'
import { destroyOnError, type Endpoint, type EndpointRules, openEndpoint } from './endpoint.ts'
import { leaveOtherOffers, wantsWebSocket } from './offers.ts'
import type { EndpointOptions } from './options.ts'
import { messagingAnswer, refuseUpgrade } from './refuse-upgrade.ts'
import { type Served, serverOf, warnOfUnserved } from './served-paths.ts'

const NOT_FOUND = messagingAnswer(404, 'not found')

/** Answers an offer of another protocol on a Node that cannot serve it as a plain request. */
const NO_UPGRADE = messagingAnswer(
  400,
  'This server upgrades to WebSocket alone. Leave out the header upgrade.',
)

/** An endpoint of a server, with its upgrade listener. */
interface Attached extends Served {
  readonly listener: unknown
}

/** The upgrade listeners of endpoints, with what each serves. */
const claimed = new WeakMap<object, Served>()

/** Returns the endpoints of a server, and whether no other handler upgrades there. */
function endpointsOf(server: Server | SecureServer): { endpoints: readonly Attached[]; alone: boolean } {
  const listeners = server.listeners('upgrade')
  const endpoints = listeners.flatMap(listener => {
    const served = claimed.get(listener)
    return served === undefined ? [] : [{ listener, ...served }]
  })
  return { endpoints, alone: endpoints.length === listeners.length }
}

/** Two endpoints of one path would both answer each request of it. */
function requireFree(server: Server | SecureServer, path: string): void {
  const taken = endpointsOf(server).endpoints.some(endpoint => endpoint.path === path)
  if (taken)
    throw new Error(
      `Another endpoint serves ${path} on this server. Close it first, and wait until it is closed.`,
    )
}

/**
 * Lets an endpoint answer the upgrades of a host's HTTP server (MS22 to MS26). Other upgrade handlers of the server see
 * only theirs.
 *
 * @param anyMount whether it also serves its path below others, where no other handler upgrades (MS24)
 * @throws Error when another endpoint serves the path
 */
export function attachEndpoint(
  server: Server | SecureServer,
  rules: EndpointRules,
  settings: Required<EndpointOptions>,
  anyMount: boolean,
): Endpoint {
  requireFree(server, settings.path)
  const endpoint = openEndpoint(rules, settings)

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Also where the path is not ours: a socket that no handler takes would end the process when its peer resets it.
    destroyOnError(socket)
    const { endpoints, alone } = endpointsOf(server)
    const isFirst = endpoints[0]?.listener === upgrade
    if (!wantsWebSocket(request)) {
      if (isFirst && alone)
        refuseUpgrade(socket, NO_UPGRADE, settings.handshakeTimeout, rules.correlate(request))
      return
    }
    const url = readUrl(request)
    const pathname = url?.pathname ?? ''
    const owner = serverOf(endpoints, pathname)
    // Below a mount it is taken only where that takes it from nobody.
    const isOwn = owner?.listener === upgrade && (alone || pathname === settings.path)
    if (url !== null && isOwn) endpoint.take(url, request, socket, head)
    else if (isFirst && alone && owner === null) {
      warnOfUnserved(server, pathname, endpoints)
      refuseUpgrade(socket, NOT_FOUND, settings.handshakeTimeout, rules.correlate(request))
    } else if (isFirst && !alone && owner !== null && owner.path !== pathname)
      warnOfUnserved(server, pathname, endpoints)
  }

  claimed.set(upgrade, { path: settings.path, anyMount })
  leaveOtherOffers(server, listener => claimed.has(listener))
  server.on('upgrade', upgrade)
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await endpoint.close()
    server.off('upgrade', upgrade)
  }
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}
