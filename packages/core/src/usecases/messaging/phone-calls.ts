import type { ConnectorInfo } from '../../domain/access/access.ts'
import type { HeardMark } from '../../domain/conversation/spoken.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { PlatformError } from '../../errors.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import { callKey, callPeriodStart, sessionOfCall } from './call-links.ts'
import { createSession, type MessagingParts, type SessionCall } from './create-session.ts'
import { type Handshake, type HandshakeParts, type HandshakeRefusal, handshake } from './handshake.ts'

/** A phone call as the store has it. */
export interface PhoneState {
  /** The sequence of the session's newest event: it grows while the call gets on. */
  readonly sequence: number
  readonly isOver: boolean
  /** The number for which the call has left, E.164. Null if it has not. */
  readonly leftFor: string | null
}

/** The session of a phone call that was opened, or opened again. */
export interface OpenedPhoneCall {
  readonly handshake: Handshake
  /** The place up to which the caller has heard. Null if nothing is known to be heard. */
  readonly heard: HeardMark | null
  /** The session's beginning, milliseconds since the epoch. */
  readonly startedAt: number
}

/** A phone call, by its carrier's id. It has one session, in whatever process its line ends (MS280). */
export interface PhoneCall {
  /** Returns null for a call without a session of the connector. */
  read(): Promise<PhoneState | null>
  /** Opens its session: the one that it has, otherwise a new one. Null if that is over. */
  open(numbers: Omit<SessionCall, 'channel'>): Promise<OpenedPhoneCall | HandshakeRefusal | null>
  /** Ends its session, as the caller. Does nothing without one. */
  end(): Promise<void>
}

const END = { type: 'end', sender: null, custom: null, clientEventId: null } as const

/**
 * Returns a phone call of a connector.
 *
 * @param reopen opens a session of the connector that is open; null if it is over
 */
export function phoneCall(
  parts: HandshakeParts & MessagingParts,
  connector: ConnectorInfo,
  callSid: string,
  reopen: (sessionId: ConversationId) => Promise<Handshake | HandshakeRefusal | null>,
): PhoneCall {
  const { context, engine, tokens } = parts
  const { clock, store } = context
  const key = callKey('phone', connector.id, callSid)

  async function find(): Promise<ConversationState | null> {
    const sessionId = await sessionOfCall(context, key)
    const state = sessionId === null ? null : await engine.load(sessionId)
    return state?.connectorId === connector.id ? state : null
  }

  async function again(state: ConversationState): Promise<OpenedPhoneCall | HandshakeRefusal | null> {
    const opened = await reopen(state.id)
    if (opened === null || 'status' in opened) return opened
    return { handshake: opened, heard: state.heard ?? null, startedAt: state.startedAt }
  }

  async function begin(call: SessionCall): Promise<OpenedPhoneCall | HandshakeRefusal | null> {
    const { accessToken } = await tokens.issue(connector)
    const authorization = `Bearer ${accessToken}`
    const { sessionId } = await createSession(parts, { authorization, streaming: true, call })
    const at = clock.now()
    const taking = { key, conversationId: sessionId, at, freeUntil: callPeriodStart(at) }
    const taken = await whileBusyFor(clock, PATIENCE, () => store.conversations.messageKeys.take(taking))
    const opened = taken === 'taken' ? await handshake(parts, { sessionId, accessToken, cursor: null }) : null
    if (opened !== null)
      return 'status' in opened ? opened : { handshake: opened, heard: null, startedAt: at }
    // The same call began at another process just now.
    await engine.execute(sessionId, END)
    const first = await find()
    if (first === null)
      throw new PlatformError('WRITE_CONFLICT', 'The call is being opened too often. Try again.')
    return again(first)
  }

  return {
    async read() {
      const state = await find()
      if (state === null) return null
      const { endedAt, leftFor = null, sequence } = state
      return { sequence, isOver: endedAt !== null, leftFor }
    },
    async open(numbers) {
      const state = await find()
      return state === null ? begin({ channel: 'VOICE-SIP', ...numbers }) : again(state)
    },
    async end() {
      const state = await find()
      if (state !== null) await engine.execute(state.id, END)
    },
  }
}
