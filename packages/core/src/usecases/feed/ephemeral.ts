import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { type Question, topics } from '../../ports/notices.ts'
import type { Context } from '../context.ts'
import { createLastUsed } from '../shared/last-used.ts'

/**
 * The current state of a conversation that is not in its log: thinking, the reply's chunks so far, the position in the
 * waiting line, the last stated failure.
 */
export interface EphemeralSnapshot {
  /** Sequence of the newest event when this was true. */
  readonly sequence: number
  readonly events: readonly TransientEvent[]
  /** False when other processes may know more: see `ask`. */
  readonly complete: boolean
  /** True while a reply is made in a session that streams. */
  readonly streams: boolean
}

/**
 * The ephemeral state of conversations: replies that are streaming, and positions in the waiting line. A process holds
 * its own; it asks other processes for theirs (MS29).
 */
export interface Ephemeral {
  /** Begins an attempt at a streamed reply: visitors who connect before its first chunk need not ask for it. */
  beginStream(state: ConversationState, turn: ActiveTurn): void
  /**
   * Sends a chunk of a reply that is being made, and keeps it for visitors who connect before the reply is finished.
   */
  chunk(state: ConversationState, turn: ActiveTurn, event: TransientEvent): void
  /** Ends that attempt at the reply, successful or not. */
  endStream(id: ConversationId, turn: ActiveTurn): void
  /** Keeps the last position that was sent, as long as the conversation waits for a live agent. */
  remember(state: ConversationState, transients: readonly TransientEvent[]): void
  /**
   * What a visitor who connects now receives after the replay.
   *
   * @param state as the store has it; null for a conversation that is not there
   */
  snapshot(state: ConversationState | null): Promise<EphemeralSnapshot>
  /**
   * Asks every process for its ephemeral state; answers come as notices of the conversation, to that connection only.
   */
  ask(id: ConversationId, connection: string): void
  /** Stops answering questions. */
  stop(): void
}

/** One attempt at a reply, with the chunks that were sent. */
interface Stream {
  readonly turn: ActiveTurn
  /** Sequence of the log when the turn began: an event that ends the turn is newer. */
  readonly sequence: number
  readonly chunks: TransientEvent[]
}

/** A position in the waiting line, and when it was sent. */
interface KnownPosition {
  readonly event: TransientEvent
  readonly sequence: number
  readonly at: number
}

const THINKING: TransientEvent = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null }

/**
 * Long because the same calls handle streams and positions.
 * @param positionInLine finds a visitor's position in the waiting line; without it, the position is the last one that
 *   this process received
 */
export function createEphemeral(
  { clock, notices, settings }: Pick<Context, 'clock' | 'notices' | 'settings'>,
  positionInLine: ((state: ConversationState) => Promise<TransientEvent | null>) | null,
): Ephemeral {
  const streams = new Map<ConversationId, Stream>()
  const positions = createLastUsed<ConversationId, KnownPosition>(settings.limits.cachedConversations)

  function streamOf(state: ConversationState, turn: ActiveTurn): Stream {
    const known = streams.get(state.id)
    const stream = isOf(known, turn) ? known : { turn, sequence: state.sequence, chunks: [] }
    streams.set(state.id, stream)
    return stream
  }

  async function positionOf(state: ConversationState): Promise<TransientEvent | null> {
    return positionInLine === null ? (positions.get(state.id)?.event ?? null) : positionInLine(state)
  }

  function answer({ conversationId, connection, positionAt }: Question): void {
    const tell = (sequence: number, events: readonly TransientEvent[]): void => {
      const transients = events.map(event => ({ ...event, to: connection }))
      notices.publish(topics.conversation(conversationId), { sequence, events: [], transients })
    }
    const stream = streams.get(conversationId)
    if (stream !== undefined) tell(stream.sequence, sofar(stream))
    const position = positions.get(conversationId)
    if (position !== undefined && position.at > positionAt) tell(position.sequence, [position.event])
  }

  const subscription = notices.subscribe(topics.question, { notice: answer, gap: () => undefined })

  return {
    beginStream: (state, turn) => {
      streamOf(state, turn)
    },

    chunk(state, turn, event) {
      const stream = streamOf(state, turn)
      stream.chunks.push(event)
      const notice = { sequence: stream.sequence, events: [], transients: [event] }
      notices.publish(topics.conversation(state.id), notice)
    },

    endStream(id, turn) {
      if (isOf(streams.get(id), turn)) streams.delete(id)
    },

    remember(state, transients) {
      if (positionInLine !== null) return
      if (state.owner !== 'queue') positions.delete(state.id)
      for (const event of transients)
        if (event.type === 'HANDOFF_QUEUE_STATUS')
          positions.set(state.id, { event, sequence: state.sequence, at: clock.now() })
    },

    async snapshot(state) {
      if (state === null) return { sequence: 0, events: [], complete: true, streams: false }
      const { turn } = state
      const kept = streams.get(state.id)
      const stream = isOf(kept, turn) ? kept : null
      const queued = state.owner === 'queue'
      const told = queued ? await positionOf(state) : null
      return {
        sequence: state.sequence,
        events: [
          ...(turn === null ? [] : stream === null ? [THINKING] : sofar(stream)),
          ...(told === null ? [] : [told]),
          ...(state.failure === null ? [] : [failed(state.failure)]),
        ],
        streams: turn !== null && state.streaming,
        complete: queued ? positionInLine !== null : turn === null || !state.streaming || stream !== null,
      }
    },

    ask(conversationId, connection) {
      const positionAt = positions.get(conversationId)?.at ?? 0
      notices.publish(topics.question, { conversationId, connection, positionAt })
    },

    stop: () => subscription.end(),
  }
}

/** A stream's chunks; before the first one, that the agent is thinking. */
const sofar = ({ chunks }: Stream): readonly TransientEvent[] => (chunks.length > 0 ? chunks : [THINKING])

/** True for the stream of that very attempt at a reply. */
const isOf = (stream: Stream | undefined, turn: ActiveTurn | null): stream is Stream =>
  stream !== undefined && stream.turn.id === turn?.id && stream.turn.generation === turn.generation

const failed = ({ text, custom }: NonNullable<ConversationState['failure']>): TransientEvent => ({
  type: 'SYSTEM_MESSAGE',
  payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text } satisfies EventPayloads['SYSTEM_MESSAGE'],
  custom,
  to: null,
})
