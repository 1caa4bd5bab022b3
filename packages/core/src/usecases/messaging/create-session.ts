import type { Connector } from '../../domain/access/access.ts'
import { initialState } from '../../domain/conversation/initial-state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Context } from '../context.ts'
import type { Engine } from '../conversation/engine/engine.ts'
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

/** Who starts a session, and its options. */
export interface NewSessionInput {
  /** `Bearer`, then the access token. */
  readonly authorization: string | null
  /** Whether replies come in chunks; or a function that says so, called once the token was found valid. */
  readonly streaming: boolean | (() => Promise<boolean>)
}

/** The channel that records of messaging sessions carry. */
const CHANNEL = 'CHAT'

/**
 * Starts a session for the holder of an access token. It runs the deployment that is active in the connector's
 * environment now; without one, a later join pins one (MS9).
 *
 * @throws MESSAGING_BAD_REQUEST, MESSAGING_UNAUTHORISED with a text of contract/messaging.md, Over HTTP; RATE_LIMITED,
 *   and what `streaming` throws
 */
export async function createSession(
  parts: MessagingParts,
  input: NewSessionInput,
): Promise<{ readonly sessionId: ConversationId }> {
  const token = requireToken(input.authorization)
  const { connector, streaming, tokenHash } = await verifyThenRead(parts.tokens, token, input.streaming)
  const { clock, ids, settings } = parts.context
  const session = {
    id: ids.uuid(),
    kind: 'messaging' as const,
    accountId: connector.accountId,
    agentId: connector.agentId,
    environment: connector.environment,
    channel: CHANNEL,
    idleTimeout: settings.sessionIdle,
    idleWarning: warningOf(settings),
    handoffSettings: connector.handoff,
    variantId: connector.variantId,
    streaming,
    connectorId: connector.id,
    tokenHash,
  }
  const now = clock.now()
  const pinning = await parts.resolvePinning(initialState({ ...session, pinning: null }, now))
  const started = await parts.engine.start(initialState({ ...session, pinning }, now))
  if (started === 'taken') throw new PlatformError('INTERNAL', 'The new session id exists already.')
  return { sessionId: session.id }
}

/** A session whose warning would be due at its start gets no warning (MS37). */
const warningOf = ({ idleWarning, sessionIdle }: Context['settings']): number | null =>
  idleWarning > 0 && idleWarning < sessionIdle ? idleWarning : null

/**
 * The body is read after the token was found valid; its connector is read after that, since it may be revoked
 * meanwhile.
 */
async function verifyThenRead(
  tokens: AccessTokens,
  token: string,
  streaming: boolean | (() => Promise<boolean>),
): Promise<{ readonly connector: Connector; readonly streaming: boolean; readonly tokenHash: string }> {
  const refused = () => new PlatformError('MESSAGING_UNAUTHORISED', MESSAGING_TEXTS.invalidToken)
  const claims = await tokens.use(token)
  if (claims === null) throw refused()
  const wanted = typeof streaming === 'boolean' ? streaming : await streaming()
  const connector = await tokens.connectorOf(claims)
  if (connector === null) throw refused()
  return { connector, streaming: wanted, tokenHash: claims.tokenHash }
}

function requireToken(authorization: string | null): string {
  const header = authorization?.trim() ?? ''
  if (header === '' || /^bearer$/i.test(header))
    throw new PlatformError('MESSAGING_BAD_REQUEST', MESSAGING_TEXTS.missingToken)
  const token = bearerToken(header)
  if (token === null) throw new PlatformError('MESSAGING_UNAUTHORISED', MESSAGING_TEXTS.missingHeaders)
  return token
}
