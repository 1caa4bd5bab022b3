import type { ConversationState } from './state.ts'
import { type JoinedWait, WAIT_WINDOW } from './waiting-line.ts'

/**
 * The wait that a decision ended, when a live agent joined by it, to estimate those of others; otherwise null. Waits
 * from before `keepSince` say nothing any more (DK13).
 */
export function joinedWait(
  before: ConversationState,
  after: ConversationState,
  now: number,
): (JoinedWait & { readonly queueName: string; readonly keepSince: number }) | null {
  const { handoff } = after
  if (handoff?.status !== 'active' || before.handoff?.status === 'active') return null
  const waited = Math.max(now - handoff.requestedAt, 0)
  return { queueName: handoff.queueName, joinedAt: now, waited, keepSince: now - WAIT_WINDOW }
}
