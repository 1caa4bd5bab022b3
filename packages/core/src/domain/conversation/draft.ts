import type { HandoffId, TurnId } from '../ids.ts'
import type { JsonObject } from '../json.ts'
import { jsonBytes, utf8Bytes } from '../utf8-bytes.ts'
import type { Refusal } from './command.ts'
import { DecidedDraft, type EchoOf, payloadText } from './decided-event.ts'
import { decidedTurn, turnText } from './decided-turn.ts'
import type { EventDraft, JournaledEventType, TransientEvent, TransientEventType } from './event.ts'
import type { EventPayloads, LoggedPayloads } from './event-payloads.ts'
import type { StoredTurn } from './record.ts'
import type { ConversationState } from './state.ts'
import { addedChanges, changesOf, NO_CHANGES, type StateChanges, withChanges } from './state-changes.ts'

/** The inputs to a decision beside state and command: the time, one fresh UUID, and the host's limits. */
export interface Asked {
  /** Deadlines are set and judged by it. May lie before earlier ones: clocks are put back (TM4). */
  readonly now: number
  readonly id: string
  readonly rules: MachineRules
}

/** The inputs to a decision, with the time stamp of its results. */
export interface Moment extends Asked {
  /** The time stamp of what is decided: `now`, or the conversation's newest time stamp if that is later (TM4). */
  readonly at: number
}

/** Limits of the machine; see `Settings`. */
export interface MachineRules {
  readonly turnLease: number
  readonly turnAttempts: number
  readonly queuedMessages: number
  readonly liveAgentAbsence: number
  readonly returnToAgent: boolean
  readonly variableBytes: number
  readonly conversationBytes: number
  readonly conversationEvents: number
  readonly awaitedEvents: number
  /** The time for which a process owns the sending of a text. */
  readonly textLease: number
  readonly textAttempts: number
  readonly textWarning: string
  /** Capabilities of a session that no session has for itself. */
  readonly messageBytes: number
  readonly heartbeatSeconds: number
  /** Files that the host takes from visitors; null for none. */
  readonly files: EventPayloads['SESSION_START']['capabilities']['files'] | null
}

/** Something to do after the write, outside the machine. What a crash loses, `wake` finds again. */
export type Effect =
  | { readonly type: 'run_turn'; readonly turnId: TurnId; readonly generation: number }
  | { readonly type: 'cancel_turn'; readonly turnId: TurnId }
  /** Make the calls to the live-agent system that are due. */
  | { readonly type: 'deliver' }
  | { readonly type: 'visitor_typing'; readonly handoffId: HandoffId; readonly state: 'started' | 'stopped' }
  /** Ask the carrier to send that text. */
  | { readonly type: 'send_text'; readonly number: number; readonly attempt: number }
  /** The waiting line of the conversation's account has changed. */
  | { readonly type: 'queue_changed' }

/** A decision in the making: immutable, each step returns the next. */
export interface Draft {
  /** The state as it is decided so far: the one before, with the changes. */
  readonly state: ConversationState
  readonly changes: StateChanges
  readonly events: readonly EventDraft[]
  readonly turns: readonly StoredTurn[]
  readonly transients: readonly TransientEvent[]
  readonly effects: readonly Effect[]
  readonly deliveredExternalEvents: readonly string[]
}

/** A whole decision, or a refusal with its reason. */
export type Decision = Decided | { readonly refused: Refusal }

/** A whole decision. */
export type Decided = { readonly refused: null } & Draft

const NONE: readonly never[] = []

export const beginDraft = (state: ConversationState): Draft => ({
  state,
  changes: NO_CHANGES,
  events: NONE,
  turns: NONE,
  transients: NONE,
  effects: NONE,
  deliveredExternalEvents: NONE,
})

export const refuse = (refusal: Refusal): Decision => ({ refused: refusal })

/** Makes the draft the decision. What it adds is not counted yet: see {@link counted}. */
export const decide = (draft: Draft): Decided => ({ refused: null, ...draft })

/** Returns the decision with its events and turns counted in its state, which now knows their time stamp, too. */
export function counted(decision: Decided, at: number): Decided {
  const { state, events, turns } = decision
  if (events.length + turns.length === 0) return decision
  let bytes = state.bytes
  for (const event of events) bytes += eventBytes(event)
  for (const turn of turns) bytes += turnBytes(turn)
  return decide(patch(decision, { sequence: newestSequence(decision), bytes, lastAt: at }))
}

/** Returns the sequence that the newest event will have, those that this draft adds included. */
export const newestSequence = ({ state, events }: Draft): number => state.sequence + events.length

/** Sets fields of the state, and of its record. */
export function patch(draft: Draft, given: StateChanges): Draft {
  const changes = changesOf(draft.state, given)
  if (changes === NO_CHANGES) return draft
  return {
    ...draft,
    state: withChanges(draft.state, changes),
    changes: addedChanges(draft.changes, changes),
  }
}

/** Returns the draft with the turns that it records. */
export const withTurns = (draft: Draft, turns: readonly StoredTurn[]): Draft => ({
  ...draft,
  turns: turns.map(decidedTurn),
})

const NO_ECHO: EchoOf = { custom: null, clientEventId: null }

/** Adds an event to the log. @param origin the client's event that it echoes, or an id for it */
export const journal = <Type extends JournaledEventType>(
  draft: Draft,
  type: Type,
  payload: LoggedPayloads[Type],
  origin: EchoOf | { readonly id: string } = NO_ECHO,
): Draft => {
  // A spread would reserve room for sixteen more.
  return { ...draft, events: draft.events.concat(new DecidedDraft(type, payload, origin)) }
}

const BEFORE_PAYLOAD = ',"payload":'

/** Returns the number of bytes in the JSON of an event as far as it is decided. */
function eventBytes(event: EventDraft): number {
  const { type, custom, clientEventId, localId, id } = event
  const beside = jsonBytes({ type, custom, clientEventId, localId, id })
  return beside + BEFORE_PAYLOAD.length + utf8Bytes(payloadText(event))
}

const AROUND_TURN = '{"record":,"details":}'

function turnBytes(turn: StoredTurn): number {
  const { record, details } = turnText(turn)
  return AROUND_TURN.length + utf8Bytes(record) + utf8Bytes(details)
}

/** Adds an ephemeral event, which is true only now. */
export const tell = <Type extends TransientEventType>(
  draft: Draft,
  type: Type,
  payload: EventPayloads[Type],
  target: Pick<TransientEvent, 'to' | 'custom' | 'orSince'> = { to: null, custom: null },
): Draft => ({ ...draft, transients: draft.transients.concat(transientEvent(type, payload, target)) })

const transientEvent = (
  type: TransientEventType,
  payload: JsonObject,
  { to, custom, orSince }: Pick<TransientEvent, 'to' | 'custom' | 'orSince'>,
): TransientEvent =>
  orSince === undefined ? { type, payload, to, custom } : { type, payload, to, custom, orSince }

/** Adds an effect: something to be done after the write. */
export const effect = (draft: Draft, ...effects: readonly Effect[]): Draft => ({
  ...draft,
  effects: draft.effects.concat(effects),
})
