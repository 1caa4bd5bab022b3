import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/** Decides which ephemeral events are outdated by newer events of the log (MS15, MS29). */
export interface Outdated {
  /** An event of the log; in any order. */
  note(event: ConversationEvent): void
  /** True when an ephemeral event of that sequence of the log is outdated and must not be sent. */
  has(event: TransientEvent, sequence: number): boolean
}

/** Events that end the thinking and streaming about what came before them. */
const ENDS_REPLY: ReadonlySet<string> = new Set(['AI_AGENT_MESSAGE', 'AI_AGENT_MESSAGE_CHUNK', 'SESSION_END'])

/** Events after which the visitor no longer waits for a live agent. */
const ENDS_QUEUE: ReadonlySet<string> = new Set([
  'LIVE_AGENT_JOINED',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'SESSION_END',
])

/** @param state the conversation as it is when the log is followed from here on */
export function createOutdated(state: ConversationState): Outdated {
  let replyEnded = state.turn === null ? state.sequence : 0
  let queueEnded = state.owner === 'queue' ? 0 : state.sequence
  return {
    note({ type, sequence }) {
      if (ENDS_REPLY.has(type)) replyEnded = Math.max(replyEnded, sequence)
      if (ENDS_QUEUE.has(type)) queueEnded = Math.max(queueEnded, sequence)
    },
    has({ type }, sequence) {
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
