import { hashSecret } from '../../domain/access/secret.ts'
import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'

type LinkContext = Pick<Context, 'clock' | 'store'>

/** The time for which a name stands, milliseconds (MS276, MS280). */
const PERIOD = 86_400_000

/** Names of that time or an earlier one stand no more. */
export const callPeriodStart = (at: number): number => at - PERIOD

/**
 * Returns the key of a call's name: one that a visitor gave it, or the carrier's id of a phone call. A visitor cannot
 * name a phone call. Whoever knows the name hears the session: no store has it as it is.
 */
export const callKey = (by: 'call' | 'phone', connectorId: ConnectorId, callSid: string): string =>
  hashSecret(JSON.stringify([by, connectorId, callSid]))

/** Keeps that the visitor of a session has named a call as theirs: the last one that did has it. */
export async function linkCall(
  { clock, store }: LinkContext,
  connectorId: ConnectorId,
  callSid: string,
  sessionId: ConversationId,
): Promise<void> {
  const at = clock.now()
  const key = callKey('call', connectorId, callSid)
  const giving = { key, conversationId: sessionId, at, freeUntil: callPeriodStart(at) }
  await whileBusyFor(clock, PATIENCE, () => store.conversations.messageKeys.give(giving))
}

/** Returns the session that has the call, in whatever process; null if none has. */
export const sessionOfCall = ({ clock, store }: LinkContext, key: string): Promise<ConversationId | null> =>
  store.conversations.messageKeys.holder(key, callPeriodStart(clock.now()))
