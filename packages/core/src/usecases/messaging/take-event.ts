import type { Command, Pinning } from '../../domain/conversation/command.ts'
import { FAILURE_TEXT } from '../../domain/conversation/pending-inputs.ts'
import { type ClientEvent, clientIdsOf } from '../../protocol/client-frame.ts'
import { REFUSAL_TEXTS } from '../../protocol/system-messages.ts'
import type { Outcome } from '../conversation/engine/engine.ts'
import type { VisitorConnection } from './visitor-connection.ts'

/** Carries out one event of a visitor's client; never rejects. The sender is told why when it had no effect (MS16). */
export async function takeEvent(connection: VisitorConnection, event: ClientEvent): Promise<void> {
  const { session } = connection
  session.feed.refresh()
  if (event.type === 'HEARTBEAT') return connection.heartbeat(event)
  try {
    if (session.revoked) return connection.close('session_unknown')
    const runsAgent = event.type === 'USER_MESSAGE' || event.type === 'REQUEST_AI_AGENT_JOIN'
    const pinning = runsAgent && !session.pinned ? await session.pinning() : null
    const outcome = await session.parts.engine.execute(session.id, commandOf(connection, event, pinning))
    if (outcome.status === 'done') session.wrote(outcome.state)
    else await answer(connection, event, outcome)
  } catch (error) {
    session.parts.context.settings.onError(error, `messaging ${event.type}`)
    session.presence.seen()
    if (event.type === 'USER_TYPING') return
    const text = event.type === 'REQUEST_AI_AGENT_JOIN' ? FAILURE_TEXT.start : FAILURE_TEXT.reply
    connection.systemMessage('SYSTEM_MESSAGE_LEVEL_ERROR', text, event.custom)
  }
}

function commandOf(
  connection: VisitorConnection,
  event: Exclude<ClientEvent, { type: 'HEARTBEAT' }>,
  pinning: Pinning | null,
): Command {
  const { custom } = event
  const origin = { sender: connection.id, custom, ...clientIdsOf(custom) }
  switch (event.type) {
    case 'REQUEST_AI_AGENT_JOIN':
      return { type: 'join', pinning, ...origin }
    case 'USER_MESSAGE':
      return { type: 'message', text: event.text, pinning, ...origin }
    case 'USER_END_SESSION':
      return { type: 'end', ...origin }
    case 'USER_TYPING':
      return { type: 'typing', state: event.state }
  }
}

/** Answers an event that had no effect. */
async function answer(
  connection: VisitorConnection,
  event: ClientEvent,
  outcome: Exclude<Outcome, { status: 'done' }>,
): Promise<void> {
  const { session } = connection
  switch (outcome.status) {
    case 'duplicate':
      session.presence.seen()
      // The original may still be on its way to this connection; the copy must not overtake it.
      session.feed.grown(outcome.event.sequence)
      await session.feed.quiet()
      return connection.resend(outcome.event)
    case 'refused':
      session.presence.seen()
      if (event.type === 'USER_TYPING') return
      return connection.systemMessage(
        'SYSTEM_MESSAGE_LEVEL_ERROR',
        REFUSAL_TEXTS[outcome.refusal],
        event.custom,
      )
    case 'missing':
      return connection.close('session_unknown')
  }
}
