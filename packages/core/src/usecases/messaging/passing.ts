import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/** Knows which of the things that no log keeps are over, by what the log says since (MS15, MS29). */
export interface Passing {
  /** An event that is in the log; in any order. */
  note(event: ConversationEvent): void
  /** True when what was said after that sequence of the log must not be told any more. */
  isOver(event: TransientEvent, sequence: number): boolean
}

/** Events behind which the agent no longer thinks, or streams, about anything that came before them. */
const ENDS_REPLY: ReadonlySet<string> = new Set(['AI_AGENT_MESSAGE', 'AI_AGENT_MESSAGE_CHUNK', 'SESSION_END'])

/** Events behind which there is no place in a queue. */
const ENDS_QUEUE: ReadonlySet<string> = new Set([
  'LIVE_AGENT_JOINED',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'SESSION_END',
])

export function createPassing(state: ConversationState): Passing {
  let replyEnded = state.turn === null ? state.sequence : 0
  let queueEnded = state.owner === 'queue' ? 0 : state.sequence
  return {
    note({ type, sequence }) {
      if (ENDS_REPLY.has(type)) replyEnded = Math.max(replyEnded, sequence)
      if (ENDS_QUEUE.has(type)) queueEnded = Math.max(queueEnded, sequence)
    },
    isOver({ type }, sequence) {
      switch (type) {
        case 'AI_AGENT_THINKING':
        case 'AI_AGENT_MESSAGE_CHUNK':
          return sequence < replyEnded
        case 'HANDOFF_QUEUE_STATUS':
          return sequence < queueEnded
        default:
          return false
      }
    },
  }
}
