import * as z from 'zod'
import type { InputOf } from '../../calls/call.ts'
import type { ConnectorInfo } from '../../domain/access/access.ts'
import { verifyingKeys } from '../../domain/access/context-key.ts'
import { arrivalOf } from '../../domain/conversation/arrival.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import { type SessionVisitor, visitorSchema } from '../../domain/conversation/visitor.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/json.ts'
import { onFirstUse } from '../../domain/on-first-use.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import { anyOf, naming } from '../shared/arguments.ts'
import { checked } from '../shared/checked.ts'
import { jsonObject } from '../shared/json-object.ts'
import { refuseAttributes } from '../shared/refuse-attributes.ts'
import type { AccessTokens } from './access-token.ts'
import { bearerToken } from './access-token.ts'
import type { ResolvePinning } from './resolve-pinning.ts'

/** The dependencies of the use cases of messaging. */
export interface MessagingParts {
  readonly context: Context
  readonly engine: Engine
  readonly tokens: AccessTokens
  readonly resolvePinning: ResolvePinning
}

/** The options of a new session. */
export interface SessionOptions {
  /** Whether replies come in chunks. */
  readonly streaming: boolean
  /**
   * The client's platform. Records have the channel `WEBCHAT` for a web widget (`web`, `ios-web`, `android-web`).
   * @default channel `CHAT`
   */
  readonly platform?: SessionPlatform
  /**
   * The visitor's identity as the host's server gives it. Functions, runtimes, live agents and records see it (MS45).
   * @default unknown
   */
  readonly visitor?: SessionVisitor
  /** The session's attributes for functions, at most `limits.variableBytes` of JSON (MS45). @default {} */
  readonly integrationAttributes?: JsonObject
  /**
   * The page that the visitor is on. Live agents see its title and its address, without query and fragment. What is no
   * http or https address of at most 2,048 characters is left out (DK640).
   * @default unknown
   */
  readonly page?: { readonly url: string; readonly title?: string }
  /** The header `user-agent` of the visitor's browser. Live agents see the device (DK640). @default unknown */
  readonly userAgent?: string
}

/** The channels of calls: over the phone, and over WebRTC. */
const CALL_CHANNELS = ['VOICE-SIP', 'VOICE-WEBRTC'] as const

const number = z.string().max(100, 'must have at most 100 characters').exactOptional()
const callSchema = z.object({ channel: z.enum(CALL_CHANNELS), fromNumber: number, toNumber: number })

/** The call that a session is for: the channel of its record, and its numbers, E.164 for most. */
export type SessionCall = InputOf<typeof callSchema>

/** The caller who starts a session, and its options. */
export interface NewSessionInput extends SessionOptions {
  /** `Bearer`, then the access token. */
  readonly authorization: string | null
  /**
   * The call that the session is for, as a gateway of calls knows it: nobody can say so over HTTP (MS278).
   * @default none, and the channel is that of `platform`
   */
  readonly call?: SessionCall
}

/** The same from outside: options are read once the token was found valid. */
export interface SessionRequest {
  readonly authorization: string | null
  read(): Promise<SessionOptions>
  /** Rejects unless the caller may say who the visitor of that connector is; asked where it does. */
  admit(connector: ConnectorInfo): Promise<void>
}

/** Platforms of sessions: how a client shows the conversation. */
export const SESSION_PLATFORMS = ['web', 'ios', 'android', 'ios-web', 'android-web', 'custom'] as const
export type SessionPlatform = (typeof SESSION_PLATFORMS)[number]

/** The caller and the options of a session. Options are checked once the token was found valid. */
export const sessionSchema = onFirstUse(() =>
  naming<NewSessionInput | SessionRequest>(
    anyOf(hostSchema, {
      authorization: z.string().nullish(),
      ...{ streaming: any, read: any, admit: any },
    }),
  ),
)

const any = z.unknown().optional()
const hostSchema = z.object({
  platform: z.enum(SESSION_PLATFORMS).exactOptional(),
  visitor: visitorSchema.exactOptional(),
  integrationAttributes: jsonObject.exactOptional(),
  page: z.object({ url: z.string(), title: z.string().exactOptional() }).exactOptional(),
  userAgent: z.string().exactOptional(),
  call: callSchema.exactOptional(),
})

