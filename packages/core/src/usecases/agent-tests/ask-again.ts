import { type ConversationEvent, eventOf } from '../../domain/conversation/event.ts'
import type { StoredTurn } from '../../domain/conversation/record.ts'
import type { ConversationState, TurnInput } from '../../domain/conversation/state.ts'
import { eventIdOf, type TurnSituation } from '../../domain/conversation/turn-recording.ts'
import type { Context } from '../context.ts'
import { type Answering, type Recorded, replayState, type TurnsAgain } from './turn-again.ts'

/** A turn of a recorded conversation, and its situation. */
export interface RecordedTurn {
  /** Its place among the turns, from 0. */
  readonly at: number
  readonly turn: StoredTurn
  readonly situation: TurnSituation
}

/** Returns the id of a recorded turn. Undefined if it has none. */
export const turnIdOf = ({ details: { turn_id: id } }: StoredTurn): string | undefined =>
  typeof id === 'string' ? id : undefined

/** Returns the message of a recorded turn. Null if it is not in the log. */
export function messageOf({ log }: Recorded, turn: StoredTurn): ConversationEvent | null {
  const id = turnIdOf(turn)
  const found = log.find(({ type, payload }) => type === 'USER_MESSAGE' && payload.value.message_id === id)
  return found === undefined ? null : eventOf(found)
}

/** Returns the input of a recorded turn. Null if its message is not in the log. */
function inputOf(
  recorded: Recorded,
  { turn, situation }: RecordedTurn,
  turnId: string,
): { readonly input: TurnInput; readonly recent: readonly ConversationEvent[] } | null {
  if (turn.details.input_type === 'greeting') return { input: { type: 'greeting', turnId }, recent: [] }
  const eventId = eventIdOf(turn)
  if (eventId !== null)
    return { input: { type: 'external_event', turnId, eventId, receivedAt: situation.now }, recent: [] }
  const message = messageOf(recorded, turn)
  if (message === null) return null
  const { sequence } = message
  const said = { messageId: turnId, sequence, receivedAt: situation.now, sender: null }
  return { input: { type: 'message', turnId, ...said }, recent: [message] }
}

/** Returns the state in which a recorded turn was asked, as that of a conversation of the replay. */
function stateBefore(
  context: Context,
  recorded: Recorded,
  { at, situation }: RecordedTurn,
  answering: Answering,
): ConversationState {
  const { config: _, sequence, now, language, ...written } = situation
  const { state, turns } = recorded
  const initial = replayState(context, recorded, answering, {
    language: language === '' ? answering.pinning.languageCode : language,
    now,
  })
  // A replay counts the greeting also where the recorded conversation had none.
  const greeted = turns[0]?.details.input_type === 'greeting' ? 0 : 1
  const record = { ...initial.record, turns: at + greeted }
  // It also knows of later lines, which the history up to here does not have.
  const guarded = state.guarded === undefined ? {} : { guarded: state.guarded }
  return { ...initial, ...written, ...guarded, sequence, record, greeted: true, owner: 'ai_agent' }
}

/** A turn to ask again, alone. */
interface Asking {
  /** Reads the recorded conversation: see `readingOf`. */
  readonly reading: Context
  readonly recorded: Recorded
  readonly one: RecordedTurn
  readonly answering: Answering
}

/**
 * Asks a turn of a recorded conversation again, alone. Resolves to the record of the new turn: null if the agent never
 * began.
 * @throws the signal's reason when the replay is called off
 */
export async function askAgain(
  turnsAgain: TurnsAgain,
  { reading, recorded, one, answering }: Asking,
): Promise<StoredTurn | null> {
  const state = stateBefore(reading, recorded, one, answering)
  const id = `${state.id}.${one.at}`
  const asked = inputOf(recorded, one, id)
  if (asked === null) return null
  const { config, now } = one.situation
  const turn = { id, generation: 1, input: asked.input, startedAt: now, leaseUntil: now }
  const active = { ...state, turn }
  return turnsAgain.run({
    ...{ reading, answering, turn, config, state: active },
    ...{ recent: asked.recent, eventsOf: turnIdOf(one.turn) },
    execute: () => ({ status: 'done', state: active, events: [] }),
  })
}
