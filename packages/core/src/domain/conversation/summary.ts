import type { AccountId, ConversationId, HandoffId } from '../ids.ts'
import type { Command } from './command.ts'
import type { ConversationState } from './state.ts'

/** A summary of a conversation, made by a model for live agents at a handoff (DK645). */
export interface HandoffSummary {
  /** The handoff. */
  readonly id: HandoffId
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  readonly status: 'pending' | 'done' | 'failed'
  /** Empty until it is done. */
  readonly text: string
  /** Why it failed; null otherwise. */
  readonly failure: 'timed_out' | 'failed' | null
  /** The number of times that it was begun since somebody last asked for it. */
  readonly attempts: number
  /** The time of its last change of status, milliseconds. */
  readonly at: number
  /** The time from which a process may begin it, milliseconds. While one makes it, the end of its lease. */
  readonly dueAt: number | null
  readonly version: number
}

/** Processes that may be killed while they make it, before it counts as failed. */
const MOST_ATTEMPTS = 3

/** Returns a summary that is to be made. */
export const askedSummary = (
  of: Pick<HandoffSummary, 'id' | 'conversationId' | 'accountId'>,
  now: number,
  version = 1,
): HandoffSummary => ({
  ...of,
  ...{ status: 'pending', text: '', failure: null, attempts: 0, at: now, dueAt: now, version },
})

/**
 * Returns the summary that a decision asks for: of the handoff with which a visitor waits again after a transfer. Null
 * for every other decision.
 */
export function transferSummary(
  before: ConversationState,
  after: ConversationState,
  command: Command,
  now: number,
): HandoffSummary | null {
  const { accountId, handoff, id: conversationId } = after
  const asks = command.type === 'handoff_transferred' && command.summarizes === true
  if (!asks || handoff?.status !== 'waiting' || handoff.id === before.handoff?.id) return null
  return askedSummary({ id: handoff.id, conversationId, accountId }, now)
}

/** Returns the end of a summary: its text, or why it failed. */
export const endedSummary = (
  summary: HandoffSummary,
  end: { readonly text: string } | { readonly failure: NonNullable<HandoffSummary['failure']> },
  now: number,
): HandoffSummary => ({
  ...summary,
  ...('text' in end
    ? { status: 'done', text: end.text, failure: null }
    : { status: 'failed', text: '', failure: end.failure }),
  ...{ at: now, dueAt: null, version: summary.version + 1 },
})

/** Returns a summary that a process makes until `leaseUntil`; one that was begun too often has failed. */
export const begunSummary = (summary: HandoffSummary, leaseUntil: number, now: number): HandoffSummary =>
  summary.attempts >= MOST_ATTEMPTS
    ? endedSummary(summary, { failure: 'failed' }, now)
    : { ...summary, attempts: summary.attempts + 1, dueAt: leaseUntil, version: summary.version + 1 }

/** Returns a summary that its process gives back, for another to begin at once. */
export const releasedSummary = (summary: HandoffSummary, now: number): HandoffSummary => ({
  ...summary,
  attempts: Math.max(0, summary.attempts - 1),
  dueAt: now,
  version: summary.version + 1,
})
