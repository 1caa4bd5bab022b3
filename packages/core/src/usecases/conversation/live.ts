import { LRUCache } from 'lru-cache'
import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import { asId, type ConversationId } from '../../domain/ids.ts'
import type { Notice } from '../../ports/bus.ts'
import type { Context } from '../context.ts'

/** What is true of a conversation and stands in no log. */
export interface Standing {
  /** Sequence of the newest event when this was true. */
  readonly sequence: number
  readonly transients: readonly TransientEvent[]
  /** False when another process may know more: it can be asked. */
  readonly complete: boolean
}

/**
 * What is true of conversations right now and stands in no log: streams under way and places in queues. A process knows
 * what happened in it; of what happens elsewhere it asks over the bus (MS29).
 */
export interface Live {
  /** Sends a chunk of a reply that is being made, and keeps it for whoever connects before the reply is finished. */
  chunk(state: ConversationState, turn: ActiveTurn, event: TransientEvent): void
  /** That attempt at the reply is over, whatever became of it. */
  endStream(id: ConversationId, turn: ActiveTurn): void
  /** Keeps what was told about the queue, for as long as the conversation is in it. */
  remember(state: ConversationState, transients: readonly TransientEvent[]): void
  /** What somebody who connects now must be told after the replay. */
  current(state: ConversationState): Promise<Standing>
  /** Asks every process for what it knows; the answers come over the bus, to that connection alone. */
  ask(id: ConversationId, connection: string): void
  /** Answers nobody any more. */
  stop(): void
}

/** The bus's key of questions: no conversation has this id. */
const QUESTIONS: ConversationId = asId('live')

/** One attempt at a reply, with the chunks that were sent. */
interface Stream {
  readonly turn: ActiveTurn
  /** Of the log when the turn began: no event that ends it is older. */
  readonly sequence: number
  readonly chunks: TransientEvent[]
}

/** A place in a queue, and when it was told. */
interface QueuePlace {
  readonly event: TransientEvent
  readonly sequence: number
  readonly at: number
}

const THINKING: TransientEvent = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null }

/**
 * @param placeInQueue tells the place of somebody in the queue; without it, the place is what any process was told last
 */
export function createLive(
  { bus, clock, settings }: Pick<Context, 'bus' | 'clock' | 'settings'>,
  placeInQueue: ((state: ConversationState) => Promise<TransientEvent | null>) | null,
): Live {
  const streams = new Map<ConversationId, Stream>()
  const places = new LRUCache<ConversationId, QueuePlace>({ max: settings.limits.cachedConversations })

  async function placeOf(state: ConversationState): Promise<TransientEvent | null> {
    return placeInQueue === null ? (places.get(state.id)?.event ?? null) : placeInQueue(state)
  }

  function answer({ asks }: Notice): void {
    if (asks === undefined) return
    const { conversationId, connection, placeAt } = asks
    const tell = (sequence: number, events: readonly TransientEvent[]): void => {
      const transients = events.map(event => ({ ...event, to: connection }))
      bus.publish(conversationId, { sequence, events: [], transients })
    }
    const stream = streams.get(conversationId)
    if (stream !== undefined) tell(stream.sequence, stream.chunks)
    const place = places.get(conversationId)
    if (place !== undefined && place.at > placeAt) tell(place.sequence, [place.event])
  }

  const stop = bus.subscribe(QUESTIONS, answer)

  return {
    chunk(state, turn, event) {
      const known = streams.get(state.id)
      const stream = isOf(known, turn) ? known : { turn, sequence: state.sequence, chunks: [] }
      stream.chunks.push(event)
      streams.set(state.id, stream)
      bus.publish(state.id, { sequence: stream.sequence, events: [], transients: [event] })
    },

    endStream(id, turn) {
      if (isOf(streams.get(id), turn)) streams.delete(id)
    },

    remember(state, transients) {
      if (placeInQueue !== null) return
      if (state.owner !== 'queue') places.delete(state.id)
      for (const event of transients)
        if (event.type === 'HANDOFF_QUEUE_STATUS')
          places.set(state.id, { event, sequence: state.sequence, at: clock.now() })
    },

    async current(state) {
      const { turn } = state
      const kept = streams.get(state.id)
      const chunks = isOf(kept, turn) ? kept.chunks : null
      const queued = state.owner === 'queue'
      const told = queued ? await placeOf(state) : null
      return {
        sequence: state.sequence,
        transients: [
          ...(turn === null ? [] : (chunks ?? [THINKING])),
          ...(told === null ? [] : [told]),
          ...(state.failure === null ? [] : [failed(state.failure)]),
        ],
        complete: queued ? placeInQueue !== null : turn === null || !state.streaming || chunks !== null,
      }
    },

    ask(conversationId, connection) {
      const placeAt = places.get(conversationId)?.at ?? 0
      const asks = { conversationId, connection, placeAt }
      bus.publish(QUESTIONS, { sequence: 0, events: [], transients: [], asks })
    },

    stop,
  }
}

/** True for the stream of that very attempt at a reply. */
const isOf = (stream: Stream | undefined, turn: ActiveTurn | null): stream is Stream =>
  stream !== undefined && stream.turn.id === turn?.id && stream.turn.generation === turn.generation

const failed = ({ text, custom }: NonNullable<ConversationState['failure']>): TransientEvent => ({
  type: 'SYSTEM_MESSAGE',
  payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text },
  custom,
  to: null,
})
