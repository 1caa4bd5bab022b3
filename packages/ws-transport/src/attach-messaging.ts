import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import type { Platform } from '@colloquy/core'
import { correlationOf, type Handshake, MESSAGING_TEXTS, platformClosed } from '@colloquy/core/transport'
import { onlyValue, refuseRequest } from './admission.ts'
import { attachEndpoint } from './attach-endpoint.ts'
import { createEndpoint, type Endpoint, type EndpointRules, type UpgradeEndpoint } from './endpoint.ts'
import {
  type EndpointOptions,
  HANDSHAKE_WAIT,
  requireServer,
  TOO_MANY_HANDSHAKES,
  withDefaults,
} from './options.ts'
import { messagingAnswer, type UpgradeAnswer } from './refuse-upgrade.ts'

function closedAnswer() {
  const { message, details } = platformClosed()
  return messagingAnswer(503, message, details.retryAfterSeconds)
}

/** The part of a platform that the endpoint needs. */
export type MessagingPlatform = Pick<Platform, 'messaging' | 'closing' | 'settings'>

/** The rules of visitors' sockets. */
interface MessagingRules extends EndpointRules {
  admit(url: URL, request: IncomingMessage): Promise<Handshake | UpgradeAnswer>
}

/** Returns the rules of visitors' sockets. */
export function messagingRules(
  platform: MessagingPlatform,
  settings: Required<EndpointOptions>,
): MessagingRules {
  const { hosts, limits, onError } = platform.settings
  return {
    correlate: ({ headers }) => correlationOf(platform, headers),
    refuse(request) {
      if (platform.closing.aborted) return closedAnswer()
      const refusal = refuseRequest(request, hosts, settings)
      return refusal === null ? null : messagingAnswer(refusal.status, refusal.message)
    },
    async admit({ searchParams }, { headers }) {
      const answer = await platform.messaging.handshake({
        sessionId: onlyValue(searchParams, 'session_id'),
        accessToken: onlyValue(searchParams, 'access_token'),
        cursor: onlyValue(searchParams, 'cursor'),
        origin: headers.origin ?? null,
        frameHost: onlyValue(searchParams, 'host'),
      })
      if (!('status' in answer)) return answer
      return messagingAnswer(answer.status, answer.message, answer.retryAfterSeconds)
    },
    busy: messagingAnswer(429, TOO_MANY_HANDSHAKES, HANDSHAKE_WAIT),
    malformed: messagingAnswer(400, MESSAGING_TEXTS.handshakeParameters),
    broken: () => messagingAnswer(500, 'internal error'),
    where: 'messaging handshake',
    maxPayload: limits.frameBytes,
    onError,
  }
}

/**
 * Serves visitors' sockets on a host's HTTP server (contract/messaging.md; MS22 to MS26). Claims upgrades of its path
 * alone: other upgrade handlers of the server see only theirs. Without the option `path` it serves `/ws` below every
 * path at which the platform may be mounted, such as `/talk/ws`, unless the server has other upgrade handlers (MS24).
 *
 * @throws Error when no request can have the path, or another endpoint of the server serves it
 * @throws SCHEMA_VALIDATION_FAILED for an app in place of its server, and for an unknown option (EM4)
 */
export function attachMessaging(
  server: Server | SecureServer,
  platform: MessagingPlatform,
  options: EndpointOptions = {},
): Endpoint {
  requireServer('attachMessaging', server)
  const settings = withDefaults('attachMessaging', options, '/ws')
  return attachEndpoint(server, messagingRules(platform, settings), settings, options.path === undefined)
}

/**
 * Serves visitors' sockets for a host that owns the upgrades of its server, and hands over those that it wants answered
 * (MS24). Everything else is as with `attachMessaging`.
 *
 * @throws Error when no request can have the path
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option (EM4)
 */
export function createMessagingEndpoint(
  platform: MessagingPlatform,
  options: EndpointOptions = {},
): UpgradeEndpoint {
  const settings = withDefaults('createMessagingEndpoint', options, '/ws')
  return createEndpoint(messagingRules(platform, settings), settings)
}
