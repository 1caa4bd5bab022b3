import * as z from 'zod'
import { MAX_COMMENT, SCORES } from '../../domain/conversation/rating.ts'
import { visitorSchema } from '../../domain/conversation/visitor.ts'
import { isPlatformError, PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { bearerToken } from '../../usecases/messaging/access-token.ts'
import { SESSION_PLATFORMS } from '../../usecases/messaging/create-session.ts'
import { requireHostKey } from '../authorize.ts'
import { readJson } from '../read-json.ts'
import { defineRoute, type HttpRequest, type Route } from '../route.ts'
import { eventsRoute, handshakeError, sessionParams, streamRoute } from './messaging-stream.ts'

/** The optional body of a new session; other fields are ignored. Visitor and attributes take an API key (MS45). */
export const sessionBodySchema = z.object({
  streaming_enabled: z.boolean().nullish(),
  platform: z.enum(SESSION_PLATFORMS).nullish(),
  visitor: visitorSchema.nullish().describe('Who the visitor is; from your server, with an API key'),
  integration_attributes: z
    .record(z.string(), z.json())
    .nullish()
    .describe('What functions read of the visitor; from your server, with an API key'),
  page: z
    .object({ url: z.string(), title: z.string().nullish() })
    .nullish()
    .describe('The page that the visitor is on; live agents see it'),
})

/** The visitor's rating of a session. Other fields are ignored. */
export const ratingBodySchema = z.object({
  score: z.int().min(SCORES.min).max(SCORES.max).describe('From 1, the worst, to 5'),
  comment: z.string().trim().max(MAX_COMMENT).nullish().describe("In the visitor's own words"),
})

type Page = Parameters<NonNullable<Route['admitPage']>>[0]

/** Pages on the hosts of the connector whose token the request brings (HY2). */
const pageByToken = ({ platform, request: { headers, remoteAddress }, origin }: Page) =>
  platform.messaging.admitPage({
    credential: { connectorToken: headers['x-token'] ?? null },
    ...{ origin, remoteAddress },
  })

/** Pages on the hosts of the connector for which the access token was issued (HY2). */
const pageByAccessToken = ({ platform, request: { headers, remoteAddress }, origin }: Page) =>
  platform.messaging.admitPage({
    credential: { authorization: headers.authorization ?? null },
    ...{ origin, remoteAddress },
  })

const accessTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/access-token',
  family: 'messaging',
  credential: 'own',
  operation: 'issueAccessToken',
  summary: 'Exchange a connector token for an access token, from a registered host',
  admitPage: pageByToken,
  refusesPlainText: true,
  async handle({ platform, request }) {
    const { accessToken, expiresIn } = await platform.messaging.issueAccessToken({
      connectorToken: request.headers['x-token'] ?? null,
      host: request.headers['x-host'] ?? null,
      remoteAddress: request.remoteAddress,
    })
    return {
      status: 200,
      json: { access_token: accessToken, expires_in: expiresIn, token_type: 'Bearer' as const },
    }
  },
})

const sessionsRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions',
  family: 'messaging',
  credential: 'own',
  operation: 'createSession',
  summary: 'Start a messaging session',
  body: 'raw',
  admitPage: pageByAccessToken,
  refusesPlainText: true,
  async handle({ platform, request }) {
    const { 'user-agent': userAgent } = request.headers
    const { sessionId } = await platform.messaging.createSession({
      authorization: request.headers.authorization ?? null,
      async read() {
        const body = await readBody(request, platform.settings, sessionBodySchema)
        return {
          streaming: body.streaming_enabled ?? false,
          ...(body.platform ? { platform: body.platform } : {}),
          ...(body.visitor ? { visitor: body.visitor } : {}),
          ...(body.integration_attributes ? { integrationAttributes: body.integration_attributes } : {}),
          ...(body.page ? { page: { url: body.page.url, title: body.page.title ?? '' } } : {}),
          ...(userAgent === undefined ? {} : { userAgent }),
        }
      },
      admit: connector => requireHostKey(platform, request, connector),
    })
    return { status: 200, json: { session_id: sessionId } }
  },
})

const badRequest = (): PlatformError => new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.badRequest)

/**
 * Parses a body. Every unreadable body is refused with the one text that the family has for it (contract/messaging.md,
 * Over HTTP).
 */
async function readBody<Body extends z.ZodType>(
  request: HttpRequest,
  { limits }: Settings,
  schema: Body,
): Promise<z.output<Body>> {
  const json = await readJson(request, { bytes: limits.bodyBytes.messaging, depth: limits.jsonDepth }).catch(
    error => {
      throw isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED' ? badRequest() : error
    },
  )
  const body = schema.safeParse(json)
  if (!body.success) throw refusalOf(body.error)
  return body.data
}

/**
 * Returns the refusal of a body. It names problems of the host's own fields. For all others the family has one text.
 */
function refusalOf({ issues }: z.ZodError): PlatformError {
  const issue = issues.find(({ path }) => path[0] === 'visitor' || path[0] === 'integration_attributes')
  if (issue === undefined) return badRequest()
  const message = `${MESSAGING_TEXTS.badRequest}: ${issue.path.join('.')}: ${issue.message}.`
  return new PlatformError('MESSAGING_BAD_REQUEST', message)
}

/** Receives a visitor's rating of a session, also after its end (VC25). */
const ratingRoute = defineRoute({
  method: 'PUT',
  path: '/api/v1/sessions/:sessionId/rating',
  family: 'messaging',
  credential: 'own',
  operation: 'rateSession',
  summary: 'Rate a session, also after its end',
  params: sessionParams,
  body: 'raw',
  invalid: 'MESSAGING_BAD_REQUEST',
  admitPage: pageByAccessToken,
  refusesPlainText: true,
  async handle({ platform, params: { sessionId }, request }) {
    const { headers } = request
    const refused = await platform.messaging.rateSession({
      sessionId,
      accessToken: bearerToken(headers.authorization ?? null),
      origin: headers.origin ?? null,
      async read() {
        const { comment, score } = await readBody(request, platform.settings, ratingBodySchema)
        return { score, comment: comment ?? '' }
      },
    })
    if (refused !== null) throw handshakeError(refused)
    return { status: 204 }
  },
})

/** The HTTP half of messaging (contract/messaging.md). The socket is another package's. */
export const messagingRoutes = [
  accessTokenRoute,
  sessionsRoute,
  streamRoute,
  eventsRoute,
  ratingRoute,
] as const
