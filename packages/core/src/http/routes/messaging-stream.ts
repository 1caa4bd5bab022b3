import * as z from 'zod'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import { bearerToken } from '../../usecases/messaging/access-token.ts'
import type { HandshakeRefusal } from '../../usecases/messaging/handshake.ts'
import { parseQuery } from '../query.ts'
import { readJson } from '../read-json.ts'
import { defineRoute, type HttpRequest, type Route } from '../route.ts'
import { noChunks, STREAM_HEADERS } from '../stream-answer.ts'

/** The most frames of one request: as many as a socket lets wait before it reads no further. */
const MOST_FRAMES = 64

/** The path parameters of a session's routes. */
export const sessionParams = z.object({
  sessionId: z.string().meta({ description: 'As the start of the session answered it' }),
})

const streamQuery = z.object({
  access_token: z
    .string()
    .exactOptional()
    .describe('The access token, where no header Authorization can be sent, as by EventSource'),
  cursor: z
    .string()
    .exactOptional()
    .describe(
      'The sequence of the newest event that the client has; the header Last-Event-ID counts before it',
    ),
  host: z
    .string()
    .exactOptional()
    .describe('The host of the page around a frame, which the connector has to have as well'),
})

const eventsQuery = z.object({
  stream: z
    .uuid()
    .exactOptional()
    .describe('As the event `open` of the stream says it: what goes wrong with an event is told there'),
})

const frame = z.looseObject({ type: z.string(), payload: z.looseObject({}).nullish() })

/** One frame of the socket, or several in order. */
export const eventsBodySchema = z.union([frame, z.array(frame).max(MOST_FRAMES)])

const refusal = (message: string): PlatformError => new PlatformError('MESSAGING_BAD_REQUEST', message)

/** The code under which each refusal of a handshake is answered over HTTP. */
const CODES = {
  400: 'MESSAGING_BAD_REQUEST',
  401: 'MESSAGING_UNAUTHORISED',
  403: 'MESSAGING_ORIGIN',
  404: 'SESSION_NOT_FOUND',
  429: 'RATE_LIMITED',
  503: 'STORE_BUSY',
} as const satisfies Readonly<Record<HandshakeRefusal['status'], unknown>>

/** Returns the error of a refusal. */
export function handshakeError({ status, message, retryAfterSeconds }: HandshakeRefusal): PlatformError {
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return new PlatformError(CODES[status], message, details)
}

/** Returns the access token of a request, from its header or, if that is allowed, its URL. Null for none, or two. */
function tokenOf({ headers }: HttpRequest, asked: string | undefined): string | null {
  const { authorization = null } = headers
  if (authorization === null) return asked ?? null
  return asked === undefined ? bearerToken(authorization) : null
}

/** Returns the token in the address, before the query is checked; a repeated one is none. */
function askedToken(request: HttpRequest): string | undefined {
  const { access_token: asked } = parseQuery(request.query)
  return typeof asked === 'string' ? asked : undefined
}

type Page = Parameters<NonNullable<Route['admitPage']>>[0]

const admitPage = ({ platform, request, origin }: Page) => {
  const token = tokenOf(request, request.method === 'POST' ? undefined : askedToken(request))
  return platform.messaging.admitPage({
    credential: { authorization: token === null ? null : `Bearer ${token}` },
    ...{ origin, remoteAddress: request.remoteAddress },
  })
}

/** A session's events as a stream, for clients and hosts without sockets (ES1). */
export const streamRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/sessions/:sessionId/stream',
  family: 'messaging',
  credential: 'own',
  operation: 'streamEvents',
  summary: 'Follow a session as a stream of events',
  params: sessionParams,
  query: streamQuery,
  invalid: 'MESSAGING_BAD_REQUEST',
  admitPage,
  refusesPlainText: true,
  async handle({ platform, params: { sessionId }, query, request }) {
    const { headers, method } = request
    const input = {
      sessionId,
      accessToken: tokenOf(request, query.access_token),
      cursor: headers['last-event-id'] ?? query.cursor ?? null,
      origin: headers.origin ?? null,
      frameHost: query.host ?? null,
    }
    if (method === 'HEAD') {
      const admitted = await platform.messaging.handshake(input)
      if ('status' in admitted) throw handshakeError(admitted)
      admitted.abandon()
      return { status: 200, headers: STREAM_HEADERS, chunks: noChunks() }
    }
    const stream = await platform.messaging.openStream(input)
    if ('status' in stream) throw handshakeError(stream)
    const { chunks, cutOff } = stream
    return { status: 200, headers: STREAM_HEADERS, chunks, cutOff }
  },
})

/** Reads frames as the socket does. An error in one of them is sent on the stream (ES7). */
async function readFrames(request: HttpRequest, bytes: number, depth: number): Promise<readonly string[]> {
  const json = await readJson(request, { bytes, depth })
  const frames: readonly unknown[] = Array.isArray(json) ? json : [json]
  if (frames.length > MOST_FRAMES)
    throw refusal(`${MESSAGING_TEXTS.badRequest}: at most ${MOST_FRAMES} events may come at once.`)
  return frames.map(one => JSON.stringify(one))
}

/** Receives events of a client without a socket (ES7). */
export const eventsRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions/:sessionId/events',
  family: 'messaging',
  credential: 'own',
  operation: 'postEvents',
  summary: "Send a visitor's events",
  params: sessionParams,
  query: eventsQuery,
  body: 'raw',
  invalid: 'MESSAGING_BAD_REQUEST',
  admitPage,
  refusesPlainText: true,
  async handle({ platform, params: { sessionId }, query, request }) {
    const { frameBytes, jsonDepth } = platform.settings.limits
    const refused = await platform.messaging.postEvents({
      ...{ sessionId, accessToken: tokenOf(request, undefined), origin: request.headers.origin ?? null },
      stream: query.stream ?? null,
      read: () => readFrames(request, frameBytes, jsonDepth),
    })
    if (refused !== null) throw handshakeError(refused)
    return { status: 202 }
  },
})
