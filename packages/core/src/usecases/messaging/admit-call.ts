import type { ConnectorInfo } from '../../domain/access/access.ts'
import { originMatches } from '../../domain/access/host-match.ts'
import type { AccountId, AgentId, ConversationId } from '../../domain/ids.ts'
import { parseCursor } from '../../protocol/cursor.ts'
import { MESSAGING_TEXTS } from '../../protocol/http-errors.ts'
import type { Access } from '../access/access.ts'
import { attempt } from '../access/attempt.ts'
import type { Limiters } from '../access/limiters.ts'
import type { Context } from '../context.ts'
import { callKey, sessionOfCall } from './call-links.ts'
import { createSession, type MessagingParts } from './create-session.ts'
import {
  admitted,
  type Handshake,
  type HandshakeParts,
  type HandshakeRefusal,
  handshake,
  laterOf,
  SLOT_WAIT,
} from './handshake.ts'
import { tokenAttempt } from './issue-access-token.ts'
import { type PhoneCall, phoneCall } from './phone-calls.ts'

/** The credentials of a call whose client shows the token of a connector alone. */
export interface CallInput {
  readonly connectorToken: string | null
  /** The browser's `Origin` header; null for a program other than a browser. */
  readonly origin: string | null
  /** As in `AccessTokenInput`. */
  readonly remoteAddress: string
}

/** A call that may be opened, for the agent of a connector. */
export interface AdmittedCall {
  readonly accountId: AccountId
  readonly agentId: AgentId
  /** Opens a session of the caller's own. */
  open(): Promise<Handshake | HandshakeRefusal>
  /**
   * Opens the session whose visitor has said that the call with this id is theirs (MS276). Null if none has so far, or
   * if it is over.
   */
  openLinked(callSid: string): Promise<Handshake | HandshakeRefusal | null>
  /** The phone call that its carrier knows by this id (MS280). */
  phone(callSid: string): PhoneCall
}

interface AdmitCallParts extends HandshakeParts, MessagingParts {
  readonly context: Context
  readonly access: Pick<Access, 'connectorByToken'>
  readonly limiters: Limiters
}

const refusal = (status: 401 | 403, message: string): HandshakeRefusal => ({ status, message })

/** Checks the token of a call, within the same rate limits as over HTTP (SM20), and the page that it comes from. */
export const admitCall = (
  parts: AdmitCallParts,
  input: CallInput,
): Promise<AdmittedCall | HandshakeRefusal> => check(parts, input).catch(laterOf)

async function check(
  parts: AdmitCallParts,
  { connectorToken, origin, remoteAddress }: CallInput,
): Promise<AdmittedCall | HandshakeRefusal> {
  const { access, limiters, tokens } = parts
  if (!connectorToken) return refusal(401, MESSAGING_TEXTS.unknownConnector)
  const counted = tokenAttempt(limiters, connectorToken, remoteAddress)
  const connector = await attempt(limiters, counted, () => access.connectorByToken(connectorToken))
  if (connector === null) return refusal(401, MESSAGING_TEXTS.unknownConnector)
  if (connector.hosts.length === 0) return refusal(401, MESSAGING_TEXTS.noHost)
  if (origin !== null && !originMatches(connector.hosts, origin)) return refusal(403, MESSAGING_TEXTS.origin)
  const { accountId, agentId, id: connectorId } = connector

  async function open(known: ConnectorInfo): Promise<Handshake | HandshakeRefusal> {
    const { accessToken } = await tokens.issue(known)
    const { sessionId } = await createSession(parts, {
      authorization: `Bearer ${accessToken}`,
      streaming: true,
      call: { channel: 'VOICE-WEBRTC' },
    })
    return handshake(parts, { sessionId, accessToken, cursor: null })
  }

  async function openLinked(token: string, callSid: string): Promise<Handshake | HandshakeRefusal | null> {
    const sessionId = await sessionOfCall(parts.context, callKey('call', connectorId, callSid))
    return sessionId === null ? null : reopen(token, sessionId)
  }

  async function reopen(
    token: string,
    sessionId: ConversationId,
  ): Promise<Handshake | HandshakeRefusal | null> {
    const found = await parts.engine.read(sessionId)
    if (found === null || found.state.endedAt !== null || found.state.connectorId !== connectorId) return null
    const slot = await parts.sessions.reserve(found.state)
    // Asked again behind the session's subscription to revocations, as at every handshake.
    const isInForce = (await access.connectorByToken(token)) !== null
    if (slot !== null && isInForce && !slot.session.revoked)
      return admitted(slot, { cursor: parseCursor(null), found })
    slot?.abandon()
    if (!isInForce) return refusal(401, MESSAGING_TEXTS.unknownConnector)
    return { status: 429, message: MESSAGING_TEXTS.handshakeLimit, retryAfterSeconds: SLOT_WAIT }
  }

  return {
    ...{ accountId, agentId },
    open: () => open(connector).catch(laterOf),
    openLinked: callSid => openLinked(connectorToken, callSid).catch(laterOf),
    phone: callSid =>
      phoneCall(parts, connector, callSid, sessionId => reopen(connectorToken, sessionId).catch(laterOf)),
  }
}
