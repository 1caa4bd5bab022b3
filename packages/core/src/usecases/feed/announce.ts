import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import { type Notices, topics } from '../../ports/notices.ts'

/** What an append has added to a conversation. */
export interface Added {
  readonly state: ConversationState
  readonly events: readonly ConversationEvent[]
  readonly transients: readonly TransientEvent[]
  /**
   * Whether a turn was recorded. A turn may end without an event: callers that wait for it read the turns, not the log.
   */
  readonly turns: boolean
}

/** Publishes an append to the watchers of the conversation, in this process and in others. */
export function announce(notices: Notices, { state, events, transients, turns }: Added): void {
  const topic = topics.conversation(state.id)
  const end = events.at(-1)
  if (end?.type === 'SESSION_END' && transients.length > 0) {
    // After the end there are no listeners.
    notices.publish(topic, { sequence: end.sequence - 1, events: events.slice(0, -1), transients })
    notices.publish(topic, { sequence: end.sequence, events: [end], transients: [] })
  } else if (events.length > 0 || transients.length > 0 || turns) {
    notices.publish(topic, { sequence: state.sequence, events, transients })
  }
}

/** Tells the watchers how long the log is: those that have not had all of it read on. */
export const announceLength = (
  notices: Notices,
  { id, sequence }: Pick<ConversationState, 'id' | 'sequence'>,
): void => notices.publish(topics.conversation(id), { sequence, events: [], transients: [] })
