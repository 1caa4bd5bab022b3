import { z } from 'zod'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import { defineRoute, type HttpRequest } from '../route.ts'

const anything = z.object({})

/** The optional body of a new session; other fields are ignored. */
const sessionBodySchema = z.object({
  streaming_enabled: z.boolean().nullish(),
  platform: z.enum(['web', 'ios', 'android', 'ios-web', 'android-web', 'custom']).nullish(),
})

/** Tokens must not travel in plain text (decisions.md section 8, HTTP; MS14). */
function requireSecure(request: HttpRequest): void {
  if (!request.secure) throw new PlatformError('MESSAGING_INSECURE', MESSAGING_TEXTS.insecure)
}

const accessTokenRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/access-token',
  family: 'messaging',
  credential: 'own',
  summary: 'Trade a connector token and a registered host for an access token',
  params: anything,
  query: anything,
  body: null,
  async handle({ platform, request }) {
    requireSecure(request)
    const { accessToken, expiresIn } = await platform.messaging.issueAccessToken({
      connectorToken: request.headers['x-token'] ?? null,
      host: request.headers['x-host'] ?? null,
      remoteAddress: request.remoteAddress,
    })
    return {
      status: 200,
      json: { access_token: accessToken, expires_in: expiresIn, token_type: 'Bearer' },
      headers: { 'cache-control': 'no-store' },
    }
  },
})

const sessionsRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions',
  family: 'messaging',
  credential: 'own',
  summary: 'Start a messaging session',
  params: anything,
  query: anything,
  body: 'raw',
  async handle({ platform, request }) {
    requireSecure(request)
    const body = parseBody(await request.body(platform.context.settings.limits.bodyBytes))
    const { sessionId } = await platform.messaging.createSession({
      authorization: request.headers.authorization ?? null,
      streaming: body.streaming_enabled ?? false,
    })
    return { status: 200, json: { session_id: sessionId } }
  },
})

function parseBody(bytes: Uint8Array): z.output<typeof sessionBodySchema> {
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return {}
  const body = sessionBodySchema.safeParse(parseJson(text))
  if (!body.success) throw new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.badRequest)
  return body.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The HTTP half of messaging (platform-api.md, Messaging). The socket is another package's. */
export const messagingRoutes = [accessTokenRoute, sessionsRoute] as const
