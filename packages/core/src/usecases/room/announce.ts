import type { ConversationEvent, TransientEvent } from '../../domain/conversation/event.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { Rooms } from './rooms.ts'

/** The additions of a write to a conversation. */
export interface Added {
  readonly state: ConversationState
  readonly events: readonly ConversationEvent[]
  readonly transients: readonly TransientEvent[]
  /** A turn may end without an event: callers that wait for it need the turns, not the log. */
  readonly turns: readonly StoredTurn[]
}

/** Publishes an append to those who follow the conversation, in this process and in others. */
export function announce(rooms: Pick<Rooms, 'publish'>, { state, events, transients, turns }: Added): void {
  const { id, sequence } = state
  const end = events.at(-1)
  if (end?.type === 'SESSION_END' && transients.length > 0) {
    // After the end there are no listeners.
    rooms.publish(id, { sequence: end.sequence - 1, events: events.slice(0, -1), transients })
    rooms.publish(id, { sequence: end.sequence, events: [end], transients: [], turns })
  } else if (events.length + transients.length + turns.length > 0) {
    rooms.publish(id, { sequence, events, transients, turns })
  }
}
