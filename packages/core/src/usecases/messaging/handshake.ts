import { originMatches } from '../../domain/access/host-match.ts'
import { hashSecret, sameHash } from '../../domain/access/secret.ts'
import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import { parseCursor } from '../../protocol/cursor.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { CredentialWatch } from '../access/credential-watch.ts'
import type { Engine } from '../conversation/engine/engine.ts'
import type { AccessTokens } from './access-token.ts'
import { openConnection } from './connection.ts'
import type { Connection, ConnectionPort } from './connection-port.ts'
import type { OpenSessions } from './open-sessions.ts'

/** What a visitor's client presents. */
export interface HandshakeInput {
  readonly sessionId: string | null
  readonly accessToken: string | null
  /** The sequence of the newest event that the client has; null for a client without events. */
  readonly cursor: string | null
  /** The browser's `Origin` header. @default null, not a browser */
  readonly origin?: string | null
}

/** Why a handshake is refused: HTTP status and text of contract/messaging.md, Handshake. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 403 | 404 | 429
  readonly message: string
  /** Whole seconds until the next attempt, if known. */
  readonly retryAfterSeconds?: number
}

/** A visitor's connection that passed all checks of the handshake and may be opened. */
export interface Handshake {
  readonly sessionId: ConversationId
  /**
   * Opens the connection, once the transport's socket is ready to send. The first frame is the replay. Call it at most
   * once.
   */
  open(port: ConnectionPort): Connection
  /** Releases the slot when the socket did not open. Does nothing after `open`. */
  abandon(): void
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Seconds until the next attempt when all slots are taken: when one becomes free is not known. */
const SLOT_WAIT = 5

/** The refusal of a rate-limited visitor. Other errors have no answer in a handshake. */
function tooOften(error: unknown): HandshakeRefusal {
  const retryAfterSeconds = isPlatformError(error) ? error.details.retryAfterSeconds : undefined
  if (retryAfterSeconds === undefined) throw error
  return { status: 429, message: MESSAGING_TEXTS.handshakeRate, retryAfterSeconds }
}

/** Checks a connection before it is opened; the first failure is the answer (MS10). */
export async function handshake(
  parts: {
    readonly engine: Engine
    readonly tokens: AccessTokens
    readonly sessions: OpenSessions
    readonly connectors: CredentialWatch<ConnectorId>
  },
  input: HandshakeInput,
): Promise<Handshake | HandshakeRefusal> {
  const { sessionId, accessToken, origin = null } = input
  if (!sessionId || !accessToken) return { status: 400, message: MESSAGING_TEXTS.handshakeParameters }
  const unauthorised = { status: 401, message: MESSAGING_TEXTS.handshakeToken } as const
  const verified = await parts.tokens.verify(accessToken).catch(tooOften)
  if (verified === null) return unauthorised
  if ('status' in verified) return verified
  const id = UUID.test(sessionId) ? sessionId.toLowerCase() : null
  const state = id === null ? null : await parts.engine.load(id)
  if (state === null || state.kind !== 'messaging' || state.tokenHash === null)
    return { status: 404, message: MESSAGING_TEXTS.handshakeSession }
  if (!sameHash(state.tokenHash, hashSecret(accessToken))) return unauthorised
  if (state.endedAt !== null) return { status: 404, message: MESSAGING_TEXTS.handshakeSession }
  // Only browsers send a trustworthy origin: other programs send none, or any they like, so it proves nothing about
  // them.
  if (origin !== null && !originMatches(verified.connector.hosts, origin))
    return { status: 403, message: MESSAGING_TEXTS.origin }
  const slot = parts.sessions.reserve(state)
  // Read here, so that the connection does not keep the request's token in memory.
  const cursor = parseCursor(input.cursor)
  if (slot === null)
    return { status: 429, message: MESSAGING_TEXTS.handshakeLimit, retryAfterSeconds: SLOT_WAIT }
  // From here on the session is told of revocations. One between the check of the token and now is found here.
  await parts.connectors.check(verified.connector.id).catch(error => {
    slot.abandon()
    throw error
  })
  if (slot.session.revoked) {
    slot.abandon()
    return unauthorised
  }
  return {
    sessionId: state.id,
    open: port => openConnection(slot, port, cursor),
    abandon: () => slot.abandon(),
  }
}
