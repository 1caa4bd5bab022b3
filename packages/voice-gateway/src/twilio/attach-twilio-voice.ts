import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'
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
import { type CallLine, openCall } from '../call/call.ts'
import { callParts, VOICE_OPTIONS, type VoiceOptions, type VoicePlatform } from '../socket/attach-voice.ts'
import { type CallNumbers, MediaStream, type TransferCall } from './media-stream.ts'

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
   * @default the stream ends, and Twilio goes on with the TwiML behind it
   */
  readonly transfer?: TransferCall
}

const FORBIDDEN = messagingAnswer(403, 'not signed by Twilio')
const TOO_MANY_CALLS = messagingAnswer(429, 'too many calls', 5)

/** A message has at most so many bytes: Twilio sends 20 milliseconds of audio in one. */
const FRAME_BYTES = 32_768

function isSigned({ headers }: IncomingMessage, url: string, tokens: readonly string[]): boolean {
  const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''), 'base64')
  return tokens
    .map(token => createHmac('sha1', token).update(url).digest())
    .map(wanted => given.length === wanted.length && timingSafeEqual(given, wanted))
    .includes(true)
}

function twilioRules(
  platform: VoicePlatform,
  options: TwilioVoiceOptions,
  settings: Required<EndpointOptions>,
): EndpointRules {
  const { authToken, connectorToken, host, maxCalls = 100, transfer, url } = options
  const tokens = typeof authToken === 'string' ? [authToken] : authToken
  if (tokens.length === 0 || tokens.includes('')) throw new TypeError('authToken must not be empty.')
  const parts = callParts(platform, options, false)
  const { messaging } = platform
  let open = 0

  /** Opens a session of the caller, and a call in it. The session ends with the call. */
  async function callOf(line: CallLine, numbers: CallNumbers, remoteAddress: string) {
    const { accessToken } = await messaging.issueAccessToken({ connectorToken, host, remoteAddress })
    const { sessionId } = await messaging.createSession({
      authorization: `Bearer ${accessToken}`,
      streaming: true,
      call: { channel: 'VOICE-SIP', ...numbers },
    })
    const handshake = await messaging.handshake({ sessionId, accessToken, cursor: null })
    if ('status' in handshake)
      throw new Error(`The session of a call cannot be opened: ${handshake.message}.`)
    return openCall(parts, handshake, line, { endsSession: true })
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
            (line, numbers) => callOf(line, numbers, request.socket.remoteAddress ?? ''),
          )
          return {
            receive: text => stream.receive(text),
            settled: () => stream.settled(),
            closed() {
              open--
              stream.closed()
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
): Endpoint {
  requireServer('attachTwilioVoice', server)
  const further = [...VOICE_OPTIONS, 'connectorToken', 'host', 'authToken', 'url', 'transfer']
  const settings = withDefaults('attachTwilioVoice', options, '/twilio/voice', further)
  return attachEndpoint(
    server,
    twilioRules(platform, options, settings),
    settings,
    options.path === undefined,
  )
}
