import type { EchoOf } from './decided-event.ts'
import { leaveHandoff } from './deliveries.ts'
import { type Draft, effect, journal, type Moment, patch } from './draft.ts'
import type { JournaledEventType } from './event.ts'
import type { LoggedPayloads } from './event-payloads.ts'
import { OWNERSHIP, type Signal, STAGES, type Stage } from './ownership.ts'
import { startPayload } from './session-start.ts'
import type { ConversationState, EndReason } from './state.ts'

/** The reason why a conversation ends, by the signal that ends it. */
const END_REASON: Partial<Record<Signal, EndReason>> = {
  visitor_ends: 'REASON_USER_END',
  visitor_vanishes: 'REASON_USER_ABANDONED',
}

/** The reason that the live-agent system gets when these signals end its handoff. The other signals come from it. */
export const CANCEL_REASON = {
  live_agent_vanishes: 'live agent absent',
  handoff_timed_out: 'timed out',
  visitor_ends: 'visitor ended',
  visitor_vanishes: 'visitor left',
  outgrows: 'conversation too long',
  closed: 'closed',
} as const satisfies Partial<Record<Signal, string>>

const cancelReasons: Partial<Record<Signal, string>> = CANCEL_REASON

/** The payloads of a move's events, and the client event that they echo. */
export interface MoveContent {
  readonly payloads?: { readonly [Type in JournaledEventType]?: LoggedPayloads[Type] }
  /** Belongs to the move's event of the same client, `USER_END_SESSION`. */
  readonly origin?: EchoOf
  readonly reason?: EndReason
}

/** Returns the stage of a state in the ownership table. */
const stageOf = ({ owner, handoff }: ConversationState): Stage => {
  if (owner !== 'queue') return owner
  return handoff?.status === 'waiting' ? 'waiting' : 'requested'
}

/** True when the table has a row for the state's stage and the signal. */
export const allows = (state: ConversationState, signal: Signal): boolean =>
  state.endedAt === null && OWNERSHIP[stageOf(state)][signal] !== undefined

/** Takes one step of the ownership table. The caller has checked `allows`. */
export function move(draft: Draft, signal: Signal, moment: Moment, content: MoveContent = {}): Draft {
  const row = OWNERSHIP[stageOf(draft.state)][signal]
  if (row === undefined) return draft
  const reason = content.reason ?? END_REASON[signal] ?? 'REASON_NATURAL_END'
  const payloads = {
    SESSION_START: startPayload(draft.state, moment.rules),
    SESSION_END: { reason },
    ...content.payloads,
  }
  let next = draft
  for (const type of row.events) {
    next = journal(next, type, payloads[type] ?? {}, type === 'USER_END_SESSION' ? content.origin : undefined)
  }
  next = enter(next, row.next, moment.at)
  if (draft.state.handoff?.status !== next.state.handoff?.status) {
    next = effect(next, { type: 'queue_changed' })
    if (next.state.handoff?.status === 'over')
      next = leaveHandoff(next, cancelReasons[signal] ?? null, moment)
  }
  return row.ends ? finish(next, reason, moment.at) : next
}

/**
 * Sets owner and handoff to what the stage means, and keeps the time for which the AI agent has owned the conversation.
 */
function enter(draft: Draft, stage: Stage, at: number): Draft {
  const { owner, handoff, record } = draft.state
  const meant = STAGES[stage]
  const stops = record.aiSince === null ? 0 : Math.max(at - record.aiSince, 0)
  return patch(draft, {
    owner: meant.owner,
    handoff:
      handoff === null || handoff.status === meant.handoff ? handoff : { ...handoff, status: meant.handoff },
    ...(owner === meant.owner
      ? {}
      : {
          record: {
            aiDuration: record.aiDuration + stops,
            aiSince: meant.owner === 'ai_agent' ? at : null,
          },
        }),
  })
}

/** Ends the conversation: nothing is pending any more, and running work is cancelled. */
function finish(draft: Draft, endReason: EndReason, at: number): Draft {
  const { turn } = draft.state
  const stopped = turn === null ? draft : effect(draft, { type: 'cancel_turn', turnId: turn.id })
  return patch(stopped, {
    endedAt: at,
    endReason,
    turn: null,
    pending: [],
    failure: null,
    awaiting: [],
    externalCheckAt: null,
  })
}
