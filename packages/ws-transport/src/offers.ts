import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'

/** A WebSocket among the protocols of a list, with its version or without. */
const WEB_SOCKET = /(?:^|,)\s*websocket(?:\/|\s*(?:,|$))/i

/** True when a WebSocket is asked for, alone or among other protocols. */
export const wantsWebSocket = ({ headers }: IncomingMessage): boolean =>
  WEB_SOCKET.test(headers.upgrade ?? '')

type Listener = ReturnType<Server['listeners']>[number]

const asked = new WeakSet<object>()

/**
 * Serves a request that offers another protocol than WebSocket over HTTP/1.1 (MS33; RFC 9110, 7.8). Without this, Node
 * takes every request with `Upgrade` for an upgrade as soon as a server has a listener for upgrades.
 * A callback and listeners of the host keep their say. Node before 22.21 has no callback: there the offer is refused.
 *
 * @param isOurs tells listeners of endpoints from those of the host
 */
export function leaveOtherOffers(
  server: Server | SecureServer,
  isOurs: (listener: Listener) => boolean,
): void {
  if (asked.has(server) || !('shouldUpgradeCallback' in server)) return
  const before = server.shouldUpgradeCallback
  if (typeof before !== 'function') return
  asked.add(server)
  // Node's own callback counts the listeners: it is asked what it would say without those of endpoints.
  const host = Object.create(server, {
    listenerCount: { value: (event: string) => server.listeners(event).filter(one => !isOurs(one)).length },
  })
  server.shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    before.call(host, request) === true ||
    (wantsWebSocket(request) && server.listeners('upgrade').some(isOurs))
}
