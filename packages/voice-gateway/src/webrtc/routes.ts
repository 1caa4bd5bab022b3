import type { IncomingMessage, ServerResponse } from 'node:http'
import { RESPONSE_HEADERS } from '@colloquy/core/transport'
import {
  type EndpointOptions,
  messagingRules,
  onlyValue,
  readUrl,
  requestClient,
} from '@colloquy/ws-transport/endpoints'
import type { VoicePlatform } from '../socket/attach-voice.ts'

/** A STUN or TURN server, as `RTCPeerConnection` takes it. */
export interface IceServer {
  readonly urls: string | readonly string[]
  readonly username?: string
  readonly credential?: string
}

/** The servers, or a function that returns those for the clients of an agent. */
export type IceServers =
  | readonly IceServer[]
  | ((of: {
      readonly accountId: string
      readonly agentId: string
    }) => readonly IceServer[] | Promise<readonly IceServer[]>)

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const refused = (status: number, message: string): Answer => ({ status, body: { message, error: message } })

/** Returns a handler of the gateway's plain requests. */
export function createRoutes(parts: {
  readonly platform: VoicePlatform
  readonly settings: Required<EndpointOptions>
  readonly iceServers: IceServers
  activeSessions(): number
}) {
  const { activeSessions, iceServers, platform, settings } = parts
  const { messaging } = platform
  const rules = messagingRules(platform, settings)

  async function answerIceServers(url: URL, request: IncomingMessage): Promise<Answer> {
    const refusal = rules.refuse(request)
    if (refusal !== null)
      return { ...refusal, body: refusal.body(rules.correlate(request).id), headers: refusal.headers ?? {} }
    const { origin = null } = request.headers
    const { remoteAddress } = requestClient(request, settings)
    const connectorToken = onlyValue(url.searchParams, 'token')
    const admitted = await messaging.admitCall({ connectorToken, origin, remoteAddress })
    if ('status' in admitted) {
      const { message, retryAfterSeconds, status } = admitted
      const wait = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return { ...refused(status, message), headers: wait }
    }
    const { accountId, agentId } = admitted
    const body = typeof iceServers === 'function' ? await iceServers({ accountId, agentId }) : iceServers
    return {
      status: 200,
      body,
      // Only a page on one of the connector's hosts comes this far.
      headers: origin === null ? {} : { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' },
    }
  }

  async function answerOf(url: URL, request: IncomingMessage): Promise<Answer> {
    if (url.pathname === '/health')
      return { status: 200, body: { status: 'healthy', activeSessions: activeSessions() } }
    try {
      return await answerIceServers(url, request)
    } catch (error) {
      rules.onError(error, 'voice webrtc')
      return refused(500, 'internal error')
    }
  }

  function send(request: IncomingMessage, response: ServerResponse, { body, headers, status }: Answer): void {
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      ...RESPONSE_HEADERS,
      ...rules.correlate(request).headers,
      ...headers,
    })
    response.end(JSON.stringify(body))
  }

  return (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    const url = request.method === 'GET' ? readUrl(request) : null
    const isOurs = url?.pathname === '/health' || url?.pathname === '/api/v1/ice-servers'
    if (url !== null && isOurs) void answerOf(url, request).then(answer => send(request, response, answer))
    else if (next === undefined) send(request, response, refused(404, 'not found'))
    else next()
  }
}