const WEB_WIDGETS: ReadonlySet<SessionPlatform> = new Set(['web', 'ios-web', 'android-web'])

/** Returns the channel of a session's record. A web widget's has one of its own. */
const channelOf = (platform: SessionPlatform | undefined): string =>
  platform !== undefined && WEB_WIDGETS.has(platform) ? 'WEBCHAT' : 'CHAT'

/**
 * Starts a session for the holder of an access token. It runs the deployment that is active in the connector's
 * environment now; without one, a later join pins one (MS45).
 *
 * @throws MESSAGING_BAD_REQUEST, MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED,
 *   SCHEMA_VALIDATION_FAILED for a visitor or attributes that will not do; and what reading a request throws
 */
export async function createSession(
  parts: MessagingParts,
  input: NewSessionInput | SessionRequest,
): Promise<{ readonly sessionId: ConversationId }> {
  const { clock, ids, settings } = parts.context
  const { connector, options, tokenHash } = await verifyThenRead(parts.tokens, input)
  const { page = null, streaming, userAgent = null, visitor = null, integrationAttributes = {} } = options
  refuseAttributes(integrationAttributes, 'integrationAttributes', settings.limits.variableBytes)
  checked(hostSchema, options)
  // A request from outside is no call, whatever it says.
  const call = 'read' in input ? undefined : input.call
  const session = {
    id: ids.uuid(),
    kind: 'messaging' as const,
    accountId: connector.accountId,
    agentId: connector.agentId,
    environment: connector.environment,
    channel: call?.channel ?? channelOf(options.platform),
    fromNumber: call?.fromNumber ?? '',
    toNumber: call?.toNumber ?? '',
    idleTimeout: settings.sessionIdle,
    idleWarning: warningOf(settings),
    handoffSettings: connector.handoff,
    variantId: connector.variantId,
    streaming,
    visitor,
    integrationAttributes,
    arrival: settings.visitorDetails ? arrivalOf(page, userAgent) : null,
    connectorId: connector.id,
    tokenHash,
  }
  const now = clock.now()
  const pinning = await parts.resolvePinning(initialState({ ...session, pinning: null }, now))
  const signs = verifyingKeys(connector.contextKeys, now).length > 0
  const offer = signs ? { context_id: session.id } : {}
  const started = await parts.engine.start(initialState({ ...session, pinning }, now), { offer })
  if (started.status === 'taken') throw new PlatformError('INTERNAL', 'The new session id exists already.')
  return { sessionId: session.id }
}

/** Returns the warning of a session. One whose warning would be due at its start gets none (MS11). */
const warningOf = ({ idleWarning, sessionIdle }: Context['settings']): number | null =>
  idleWarning > 0 && idleWarning < sessionIdle ? idleWarning : null

/** Verifies the token, then reads the options. The connector is read after that, since it may be revoked meanwhile. */
async function verifyThenRead(
  tokens: AccessTokens,
  input: NewSessionInput | SessionRequest,
): Promise<{
  readonly connector: ConnectorInfo
  readonly options: SessionOptions
  readonly tokenHash: string
}> {
  const token = requireToken(input.authorization)
  const refused = () => new PlatformError('MESSAGING_UNAUTHORISED', MESSAGING_TEXTS.invalidToken)
  const claims = await tokens.use(token)
  if (claims === null) throw refused()
  const options = 'read' in input ? await input.read() : input
  const connector = await tokens.connectorOf(claims)
  if (connector === null) throw refused()
  const saysWho = options.visitor !== undefined || options.integrationAttributes !== undefined
  if ('read' in input && saysWho) await input.admit(connector)
  return { connector, options, tokenHash: claims.tokenHash }
}

function requireToken(authorization: string | null): string {
  const header = authorization?.trim() ?? ''
  if (header === '' || /^bearer$/i.test(header))
    throw new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.missingToken)
  const token = bearerToken(header)
  if (token === null) throw new PlatformError('MESSAGING_UNAUTHORISED', MESSAGING_TEXTS.missingHeaders)
  return token
}
