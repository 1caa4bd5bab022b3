import type { ConversationId, HandoffId } from '../ids.ts'

/** Returns the id of one of a conversation's handoffs, which are counted from 1. */
export const handoffIdOf = (conversationId: ConversationId, ordinal: number): HandoffId =>
  `${conversationId}.${ordinal}`

/**
 * Returns the conversation of a handoff, and its number there. A text that is not a handoff's id leads to no
 * conversation.
 */
export function readHandoffId(handoffId: string): {
  readonly conversationId: ConversationId
  readonly ordinal: number
} {
  const dot = Math.max(handoffId.lastIndexOf('.'), 0)
  const ordinal = handoffId.slice(dot + 1)
  return {
    conversationId: handoffId.slice(0, dot),
    ordinal: /^[1-9]\d{0,8}$/.test(ordinal) ? Number(ordinal) : Number.POSITIVE_INFINITY,
  }
}
