import type { Moment } from './draft.ts'
import { handoffIdOf } from './handoff-id.ts'
import type { ConversationState, Handoff } from './state.ts'

/** Returns the conversation's next handoff, of which no live agent knows yet. */
export function nextHandoff(
  { handoffs: before, handoffSettings, id }: ConversationState,
  { queueName, reason, destination }: Pick<Handoff, 'queueName' | 'reason' | 'destination'>,
  { at, now }: Moment,
): { readonly handoff: Handoff; readonly handoffs: number } {
  const handoffs = before + 1
  return {
    handoffs,
    handoff: {
      id: handoffIdOf(id, handoffs),
      status: 'requested',
      ...{ queueName, reason, destination },
      requestedAt: at,
      timeoutAt: now + handoffSettings.timeoutSeconds * 1000,
      liveAgent: null,
      acceptedBy: null,
      attendedUntil: null,
    },
  }
}
