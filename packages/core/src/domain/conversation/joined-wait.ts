import type { AccountId } from '../ids.ts'
import type { ConversationState } from './state.ts'
import { type JoinedWait, WAIT_WINDOW } from './waiting-line.ts'

/**
 * Returns the wait that a decision ended, when a live agent joined by it, to estimate those of others; otherwise null.
 * Waits from before `keepSince` say nothing any more (DK12).
 */
export function joinedWait(
  before: ConversationState,
  after: ConversationState,
  now: number,
):
  | (JoinedWait & { readonly accountId: AccountId; readonly queueName: string; readonly keepSince: number })
  | null {
  const { handoff } = after
  if (handoff?.status !== 'active' || before.handoff?.status === 'active') return null
  // No queue is waited in for longer: what seems longer is a step of the clock (TM3).
  const longest = after.handoffSettings.timeoutSeconds * 1_000
  const waited = Math.min(Math.max(now - handoff.requestedAt, 0), longest)
  return {
    accountId: after.accountId,
    queueName: handoff.queueName,
    joinedAt: now,
    waited,
    keepSince: now - WAIT_WINDOW,
  }
}
