import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'

/** Events that end the thinking and streaming about what came before them. */
const ENDS_REPLY: ReadonlySet<string> = new Set(['AI_AGENT_MESSAGE', 'AI_AGENT_MESSAGE_CHUNK', 'SESSION_END'])

/** Reports whether an event of the log completes a reply, or ends the session. */
export const endsReply = ({ type }: Pick<ConversationEvent, 'type'>): boolean => ENDS_REPLY.has(type)

/** Events after which the visitor no longer waits for a live agent. */
const ENDS_QUEUE: ReadonlySet<string> = new Set([
  'LIVE_AGENT_JOINED',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'SESSION_END',
])

/**
 * Decides which ephemeral events are outdated by newer events of the log (MS15, MS29). A class, because each open
 * conversation has one.
 */
export class Outdated {
  #replyEnded: number
  #queueEnded: number

  /** @param state the conversation as it is when the log is followed from here on */
  constructor(state: ConversationState) {
    this.#replyEnded = state.turn === null ? state.sequence : 0
    this.#queueEnded = state.owner === 'queue' ? 0 : state.sequence
  }

  /** Notes an event of the log, in any order. */
  note({ type, sequence }: Pick<ConversationEvent, 'type' | 'sequence'>): void {
    if (ENDS_REPLY.has(type)) this.#replyEnded = Math.max(this.#replyEnded, sequence)
    if (ENDS_QUEUE.has(type)) this.#queueEnded = Math.max(this.#queueEnded, sequence)
  }

  /** Reports whether an ephemeral event of that sequence of the log is outdated and must not be sent. */
  has({ type }: TransientEvent, sequence: number): boolean {
    switch (type) {
      case 'AI_AGENT_THINKING':
      case 'AI_AGENT_MESSAGE_CHUNK':
        return sequence < this.#replyEnded
      case 'HANDOFF_QUEUE_STATUS':
        return sequence < this.#queueEnded
      default:
        return false
    }
  }
}
