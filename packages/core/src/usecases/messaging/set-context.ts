import { readContextToken } from '../../domain/access/context-token.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { ClientEvent } from '../../protocol/client-frame.ts'
import { CONTEXT_TEXT } from '../../protocol/system-messages.ts'
import { PATIENCE, whileBusyFor } from '../shared/while-busy.ts'
import type { EventSender } from './visitor-connection.ts'

/**
 * Sets the conversation's verified context from a token, in place of the earlier one; null removes it. An invalid token
 * changes nothing: the page gets an error, and only the host's log has the reason (MS49). A repeat has no further
 * effect, so it is retried while the store is busy.
 */
export async function setContext(
  sender: EventSender,
  { payload: { token }, custom }: Extract<ClientEvent, { type: 'SET_CONTEXT' }>,
): Promise<void> {
  const { id, session } = sender
  const { context, engine } = session.parts
  const { clock, log, settings, store } = context
  const set = async (context: JsonObject | null): Promise<void> => {
    const command = { type: 'set_context' as const, context }
    const outcome = await whileBusyFor(clock, PATIENCE, () => engine.execute(session.id, command))
    if (outcome.status === 'done') session.wrote(outcome.state)
    else session.presence.seen()
  }
  if (token === null) return set(null)
  // Read each time: a secret may have been rotated in any process.
  const connector =
    session.connectorId === null
      ? null
      : await whileBusyFor(clock, PATIENCE, () => store.access.connectors.find(session.connectorId ?? ''))
  const read = readContextToken(token, {
    secrets: connector?.contextKeys ?? [],
    contextId: session.id,
    now: clock.now(),
    tolerance: settings.tokenClockTolerance,
  })
  if ('refusal' in read) {
    session.presence.seen()
    log.warn(`A context token was not taken: ${read.refusal}`, {
      conversationId: session.id,
      connectionId: id,
    })
    return sender.systemMessage('SYSTEM_MESSAGE_LEVEL_WARNING', CONTEXT_TEXT, custom)
  }
  return set(read.context)
}
