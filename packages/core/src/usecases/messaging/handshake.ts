import type { ConnectorInfo } from '../../domain/access/access.ts'
import { hostMatches, originMatches } from '../../domain/access/host-match.ts'
import { sameHash } from '../../domain/access/secret.ts'
import type { AccountId, ConversationId } from '../../domain/ids.ts'
import { isPlatformError } from '../../errors.ts'
import { parseCursor } from '../../protocol/cursor.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Engine, ReadConversation } from '../conversation/engine/engine.ts'
import type { AccessTokens } from './access-token.ts'
import { openConnection } from './connection.ts'
import type { CallConnection, Connection, ConnectionPort } from './connection-port.ts'
import type { ConnectionSlot, OpenSessions, SessionUse } from './open-sessions.ts'
import type { ReplayedFrom } from './replay.ts'

/** The credentials that a visitor's client presents. */
export interface HandshakeInput {
  readonly sessionId: string | null
  readonly accessToken: string | null
  /** The sequence of the newest event that the client has; null for a client without events. */
  readonly cursor: string | null
  /** The browser's `Origin` header. @default null, not a browser */
  readonly origin?: string | null
  /**
   * The host of the page around a frame, as the frame says: the browser's `Origin` is the frame's own there.
   *
   * @default null, not a frame
   */
  readonly frameHost?: string | null
}

/** The reason why a handshake is refused: HTTP status and text of contract/messaging.md, Handshake. */
export interface HandshakeRefusal {
  readonly status: 400 | 401 | 403 | 404 | 429 | 503
  readonly message: string
  /** Whole seconds until the next attempt, if known. */
  readonly retryAfterSeconds?: number
}

/** A visitor's connection that passed all checks of the handshake and may be opened. */
export interface Handshake {
  readonly sessionId: ConversationId
  readonly accountId: AccountId
  /**
   * Opens the connection, once the transport's socket is ready to send. The first frame is the replay. Call it at most
   * once.
   */
  open(port: ConnectionPort): Connection
  /** Opens it, in place of `open`, for a gateway of calls: how each message was said is what the gateway says. */
  openCall(port: ConnectionPort): CallConnection
  /** Releases the slot when the socket did not open. Does nothing after `open`. */
  abandon(): void
}

/** Returns the handshake of a slot that was reserved. */
export const admitted = (slot: ConnectionSlot, replayed: ReplayedFrom): Handshake => ({
  sessionId: slot.session.id,
  accountId: replayed.found.state.accountId,
  open: port => openConnection(slot, port, replayed, false),
  openCall: port => openConnection(slot, port, replayed, true),
  abandon: () => slot.abandon(),
})

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Seconds until the next attempt when all slots are taken: when one becomes free is not known. */
export const SLOT_WAIT = 5

/** Errors that a handshake reports, by their codes: the client may retry later. */
const LATER = {
  RATE_LIMITED: { status: 429, message: MESSAGING_TEXTS.handshakeRate },
  STORE_BUSY: { status: 503, message: MESSAGING_TEXTS.handshakeBusy },
} as const

/** Returns the refusal of a client that has to come again later. Other errors have no answer in a handshake. */
export function laterOf(error: unknown): HandshakeRefusal {
  if (!isPlatformError(error)) throw error
  const { code, details } = error
  if (code !== 'RATE_LIMITED' && code !== 'STORE_BUSY') throw error
  const { retryAfterSeconds = 1 } = details
  return { ...LATER[code], retryAfterSeconds }
}

/** The refusals that need nothing further. */
export const UNAUTHORISED = { status: 401, message: MESSAGING_TEXTS.handshakeToken } as const
export const UNKNOWN_SESSION = { status: 404, message: MESSAGING_TEXTS.handshakeSession } as const
export const MISSING_PARAMETERS = { status: 400, message: MESSAGING_TEXTS.handshakeParameters } as const

/** A session, or why it cannot be used. */
type Found = ReadConversation | { readonly refusal: HandshakeRefusal }

/** The facts that are known once the connector was read. */
interface Checked {
  readonly connector: ConnectorInfo | null
  readonly use: Pick<SessionUse, 'session'> | null
  readonly origin: string | null
  readonly frameHost?: string | null
}

/** Finds the session of that id, open or over, if it was started with the token. */
export async function findAnySession(engine: Engine, sessionId: string, tokenHash: string): Promise<Found> {
  const found = UUID.test(sessionId) ? await engine.read(sessionId.toLowerCase()) : null
  if (found === null || found.state.kind !== 'messaging' || found.state.tokenHash === null)
    return { refusal: UNKNOWN_SESSION }
  return sameHash(found.state.tokenHash, tokenHash) ? found : { refusal: UNAUTHORISED }
}

/** Finds the session of that id, if it is open and was started with the token. */
export async function findSession(engine: Engine, sessionId: string, tokenHash: string): Promise<Found> {
  const found = await findAnySession(engine, sessionId, tokenHash)
  return 'state' in found && found.state.endedAt !== null ? { refusal: UNKNOWN_SESSION } : found
}

/** Returns the reason why a session that was found cannot be opened, apart from its slots. Null when it can. */
export function refusalOf(
  found: Found,
  { connector, frameHost = null, origin, use }: Checked,
): HandshakeRefusal | null {
  if (connector === null || use?.session.revoked === true) return UNAUTHORISED
  if ('refusal' in found) return found.refusal
  // Only browsers send a trustworthy origin: other programs send none, or any they like, so it proves nothing about
  // them.
  const isKnown =
    (origin === null || originMatches(connector.hosts, origin)) &&
    (frameHost === null || hostMatches(connector.hosts, frameHost))
  return isKnown ? null : { status: 403, message: MESSAGING_TEXTS.origin }
}

/** The dependencies of a handshake. */
export interface HandshakeParts {
  readonly engine: Engine
  readonly tokens: AccessTokens
  readonly sessions: OpenSessions
}

/** Checks a connection before it is opened; the first failure is the answer (MS10). */
export const handshake = (
  parts: HandshakeParts,
  input: HandshakeInput,
): Promise<Handshake | HandshakeRefusal> => check(parts, input).catch(laterOf)

async function check(parts: HandshakeParts, input: HandshakeInput): Promise<Handshake | HandshakeRefusal> {
  const { sessionId, accessToken, frameHost = null, origin = null } = input
  if (!sessionId || !accessToken) return MISSING_PARAMETERS
  const claims = await parts.tokens.use(accessToken)
  if (claims === null) return UNAUTHORISED
  const found = await findSession(parts.engine, sessionId, claims.tokenHash)
  const reserved = 'state' in found ? parts.sessions.reserve(found.state) : null
  // Awaited only where other processes are asked.
  const slot = reserved instanceof Promise ? await reserved : reserved
  // Read here, so that the connection does not keep the request's token in memory.
  const cursor = parseCursor(input.cursor)
  // Read after the session has subscribed to revocations: an earlier one is found here, and a later one is notified.
  const connector = await parts.tokens.connectorOf(claims).catch(error => {
    slot?.abandon()
    throw error
  })
  const refusal = refusalOf(found, { connector, use: slot, frameHost, origin })
  if (slot !== null && 'state' in found && refusal === null) return admitted(slot, { cursor, found })
  slot?.abandon()
  return refusal ?? { status: 429, message: MESSAGING_TEXTS.handshakeLimit, retryAfterSeconds: SLOT_WAIT }
}
