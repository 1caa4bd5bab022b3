import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
import { refuseNumbers } from '@colloquy/core'
import type { HandshakeRefusal, PhoneCall } from '@colloquy/core/transport'
import {
  attachEndpoint,
  type Endpoint,
  type EndpointOptions,
  type EndpointRules,
  messagingAnswer,
  messagingRules,
  requireServer,
  withDefaults,
} from '@colloquy/ws-transport/endpoints'
import { type Call, type CallLine, openCall } from '../call/call.ts'
import { callParts, VOICE_OPTIONS, type VoiceOptions, type VoicePlatform } from '../socket/attach-voice.ts'
import { type CallNumbers, MediaStream, type OpenedStream, type TransferCall } from './media-stream.ts'
import { type PhoneStep, stepPhone, stepRefused, twimlOf } from './twiml.ts'

/** Options of calls over Twilio's media streams. */
export interface TwilioVoiceOptions extends VoiceOptions, EndpointOptions {
  /** The token of the connector whose agent answers. */
  readonly connectorToken: string
  /** A host of the connector, under which the calls count. */
  readonly host: string
  /** The account's token, with which Twilio signs; while it is rotated, both. */
  readonly authToken: string | readonly string[]
  /** The address of the stream as TwiML names it, such as `wss://chat.example/twilio/voice`: it is what is signed. */
  readonly url: string
  /**
   * Transfers a call that the agent hands over to a number, such as `createTwilioTransfer` of
   * `@colloquy/integrations/twilio`.
   *
   * @default the stream ends, and Twilio goes on with the TwiML behind it: that of `answer` dials the number
   */
  readonly transfer?: TransferCall
  /**
   * Returns of a call in a row without a new event of its session: the call ends at a further one. Each waits a second
   * longer than the one before.
   *
   * @default 5
   */
  readonly maxReturns?: number
  /** As with every socket, milliseconds. @default 5000 */
  readonly pingInterval?: number
}

/** Calls over Twilio on a host's server. */
export interface TwilioVoiceEndpoint extends Endpoint {
  /**
   * Returns the TwiML for Twilio's request about a call, whose signature was checked: when it comes in, and when its
   * stream has ended. It reads the store alone, so any process may be asked (VG131). Pass the endpoint as `voice` to
   * `createTwilioHandler` of `@colloquy/integrations/twilio`, which checks and calls it. It never rejects: an error
   * goes to the platform's `onError`, and Twilio is told how the call goes on.
   *
   * @param request the posted form, and the address as Twilio called it, with its query
   */
  answer(request: { readonly form: URLSearchParams; readonly address: string }): Promise<string>
}

const FORBIDDEN = messagingAnswer(403, 'not signed by Twilio')
const TOO_MANY_CALLS = messagingAnswer(429, 'too many calls', 5)

/** A stream that is gone without a word is closed after twice that: until then it would go on with the call as well. */
const PING_MS = 5_000
/** A message has at most so many bytes: Twilio sends 20 milliseconds of audio in one. */
const FRAME_BYTES = 32_768

function isSigned({ headers }: IncomingMessage, url: string, tokens: readonly string[]): boolean {
  const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''), 'base64')
  return tokens
    .map(token => createHmac('sha1', token).update(url).digest())
    .map(wanted => given.length === wanted.length && timingSafeEqual(given, wanted))
    .includes(true)
}

/** A call cannot be had. */
class CallRefused extends Error {
  override readonly name = 'CallRefused'
  /** Asking again may help. */
  readonly isForNow: boolean

  constructor(what: string, { message, status }: HandshakeRefusal) {
    super(`${what}: ${message}.`)
    this.isForNow = status === 429 || status === 503
  }
}

/** Returns a call. Checks the connector, and that the host is one of its own. @throws CallRefused */
async function phoneOf(
  { messaging }: VoicePlatform,
  { connectorToken, host }: TwilioVoiceOptions,
  callSid: string,
): Promise<PhoneCall> {
  const origin = host.includes('://') ? host : `https://${host}`
  // All requests come from Twilio, which has signed them: each call is counted separately.
  const admitted = await messaging.admitCall({ connectorToken, origin, remoteAddress: callSid })
  if ('status' in admitted) throw new CallRefused('The connector of a call cannot be used', admitted)
  return admitted.phone(callSid)
}

/** States of a call that is over. */
const OVER: readonly string[] = ['completed', 'busy', 'failed', 'no-answer', 'canceled']

