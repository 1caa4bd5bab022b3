import type { AccountId, ConversationId } from '../ids.ts'
import { type ConversationState, isGenuine } from './state.ts'

/**
 * Ends of a wait or a talk. `answered`: a live agent came. `abandoned`: the visitor left before one came.
 * `unanswered`: nobody came for another reason, such as a rejection or a time-out. `handled`: a talk with a live agent
 * has ended, for that live agent. `declined`: a live agent has declined the offer of a visitor, who goes on waiting.
 */
export const DESK_OUTCOMES = ['answered', 'abandoned', 'unanswered', 'handled', 'declined'] as const

/** The end of a visitor's wait, or of a live agent's talk with one (DK620). */
export interface DeskOutcome {
  /** Unlike that of any other. */
  readonly id: string
  readonly conversationId: ConversationId
  readonly accountId: AccountId
  /** The deployment that the newest turn ran on. Missing where none did, and in older ones. */
  readonly deploymentId?: string
  readonly queueName: string
  readonly type: (typeof DESK_OUTCOMES)[number]
  /** The live agent who came, or who talked; null if nobody came. */
  readonly liveAgent: { readonly id: string; readonly name: string } | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The time of the wait, of the talk, or of the offer, milliseconds. */
  readonly lasted: number
}

/** Returns whose outcome it is, from the state of its conversation. */
export const ofConversation = ({
  accountId,
  deploymentId,
  id: conversationId,
}: Pick<ConversationState, 'accountId' | 'deploymentId' | 'id'>) => ({
  ...{ conversationId, accountId, ...(deploymentId !== null && { deploymentId }) },
})

const NONE: readonly DeskOutcome[] = []

/** Returns what a decision ends for the figures of the desk: a wait, a talk, or both. Mostly nothing. */
export function deskOutcomes(
  before: ConversationState,
  after: ConversationState,
  now: number,
): readonly DeskOutcome[] {
  const { handoff: from } = before
  const { handoff: to } = after
  if (from === to || from === null || to === null || !isGenuine(after.kind)) return NONE
  const isSame = to.id === from.id
  const outcome = (
    type: DeskOutcome['type'],
    { liveAgent }: Pick<typeof to, 'liveAgent'>,
    since: number,
  ): DeskOutcome => ({
    ...{ ...ofConversation(after), id: `${from.id} ${before.sequence} ${type}` },
    ...{ queueName: from.queueName, type, at: now, lasted: Math.max(now - since, 0) },
    liveAgent: liveAgent === null ? null : { id: liveAgent.id, name: liveAgent.name },
  })
  if (from.status === 'active') {
    const goesOn = isSame && to.status === 'active' && to.liveAgent?.id === from.liveAgent?.id
    return goesOn || from.joinedAt === undefined ? NONE : [outcome('handled', from, from.joinedAt)]
  }
  if (isSame && to.status === 'active') return [outcome('answered', to, from.requestedAt)]
  if (from.status !== 'waiting' || (isSame && to.status === 'waiting')) return NONE
  const hasLeft = after.endReason === 'REASON_USER_END' || after.endReason === 'REASON_USER_ABANDONED'
  return [outcome(hasLeft ? 'abandoned' : 'unanswered', { liveAgent: null }, from.requestedAt)]
}
