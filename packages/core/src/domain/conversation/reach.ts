import { attendanceReach } from './attendance.ts'
import { changeState } from './change-state.ts'
import type { Asked } from './draft.ts'
import type { ConversationState, Handoff } from './state.ts'
import { textsMovedOn, textsWithin } from './texts.ts'

const earlier = (moment: number | null, latest: number): number | null =>
  moment === null ? null : Math.min(moment, latest)

function handoffWithin(state: ConversationState, { now, rules }: Asked): Handoff | null {
  const { handoff, handoffSettings } = state
  if (handoff === null) return null
  const timeoutAt = Math.min(handoff.timeoutAt, now + handoffSettings.timeoutSeconds * 1_000)
  const attendedUntil = earlier(handoff.attendedUntil, now + attendanceReach(rules.liveAgentAbsence))
  if (timeoutAt === handoff.timeoutAt && attendedUntil === handoff.attendedUntil) return handoff
  return { ...handoff, timeoutAt, attendedUntil }
}

/**
 * The state with no deadline further away than it could be set now. One that is was set before the clock was put back,
 * and would not be reached until the clock has caught up (TM4). What a host has recorded of another channel is left as
 * it is.
 */
export function withinReach(state: ConversationState, asked: Asked): ConversationState {
  const { now, rules } = asked
  const seenAt = state.kind === 'recorded' ? state.seenAt : Math.min(state.seenAt, now)
  const { turn } = state
  const leaseUntil = earlier(turn?.leaseUntil ?? null, now + rules.turnLease)
  const deliveryUntil = earlier(state.deliveryUntil, now + rules.turnLease)
  const externalCheckAt = earlier(state.externalCheckAt, now)
  const handoff = handoffWithin(state, asked)
  const text = textsWithin(state.text, now, rules)
  const same =
    seenAt === state.seenAt &&
    leaseUntil === (turn?.leaseUntil ?? null) &&
    deliveryUntil === state.deliveryUntil &&
    externalCheckAt === state.externalCheckAt &&
    handoff === state.handoff &&
    text === state.text
  if (same) return state
  return changeState(state, {
    ...{ seenAt, deliveryUntil, externalCheckAt, handoff, text },
    turn: turn === null || leaseUntil === null ? turn : { ...turn, leaseUntil },
  })
}

/**
 * The state after the clock was put forward by that much: its deadlines move along, so that none passes unseen by this
 * process (TM3). When two processes report it, no deadline is further away than it could be set now.
 */
export function movedOn(state: ConversationState, by: number, asked: Asked): ConversationState {
  const { turn, handoff } = state
  const later = (moment: number | null): number | null => (moment === null ? null : moment + by)
  const moved = changeState(state, {
    seenAt: state.kind === 'recorded' ? state.seenAt : state.seenAt + by,
    turn: turn === null ? null : { ...turn, leaseUntil: turn.leaseUntil + by },
    deliveryUntil: later(state.deliveryUntil),
    text: textsMovedOn(state.text, by),
    handoff:
      handoff === null
        ? null
        : { ...handoff, timeoutAt: handoff.timeoutAt + by, attendedUntil: later(handoff.attendedUntil) },
  })
  return withinReach(moved, asked)
}
