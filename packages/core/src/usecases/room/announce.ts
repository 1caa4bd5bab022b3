import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Rooms } from './rooms.ts'

/** The additions of a write to a conversation. */
export interface Added {
  readonly state: ConversationState
  readonly events: readonly ConversationEvent[]
  readonly transients: readonly TransientEvent[]
  /**
   * Whether a turn was recorded. A turn may end without an event: callers that wait for it read the turns, not the log.
   */
  readonly turns: boolean
}

/** Publishes an append to those who follow the conversation, in this process and in others. */
export function announce(rooms: Pick<Rooms, 'publish'>, { state, events, transients, turns }: Added): void {
  const { id, sequence } = state
  const end = events.at(-1)
  if (end?.type === 'SESSION_END' && transients.length > 0) {
    // After the end there are no listeners.
    rooms.publish(id, { sequence: end.sequence - 1, events: events.slice(0, -1), transients })
    rooms.publish(id, { sequence: end.sequence, events: [end], transients: [] })
  } else if (events.length > 0 || transients.length > 0 || turns) {
    rooms.publish(id, { sequence, events, transients })
  }
}