/** Returns what answers Twilio's requests about calls. */
function answering(platform: VoicePlatform, options: TwilioVoiceOptions): TwilioVoiceEndpoint['answer'] {
  const { maxReturns = 5, url } = options

  async function stepOf(callSid: string, status: string, address: string): Promise<PhoneStep> {
    const phone = await phoneOf(platform, options, callSid)
    const known = await phone.read()
    const step: PhoneStep = OVER.includes(status)
      ? { type: 'hang up' }
      : stepPhone(known, address, maxReturns)
    if (step.type === 'hang up' && known?.isOver === false) await phone.end()
    return step
  }

  return async ({ address, form }) => {
    const said = (name: string): string => form.get(name) ?? ''
    const status = said('CallStatus')
    const step = await stepOf(said('CallSid'), status, address).catch((error: unknown) => {
      // Twilio would read out any status but 200 as an error of the application.
      platform.settings.onError(error, 'voice twilio')
      const isForNow = !(error instanceof CallRefused) || error.isForNow
      return stepRefused({ isRinging: status === 'ringing', isForNow }, address, maxReturns)
    })
    return twimlOf(step, { url, from: said('From'), to: said('To') })
  }
}

function twilioRules(
  platform: VoicePlatform,
  options: TwilioVoiceOptions,
  settings: Required<EndpointOptions>,
): EndpointRules {
  const { authToken, maxCalls = 100, transfer, url } = options
  const tokens = typeof authToken === 'string' ? [authToken] : authToken
  if (tokens.length === 0 || tokens.includes('')) throw new TypeError('authToken must not be empty.')
  const parts = callParts(platform, options, false)
  let open = 0
  /** The calls whose stream is here, or was until a moment ago, by Twilio's id. */
  const calls = new Map<string, { readonly call: Call; readonly line: CallLine }>()

  /** Opens the session of the caller, and the call in it: it begins, or goes on. */
  async function callOf(line: CallLine, callSid: string, numbers: CallNumbers): Promise<OpenedStream | null> {
    // Its stream may be lost without a word. What was heard over it is kept first.
    const before = calls.get(callSid)
    before?.call.replaced()
    await before?.call.settled()
    const opened = await (await phoneOf(platform, options, callSid)).open(numbers)
    if (opened === null) return null
    if ('status' in opened) throw new CallRefused('The session of a call cannot be opened', opened)
    const { handshake, heard, startedAt } = opened
    const elapsedMs = Math.max(0, parts.clock.now() - startedAt)
    const call = openCall(parts, handshake, line, { ends: 'when over', elapsedMs })
    calls.set(callSid, { call, line })
    return {
      call,
      id: `0-${handshake.sessionId}`,
      heard: heard === null ? null : { id: heard.id, played_ms: heard.playedMs, done: heard.done },
      elapsedMs,
    }
  }

  return {
    ...messagingRules(platform, settings),
    async admit(_, request) {
      if (!isSigned(request, url, tokens)) return FORBIDDEN
      if (open >= maxCalls) return TOO_MANY_CALLS
      open++
      return {
        open(port) {
          const stream = new MediaStream(
            { ...parts, transfer },
            { send: text => port.send(text, 0, false), close: (code, reason) => port.close(code, reason) },
            callOf,
          )
          return {
            receive: text => stream.receive(text),
            settled: () => stream.settled(),
            closed() {
              open--
              stream.closed()
              void stream.settled().then(() => {
                if (calls.get(stream.callSid)?.line === stream) calls.delete(stream.callSid)
              })
            },
          }
        },
        abandon() {
          open--
        },
      }
    },
    where: 'voice twilio',
    maxPayload: FRAME_BYTES,
  }
}

/**
 * Serves calls that Twilio connects with `<Connect><Stream url="…"/></Connect>`: the caller speaks with the connector's
 * agent, over the same pipeline as in the browser. What Twilio has not signed is 403.
 *
 * @throws Error when no request can have the path, or another endpoint of the server serves it
 * @throws SCHEMA_VALIDATION_FAILED for an app in place of its server, and for an unknown option
 */
export function attachTwilioVoice(
  server: Server | SecureServer,
  platform: VoicePlatform,
  options: TwilioVoiceOptions,
): TwilioVoiceEndpoint {
  requireServer('attachTwilioVoice', server)
  const further = [...VOICE_OPTIONS, 'connectorToken', 'host', 'authToken', 'url', 'transfer', 'maxReturns']
  const given = { pingInterval: PING_MS, ...options }
  const settings = withDefaults('attachTwilioVoice', given, '/twilio/voice', further)
  refuseNumbers(options, { maxReturns: { least: 0 } })
  const rules = twilioRules(platform, options, settings)
  const endpoint = attachEndpoint(server, rules, settings, options.path === undefined)
  return { ...endpoint, answer: answering(platform, options) }
}
