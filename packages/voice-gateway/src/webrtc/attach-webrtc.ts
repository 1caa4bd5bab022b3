import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { refuseNumbers, systemIds } from '@colloquy/core'
import { createShares, networkOf } from '@colloquy/core/transport'
import {
  attachEndpoint,
  type Endpoint,
  type EndpointOptions,
  type EndpointRules,
  messagingAnswer,
  messagingRules,
  requestClient,
  requireServer,
  withDefaults,
} from '@colloquy/ws-transport/endpoints'
import { callParts, VOICE_OPTIONS, type VoiceOptions, type VoicePlatform } from '../socket/attach-voice.ts'
import { createBeats } from './beats.ts'
import type { MediaOptions } from './media-options.ts'
import { createRoutes, type IceServers } from './routes.ts'
import { type SignalParts, SignalSocket } from './signal-socket.ts'

/** Options of calls over WebRTC. Times are milliseconds. */
export interface WebrtcOptions extends VoiceOptions, EndpointOptions {
  /**
   * STUN and TURN servers that clients are told of. A function is asked each time, so that credentials may be
   * short-lived.
   *
   * @default none
   */
  readonly iceServers?: IceServers
  /** Ports and addresses for audio. @default any free UDP port of the machine's networks */
  readonly media?: MediaOptions
  /** Serve the mode `echo`, in which callers hear themselves: for debugging. @default false */
  readonly allowEcho?: boolean
  /** From the opening of a socket to an offer that was taken. @default 10000 */
  readonly offerDeadline?: number
  /** From the answer to the first connection. @default 15000 */
  readonly connectionDeadline?: number
  /** The longest time without audio of the client. Then the call ends. @default 5000 */
  readonly mediaDeadline?: number
  /** The time that a call with a `callSid` waits for the session that names it. @default 2000 */
  readonly linkDeadline?: number
  /** Offers of a socket, until one is taken. @default 3 */
  readonly maxOffers?: number
  /** Candidates of a call. @default 64 */
  readonly maxCandidates?: number
  /** Frames of a socket that are not taken, before it is closed. @default 20 */
  readonly maxMistakes?: number
}

const OWN_OPTIONS: Readonly<
  Record<Exclude<keyof WebrtcOptions, keyof VoiceOptions | keyof EndpointOptions>, true>
> = {
  ...{ iceServers: true, media: true, allowEcho: true, offerDeadline: true, connectionDeadline: true },
  ...{ mediaDeadline: true, linkDeadline: true, maxOffers: true, maxCandidates: true, maxMistakes: true },
}

const NUMBERS = {
  ...{ offerDeadline: { least: 1 }, connectionDeadline: { least: 1 }, mediaDeadline: { least: 1 } },
  ...{ linkDeadline: { least: 0 }, maxOffers: { least: 1 }, maxCandidates: { least: 0 } },
  maxMistakes: { least: 0 },
}

/** Calls over WebRTC on a host's server. */
export interface WebrtcEndpoint extends Endpoint {
  /**
   * Answers `GET /health` and `GET /api/v1/ice-servers`, below whatever path it is mounted at. Takes the arguments of
   * Express and of `node:http`.
   *
   * @param next called for other requests. Without it they are 404
   */
  readonly routes: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void
}

/** A description of a session, and what is around it. */
const FRAME_BYTES = 65_536

/** The server itself plays here: more would only take memory. */
const AHEAD = 2_000

const TOO_MANY_CALLS = messagingAnswer(429, 'too many calls', 5)

function signalParts(platform: VoicePlatform, options: WebrtcOptions): SignalParts {
  const calls = callParts(platform, { ahead: AHEAD, ...options }, false)
  return {
    calls,
    clock: calls.clock,
    beats: createBeats(calls.clock),
    onError: calls.onError,
    messaging: platform.messaging,
    uuid: systemIds.uuid,
    media: options.media ?? {},
    silentMedia: options.mediaDeadline ?? 5_000,
    link: options.linkDeadline ?? 2_000,
    allowEcho: options.allowEcho ?? false,
    limits: {
      offer: options.offerDeadline ?? 10_000,
      connection: options.connectionDeadline ?? 15_000,
      offers: options.maxOffers ?? 3,
      candidates: options.maxCandidates ?? 64,
      mistakes: options.maxMistakes ?? 20,
    },
    places: createShares(options.maxCalls ?? 100),
    open: new Set(),
  }
}

/** Returns the rules of signalling sockets. A socket has no credentials: its offer shows them. */
function signalRules(
  platform: VoicePlatform,
  { maxCalls = 100 }: WebrtcOptions,
  parts: SignalParts,
  settings: Required<EndpointOptions>,
): EndpointRules {
  const waiting = createShares(maxCalls)
  return {
    ...messagingRules(platform, settings),
    async admit(_, request) {
      const { remoteAddress } = requestClient(request, settings)
      const leave = parts.places.isFull ? null : waiting.take(networkOf(remoteAddress))
      if (leave === null) return TOO_MANY_CALLS
      const { origin = null } = request.headers
      return {
        open: port => new SignalSocket(parts, { origin, remoteAddress }, port, leave),
        abandon: leave,
      }
    },
    where: 'voice webrtc',
    maxPayload: FRAME_BYTES,
    silent: { code: 4008, reason: 'no pong in time' },
  }
}

/**
 * Serves calls over WebRTC on a host's HTTP server (PROTOCOL.md, WebRTC): signalling at `/api/v1/webrtc/signal`, and
 * audio over UDP. Without the option `path` it serves its path below every mount of the platform.
 *
 * @throws Error when no request can have the path, or another endpoint of the server serves it
 * @throws SCHEMA_VALIDATION_FAILED for an app in place of its server, and for an unknown option
 */
export function attachWebrtc(
  server: Server | SecureServer,
  platform: VoicePlatform,
  options: WebrtcOptions,
): WebrtcEndpoint {
  requireServer('attachWebrtc', server)
  const further = [...VOICE_OPTIONS, ...Object.keys(OWN_OPTIONS)]
  const settings = withDefaults('attachWebrtc', options, '/api/v1/webrtc/signal', further)
  refuseNumbers(options, NUMBERS)
  const parts = signalParts(platform, options)
  const rules = signalRules(platform, options, parts, settings)
  const endpoint = attachEndpoint(server, rules, settings, options.path === undefined)
  return {
    routes: createRoutes({
      ...{ platform, settings, iceServers: options.iceServers ?? [] },
      activeSessions: () => parts.open.size,
    }),
    async close() {
      await endpoint.close()
      for (const call of parts.open) call.abort()
    },
  }
}
