import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Bus } from '../../ports/bus.ts'

/** What is true of conversations right now and stands in no log: streams under way and places in queues. */
export interface Live {
  /** Sends a chunk of a reply that is being made, and keeps it for whoever connects before the reply is finished. */
  chunk(id: ConversationId, sequence: number, event: TransientEvent): void
  /** The reply is finished, or has failed. */
  endStream(id: ConversationId): void
  /** Keeps what was told about the queue, for as long as the conversation is in it. */
  remember(state: ConversationState, transients: readonly TransientEvent[]): void
  /** What somebody who connects now must be told after the replay. */
  current(state: ConversationState): Promise<readonly TransientEvent[]>
}

const system = (message: string, custom: TransientEvent['custom']): TransientEvent => ({
  type: 'SYSTEM_MESSAGE',
  payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message },
  custom,
  to: null,
})

const THINKING: TransientEvent = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null }

/**
 * @param placeInQueue tells the place of somebody in the queue; without it, the place is what this process was told last
 */
export function createLive(
  bus: Bus,
  placeInQueue: ((state: ConversationState) => Promise<TransientEvent | null>) | null,
): Live {
  const streams = new Map<ConversationId, readonly TransientEvent[]>()
  const places = new Map<ConversationId, TransientEvent>()
  return {
    chunk(id, sequence, event) {
      streams.set(id, [...(streams.get(id) ?? []), event])
      bus.publish(id, { sequence, events: [], transients: [event] })
    },
    endStream(id) {
      streams.delete(id)
    },
    remember(state, transients) {
      if (placeInQueue !== null) return
      if (state.owner !== 'queue') places.delete(state.id)
      for (const event of transients) if (event.type === 'HANDOFF_QUEUE_STATUS') places.set(state.id, event)
    },
    async current(state) {
      const told = places.get(state.id) ?? null
      const place = state.owner !== 'queue' ? null : placeInQueue === null ? told : await placeInQueue(state)
      return [
        ...(state.turn === null ? [] : (streams.get(state.id) ?? [THINKING])),
        ...(place === null ? [] : [place]),
        ...(state.failure === null ? [] : [system(state.failure.text, state.failure.custom)]),
      ]
    },
  }
}
