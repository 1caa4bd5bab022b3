import type { TransientEvent } from '../../domain/conversation/event.ts'
import type { EventPayloads } from '../../domain/conversation/event-payloads.ts'
import type { ActiveTurn, ConversationState } from '../../domain/conversation/state.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { type Question, topics } from '../../ports/notices.ts'
import type { Context } from '../context.ts'
import type { Stream } from './room.ts'

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
  /** Keeps the last position that was sent while the conversation waits for a live agent. */
  remember(state: ConversationState, transients: readonly TransientEvent[]): void
  /**
   * Returns the events that a visitor who connects now receives after the replay.
   *
   * @param state as the store has it. Null for a missing conversation
   */
  snapshot(state: ConversationState | null): Promise<EphemeralSnapshot>
  /**
   * Requests the ephemeral state of every process. Answers are notices of the conversation, to that connection only.
   */
  ask(id: ConversationId, connection: string): void
  /** Stops answering questions. */
  stop(): void
}

const THINKING: TransientEvent = { type: 'AI_AGENT_THINKING', payload: {}, custom: null, to: null }

/** Returns the stream of that attempt at a reply; begins it if there is none. */
function streamOf(rooms: Context['rooms'], state: ConversationState, turn: ActiveTurn): Stream {
  const room = rooms.of(state.id)
  const stream = isOf(room.stream, turn) ? room.stream : { turn, sequence: state.sequence, chunks: [] }
  room.stream = stream
  return stream
}

/**
 * Returns the ephemeral state of conversations.
 *
 * @param positionInLine finds a visitor's position in the waiting line. Without it, the position is the last one that
 *   this process received
 */
export function createEphemeral(
  { clock, notices, rooms }: Pick<Context, 'clock' | 'notices' | 'rooms'>,
  positionInLine: ((state: ConversationState) => Promise<TransientEvent | null>) | null,
): Ephemeral {
  async function positionOf(state: ConversationState): Promise<TransientEvent | null> {
    return positionInLine === null ? (rooms.find(state.id)?.position?.event ?? null) : positionInLine(state)
  }

  function answer({ conversationId, connection, positionAt }: Question): void {
    const tell = (sequence: number, events: readonly TransientEvent[]): void => {
      const transients = events.map(event => ({ ...event, to: connection }))
      rooms.publish(conversationId, { sequence, events: [], transients })
    }
    const { position = null, stream = null } = rooms.find(conversationId) ?? {}
    if (stream !== null) tell(stream.sequence, sofar(stream))
    if (position !== null && position.at > positionAt) tell(position.sequence, [position.event])
  }

  const subscription = notices.subscribe(topics.question, { notice: answer, gap: () => undefined })

  return {
    beginStream: (state, turn) => {
      streamOf(rooms, state, turn)
    },

    chunk(state, turn, event) {
      const stream = streamOf(rooms, state, turn)
      stream.chunks.push(event)
      rooms.publish(state.id, { sequence: stream.sequence, events: [], transients: [event] })
    },

    endStream(id, turn) {
      const room = rooms.find(id)
      if (room === undefined || !isOf(room.stream, turn)) return
      room.stream = null
      rooms.settled(room)
    },

    remember(state, transients) {
      if (positionInLine !== null) return
      const room = rooms.of(state.id)
      if (state.owner !== 'queue') room.position = null
      for (const event of transients)
        if (event.type === 'HANDOFF_QUEUE_STATUS') {
          room.position = { event, sequence: state.sequence, at: clock.now() }
          rooms.remember(room)
        }
    },

    async snapshot(state) {
      if (state === null) return { sequence: 0, events: [], complete: true, streams: false }
      const { turn } = state
      const kept = rooms.find(state.id)?.stream ?? null
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
      const positionAt = rooms.find(conversationId)?.position?.at ?? 0
      notices.publish(topics.question, { conversationId, connection, positionAt })
    },

    stop: () => subscription.end(),
  }
}

/** Returns a stream's chunks; before the first one, that the agent is thinking. */
const sofar = ({ chunks }: Stream): readonly TransientEvent[] => (chunks.length > 0 ? chunks : [THINKING])

/** True for the stream of that very attempt at a reply. */
const isOf = (stream: Stream | null, turn: ActiveTurn | null): stream is Stream =>
  stream !== null && stream.turn.id === turn?.id && stream.turn.generation === turn.generation

const failed = ({ text, custom }: NonNullable<ConversationState['failure']>): TransientEvent => ({
  type: 'SYSTEM_MESSAGE',
  payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: text } satisfies EventPayloads['SYSTEM_MESSAGE'],
  custom,
  to: null,
})
