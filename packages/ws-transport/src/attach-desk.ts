import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { type Platform, PlatformError } from '@colloquy/core'
import {
  admitToDesk,
  CLOSE_CODES,
  CLOSE_TEXTS,
  correlationOf,
  type DeskAdmission,
  openDeskConnection,
  refuseFromDesk,
} from '@colloquy/core/transport'
import { onlyValue, refusePage, refuseRequest, requestClient } from './admission.ts'
import { attachEndpoint } from './attach-endpoint.ts'
import {
  type Admitted,
  createEndpoint,
  type Endpoint,
  type EndpointRules,
  type UpgradeEndpoint,
} from './endpoint.ts'
import {
  checkedHosts,
  type DeskOptions,
  type EndpointOptions,
  HANDSHAKE_WAIT,
  requireServer,
  TOO_MANY_HANDSHAKES,
  withDefaults,
} from './options.ts'

/** The desk reads nothing: a client has no reason to send more than a sign of life, bytes. */
const FRAME_BYTES = 65_536

/** Error codes of the desk by the status of a refused upgrade request. The desk accepts every host. */
const REFUSED = {
  400: 'SCHEMA_VALIDATION_FAILED',
  403: 'USER_ACCESS_FORBIDDEN',
  404: 'ROUTE_NOT_FOUND',
} as const

/** Returns the rules of live agents' sockets. Long, because it lists everything that an endpoint needs to know. */
function deskRules(
  platform: Platform,
  options: DeskOptions,
  settings: Required<EndpointOptions>,
): EndpointRules {
  const pageHosts = checkedHosts(options.pageHosts ?? [])
  const { onError } = platform.settings
  const admitted = ({ accountId, caller, watcher, watchKey, count }: DeskAdmission): Admitted => ({
    open(port) {
      const connection = openDeskConnection(port, {
        watch: listener => platform.as(caller).desk.watch(accountId, listener, watcher),
        maxBufferedBytes: settings.maxBufferedBytes,
        onError,
        count,
      })
      const unwatch = watchKey(() => port.close(CLOSE_CODES.key_revoked, CLOSE_TEXTS.key_revoked))
      return {
        ...connection,
        closed() {
          unwatch()
          connection.closed()
        },
      }
    },
    abandon() {},
  })
  return {
    correlate: ({ headers }) => correlationOf(platform, headers),
    refuse(request) {
      // The desk is on every host, unlike messaging (contract/accounts-and-keys.md, Hosts and regions).
      const refusal = refuseRequest(request, null, settings) ?? refusePage(request, pageHosts, settings)
      return refusal === null
        ? null
        : refuseFromDesk(new PlatformError(REFUSED[refusal.status], refusal.message))
    },
    async admit({ searchParams }, request) {
      const { host, remoteAddress } = requestClient(request, settings)
      try {
        return admitted(
          await admitToDesk(platform, {
            apiKey: onlyValue(searchParams, 'api_key'),
            host,
            remoteAddress,
            watching: {
              agent_id: searchParams.get('agent_id'),
              agent_name: searchParams.get('agent_name'),
              agent_avatar_url: searchParams.get('agent_avatar_url'),
              skill: searchParams.getAll('skill'),
              talks_at_once: searchParams.get('talks_at_once'),
              queue: searchParams.getAll('queue'),
            },
          }),
        )
      } catch (error) {
        const refusal = refuseFromDesk(error)
        if (refusal.status >= 500 && !platform.closing.aborted) throw error
        return refusal
      }
    },
    busy: refuseFromDesk(
      new PlatformError('RATE_LIMITED', TOO_MANY_HANDSHAKES, { retryAfterSeconds: HANDSHAKE_WAIT }),
    ),
    malformed: refuseFromDesk(
      new PlatformError('SCHEMA_VALIDATION_FAILED', 'Not a valid WebSocket handshake.'),
    ),
    broken: refuseFromDesk,
    where: 'desk handshake',
    maxPayload: FRAME_BYTES,
    onError,
  }
}

/**
 * Serves live agents' sockets on a host's HTTP server (contract/desk.md; DK8): JSON events of the visitors of
 * the account whose desk key stands in the query as `api_key`. With `agent_id` beside it, the handoffs of that live
 * agent count as attended while the socket is open (DK15). A page has to be on the server's own host or on one
 * of `pageHosts` (HY7). Claims upgrades of its path alone. Long, because it lists all that an endpoint needs to know.
 *
 * @throws Error when no request can have the path, or another endpoint of the server serves it
 * @throws SCHEMA_VALIDATION_FAILED for an app in place of its server, and for an unknown option (EM4)
 */
export function attachDesk(
  server: Server | SecureServer,
  platform: Platform,
  options: DeskOptions = {},
): Endpoint {
  requireServer('attachDesk', server)
  const settings = withDefaults('attachDesk', options, '/desk/v1/ws', ['pageHosts'])
  return attachEndpoint(server, deskRules(platform, options, settings), settings, options.path === undefined)
}

/**
 * Serves live agents' sockets for a host that owns the upgrades of its server, and hands over those that it wants
 * answered (MS24). Everything else is as with `attachDesk`.
 *
 * @throws Error when no request can have the path
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createDeskEndpoint(platform: Platform, options: DeskOptions = {}): UpgradeEndpoint {
  const settings = withDefaults('createDeskEndpoint', options, '/desk/v1/ws', ['pageHosts'])
  return createEndpoint(deskRules(platform, options, settings), settings)
}
