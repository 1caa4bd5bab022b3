import type { Command } from './command.ts'
import type { ConversationState } from './state.ts'

/** The room that a live agent must have for one more visitor. */
export interface TalkRoom {
  readonly liveAgentId: string
  /** The most visitors whom the live agent may have before the write. */
  readonly atMost: number
}

const withWhom = ({ handoff }: ConversationState): string | null =>
  handoff?.status === 'active' ? (handoff.liveAgent?.id ?? null) : null

/**
 * Returns the room that a decision takes, if it gives the visitor to a live agent who is bound to a number of them
 * (DK604). Null if it does not.
 */
export function talkRoom(
  before: ConversationState,
  after: ConversationState,
  command: Command,
): TalkRoom | null {
  const atOnce = 'talksAtOnce' in command ? command.talksAtOnce : undefined
  const liveAgentId = withWhom(after)
  if (atOnce === undefined || liveAgentId === null || liveAgentId === withWhom(before)) return null
  return { liveAgentId, atMost: atOnce - 1 }
}
