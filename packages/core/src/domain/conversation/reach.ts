import { attendanceReach } from './attendance.ts'
import { type Asked, type Draft, patch } from './draft.ts'
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
 * The draft with no deadline further away than it could be set now. One that is was set before the clock was put back,
 * and would not be reached until the clock has caught up (TM4). What a host has recorded of another channel is left as
 * it is.
 */
export function withinReach(draft: Draft, asked: Asked): Draft {
  const { now, rules } = asked
  const { deliveryUntil, externalCheckAt, handoff, kind, seenAt, text, turn } = draft.state
  const near = {
    seenAt: kind === 'recorded' ? seenAt : Math.min(seenAt, now),
    turn:
      turn !== null && turn.leaseUntil > now + rules.turnLease
        ? { ...turn, leaseUntil: now + rules.turnLease }
        : turn,
    deliveryUntil: earlier(deliveryUntil, now + rules.turnLease),
    externalCheckAt: earlier(externalCheckAt, now),
    handoff: handoffWithin(draft.state, asked),
    text: textsWithin(text, now, rules),
  }
  const isNear =
    near.seenAt === seenAt &&
    near.turn === turn &&
    near.deliveryUntil === deliveryUntil &&
    near.externalCheckAt === externalCheckAt &&
    near.handoff === handoff &&
    near.text === text
  return isNear ? draft : patch(draft, near)
}

/**
 * The draft after the clock was put forward by that much: its deadlines move along, so that none passes unseen by this
 * process (TM3). When two processes report it, no deadline is further away than it could be set now.
 */
export function movedOn(draft: Draft, by: number, asked: Asked): Draft {
  const { deliveryUntil, handoff, kind, seenAt, text, turn } = draft.state
  const later = (moment: number | null): number | null => (moment === null ? null : moment + by)
  const moved = patch(draft, {
    seenAt: kind === 'recorded' ? seenAt : seenAt + by,
    turn: turn === null ? null : { ...turn, leaseUntil: turn.leaseUntil + by },
    deliveryUntil: later(deliveryUntil),
    text: textsMovedOn(text, by),
    handoff:
      handoff === null
        ? null
        : { ...handoff, timeoutAt: handoff.timeoutAt + by, attendedUntil: later(handoff.attendedUntil) },
  })
  return withinReach(moved, asked)
}
