import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { type Clock, type Platform, refuseNumbers, systemClock, systemIds } from '@colloquy/core'
import type { SpokenTurn } from '@colloquy/core/transport'
import { createEventNames, createShares, type Handshake } from '@colloquy/core/transport'
import {
  attachEndpoint,
  createEndpoint,
  type Endpoint,
  type EndpointOptions,
  type EndpointRules,
  messagingAnswer,
  messagingRules,
  type PeerPort,
  requireServer,
  type UpgradeEndpoint,
  withDefaults,
} from '@colloquy/ws-transport/endpoints'
import { type Call, type CallParts, openCall } from '../call/call.ts'
import { consentRules, type RecordingOptions } from '../domain/consent.ts'
import { createEnergyDetector } from '../domain/energy-detector.ts'
import { type CallOptions, fillerTest, limitsOf } from '../domain/limits.ts'
import type { Speaker } from '../ports/speaker.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { TurnDetector } from '../ports/turn-detector.ts'

/** The part of a platform that the gateway needs. */
export type VoicePlatform = Pick<Platform, 'messaging' | 'closing' | 'settings'>

/** The parts that hear and speak. */
export interface Voice {
  readonly transcriber: Transcriber
  readonly speaker: Speaker
  /** @default an energy gate: 500 milliseconds of silence end a turn */
  readonly detector?: TurnDetector
}

/** Options that calls have over every line. */
export interface VoiceOptions extends Voice, CallOptions {
  /** Calls at once in this process, of an account at most three quarters; further ones are 429. @default 100 */
  readonly maxCalls?: number
  /** Called with the latencies of each spoken turn. What it throws goes to the platform's `onError`. */
  readonly onTurn?: (turn: SpokenTurn, of: { readonly sessionId: string; readonly call: string }) => void
  /** Whether, and with what consent, calls are recorded (VG120). @default they are not */
  readonly recording?: RecordingOptions
  /** @default the clock of the process */
  readonly clock?: Clock
}

/** Options of voice on the visitor's own socket. */
export interface VoiceSocketOptions extends VoiceOptions, EndpointOptions {}

/** Every option of a call: other ones are refused. */
const OPTIONS: Readonly<Record<keyof VoiceOptions, true>> = {
  ...{ transcriber: true, speaker: true, detector: true, maxCalls: true, onTurn: true, clock: true },
  ...{ bargeIn: true, longestUtterance: true, transcriptionDeadline: true, speechDeadline: true },
  ...{ silentTurn: true, silentTurns: true, recording: true },
  ...{ longestSentence: true, ahead: true, stall: true, silence: true, longestCall: true, fillers: true },
}

const NUMBERS = {
  ...{ maxCalls: { least: 1 }, bargeIn: { least: 0 }, longestUtterance: { least: 1 } },
  ...{ transcriptionDeadline: { least: 1 }, speechDeadline: { least: 1 }, longestSentence: { least: 1 } },
  ...{ ahead: { least: 1 }, stall: { least: 1 }, silence: { least: 1 }, longestCall: { least: 1 } },
  ...{ silentTurn: { least: 0 }, silentTurns: { least: 0 } },
}

export const VOICE_OPTIONS: readonly string[] = Object.keys(OPTIONS)

/**
 * Returns what all calls of a gateway share.
 *
 * @param hasScreen visitors may be asked for their consent with a frame
 * @throws SCHEMA_VALIDATION_FAILED for a number outside its range (EM4)
 */
export function callParts(platform: VoicePlatform, options: VoiceOptions, hasScreen: boolean): CallParts {
  refuseNumbers(options, NUMBERS)
  const { settings } = platform
  return {
    rules: {
      limits: limitsOf(options),
      detector: options.detector ?? createEnergyDetector(),
      isFiller: fillerTest(options),
      consent: consentRules(options.recording, hasScreen),
    },
    transcriber: options.transcriber,
    speaker: options.speaker,
    clock: options.clock ?? systemClock,
    uuid: systemIds.uuid,
    names: createEventNames(settings.brand.events),
    deadlines: {
      speech: options.speechDeadline ?? 10_000,
      transcription: options.transcriptionDeadline ?? 10_000,
      sentence: options.longestSentence ?? 120_000,
    },
    onError: settings.onError,
    onTurn: options.onTurn ?? (() => {}),
    calls: new Map(),
  }
}

/** A frame has at most a second of audio, or a text of half that. */
const FRAME_BYTES = 32_768

const TOO_MANY_CALLS = messagingAnswer(429, 'too many calls', 5)

/** The call that a socket is. */
function callOn(parts: CallParts, handshake: Handshake, port: PeerPort, left: () => void) {
  const call: Call = openCall(parts, handshake, {
    send: frame => port.send(JSON.stringify(frame), 0, false),
    sound: bytes => port.sendBytes(bytes),
    close: (code, reason) => port.close(code, reason),
  })
  return {
    receive(text: string) {
      call.frame(text)
      return true
    },
    receiveBytes: (bytes: Uint8Array) => call.audio(bytes),
    closed() {
      left()
      call.closed()
    },
    settled: () => call.settled(),
  }
}

/** Returns the rules of sockets that carry voice: those of the visitor's socket, and a call in place of its frames. */
function voiceRules(
  platform: VoicePlatform,
  options: VoiceOptions,
  settings: Required<EndpointOptions>,
): EndpointRules {
  const { maxCalls = 100 } = options
  const parts = callParts(platform, options, true)
  const visitors = messagingRules(platform, settings)
  const places = createShares(maxCalls)
  return {
    ...visitors,
    async admit(url, request) {
      if (places.isFull) return TOO_MANY_CALLS
      // A call reads the whole log: it finds there what it has said.
      url.searchParams.delete('cursor')
      const answer = await visitors.admit(url, request)
      if ('status' in answer) return answer
      const leave = places.take(answer.accountId)
      if (leave === null) {
        answer.abandon()
        return TOO_MANY_CALLS
      }
      return {
        open: port => callOn(parts, answer, port, leave),
        abandon() {
          leave()
          answer.abandon()
        },
      }
    },
    where: 'voice handshake',
    maxPayload: FRAME_BYTES,
  }
}

/**
 * Serves calls of visitors on a host's HTTP server (PROTOCOL.md), beside `attachMessaging` and with its checks. Without
 * the option `path` it serves `/voice` below every path at which the platform may be mounted.
 *
 * @throws Error when no request can have the path, or another endpoint of the server serves it
 * @throws SCHEMA_VALIDATION_FAILED for an app in place of its server, and for an unknown option
 */
export function attachVoice(
  server: Server | SecureServer,
  platform: VoicePlatform,
  options: VoiceSocketOptions,
): Endpoint {
  requireServer('attachVoice', server)
  const settings = withDefaults('attachVoice', options, '/voice', VOICE_OPTIONS)
  return attachEndpoint(server, voiceRules(platform, options, settings), settings, options.path === undefined)
}

/**
 * Serves calls of visitors for a host that owns the upgrades of its server. Everything else is as with `attachVoice`.
 *
 * @throws Error when no request can have the path
 * @throws SCHEMA_VALIDATION_FAILED for an unknown option
 */
export function createVoiceEndpoint(platform: VoicePlatform, options: VoiceSocketOptions): UpgradeEndpoint {
  const settings = withDefaults('createVoiceEndpoint', options, '/voice', VOICE_OPTIONS)
  return createEndpoint(voiceRules(platform, options, settings), settings)
}
