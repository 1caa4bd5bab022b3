import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { readUrl } from './admission.ts'
import { destroyOnError, type Endpoint, type EndpointRules, openEndpoint } from './endpoint.ts'
import { leaveOtherOffers, wantsWebSocket } from './offers.ts'
import type { EndpointOptions } from './options.ts'
import { messagingAnswer, refuseUpgrade } from './refuse-upgrade.ts'

const NOT_FOUND = messagingAnswer(404, 'not found')

/** Answers an offer of another protocol on a Node that cannot serve it as a plain request. */
const NO_UPGRADE = messagingAnswer(
  400,
  'This server upgrades to WebSocket alone. Leave out the header upgrade.',
)

/** The upgrade listeners of endpoints, with the path that each serves. */
const claimed = new WeakMap<object, string>()

/** The paths of a server's endpoints, for the first of them, where no other handler upgrades (MS24); null otherwise. */
function servedPaths(server: Server | SecureServer, self: object): readonly string[] | null {
  const listeners = server.listeners('upgrade')
  const paths = listeners.map(listener => claimed.get(listener)).filter(path => path !== undefined)
  return listeners[0] === self && paths.length === listeners.length ? paths : null
}

/** Two endpoints of one path would both answer each request of it. */
function requireFree(server: Server | SecureServer, path: string): void {
  const taken = server.listeners('upgrade').some(listener => claimed.get(listener) === path)
  if (taken)
    throw new Error(
      `Another endpoint serves ${path} on this server. Close it first, and wait until it is closed.`,
    )
}

/**
 * Lets an endpoint answer the upgrades of a host's HTTP server (MS20 to MS27). Other upgrade handlers of the server see
 * only theirs.
 *
 * @throws Error when another endpoint serves the path
 */
export function attachEndpoint(
  server: Server | SecureServer,
  rules: EndpointRules,
  settings: Required<EndpointOptions>,
): Endpoint {
  requireFree(server, settings.path)
  const endpoint = openEndpoint(rules, settings)

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Also where the path is not ours: a socket that no handler takes would end the process when its peer resets it.
    destroyOnError(socket)
    if (!wantsWebSocket(request)) {
      if (servedPaths(server, upgrade) !== null)
        refuseUpgrade(socket, NO_UPGRADE, settings.handshakeTimeout, rules.correlate(request))
      return
    }
    const url = readUrl(request)
    if (url?.pathname === settings.path) endpoint.take(url, request, socket, head)
    else if (servedPaths(server, upgrade)?.includes(url?.pathname ?? '') === false)
      refuseUpgrade(socket, NOT_FOUND, settings.handshakeTimeout, rules.correlate(request))
  }

  claimed.set(upgrade, settings.path)
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
