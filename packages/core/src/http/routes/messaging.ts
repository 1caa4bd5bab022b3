import * as z from 'zod'
import { isPlatformError, PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { readJson } from '../read-json.ts'
import { defineRoute, type HttpRequest, type Route } from '../route.ts'

const anything = z.object({})

/** The optional body of a new session; other fields are ignored. */
export const sessionBodySchema = z.object({
  streaming_enabled: z.boolean().nullish(),
  platform: z.enum(['web', 'ios', 'android', 'ios-web', 'android-web', 'custom']).nullish(),
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
  summary: 'Trade a connector token and a registered host for an access token',
  params: anything,
  query: anything,
  body: null,
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
  params: anything,
  query: anything,
  body: 'raw',
  admitPage: pageByAccessToken,
  refusesPlainText: true,
  async handle({ platform, request }) {
    const { sessionId } = await platform.messaging.createSession({
      authorization: request.headers.authorization ?? null,
      streaming: async () => (await readBody(request, platform.settings)).streaming_enabled ?? false,
    })
    return { status: 200, json: { session_id: sessionId } }
  },
})

const badRequest = (): PlatformError => new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.badRequest)

/**
 * Every body that cannot be read is refused in the one text that the family has for it (contract/messaging.md, Over
 * HTTP).
 */
async function readBody(
  request: HttpRequest,
  { limits }: Settings,
): Promise<z.output<typeof sessionBodySchema>> {
  const json = await readJson(request, { bytes: limits.bodyBytes.messaging, depth: limits.jsonDepth }).catch(
    error => {
      throw isPlatformError(error) && error.code === 'SCHEMA_VALIDATION_FAILED' ? badRequest() : error
    },
  )
  const body = sessionBodySchema.safeParse(json)
  if (!body.success) throw badRequest()
  return body.data
}

/** The HTTP half of messaging (contract/messaging.md). The socket is another package's. */
export const messagingRoutes = [accessTokenRoute, sessionsRoute] as const
