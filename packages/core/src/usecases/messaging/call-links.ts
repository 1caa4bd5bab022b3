import { hashSecret } from '../../domain/access/secret.ts'
import type { ConnectorId, ConversationId } from '../../domain/ids.ts'
import type { Context } from '../context.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'

type LinkContext = Pick<Context, 'clock' | 'store'>

/** The time for which a name stands, milliseconds (MS276). */
const PERIOD = 86_400_000

/** Whoever knows the name hears the session: no store has it as it is. */
const keyOf = (connectorId: ConnectorId, callSid: string): string =>
  hashSecret(JSON.stringify(['call', connectorId, callSid]))

/** Keeps that the visitor of a session has named a call as theirs: the last one that did has it. */
export async function linkCall(
  { clock, store }: LinkContext,
  connectorId: ConnectorId,
  callSid: string,
  sessionId: ConversationId,
): Promise<void> {
  const at = clock.now()
  const giving = { key: keyOf(connectorId, callSid), conversationId: sessionId, at, freeUntil: at - PERIOD }
  await whileBusyFor(clock, PATIENCE, () => store.conversations.messageKeys.give(giving))
}

/** Returns the session whose visitor has named the call, in whatever process; null if none has. */
export const linkedSession = (
  { clock, store }: LinkContext,
  connectorId: ConnectorId,
  callSid: string,
): Promise<ConversationId | null> =>
  store.conversations.messageKeys.holder(keyOf(connectorId, callSid), clock.now() - PERIOD)
