import { type Draft, type Moment, patch } from './draft.ts'
import type { Handoff } from './state.ts'

/**
 * Returns the interval at which the sign of an open socket is stored, milliseconds. It is a third of
 * `Settings.liveAgentAbsence`, so a process that dies leaves a sign that is at most that old.
 */
export const attendanceBeat = (absence: number): number => absence / 3

/** Returns the time ahead that an open socket's sign covers, milliseconds. */
export const attendanceReach = (absence: number): number => absence + attendanceBeat(absence)

const attend = (draft: Draft, handoff: Handoff, attendedUntil: number): Draft =>
  patch(draft, { handoff: { ...handoff, attendedUntil } })

/**
 * The live agent watches through a socket. While it is open the next sign is due after a beat. Only after that the live
 * agent is missed. Earlier signs, from further sockets, change nothing. Once it is closed the live agent is missed from
 * now on, until another open socket sends its next beat (DK15).
 */
export function seenThroughSocket(
  draft: Draft,
  handoff: Handoff,
  socket: 'open' | 'closed',
  { now, rules }: Moment,
): Draft {
  if (socket === 'closed') return attend(draft, handoff, now + rules.liveAgentAbsence)
  const beat = attendanceBeat(rules.liveAgentAbsence)
  const until = now + attendanceReach(rules.liveAgentAbsence)
  const stored = handoff.attendedUntil
  return stored !== null && until - stored < beat ? draft : attend(draft, handoff, until)
}

/**
 * The live agent did something. Counts for one who was seen through a socket; one who never was cannot be missed. A
 * beat is added where something has to be stored, so that typing stores something once a beat and not at every key
 * (DK15).
 */
export function actedAtDesk(draft: Draft, handoff: Handoff, { now, rules }: Moment): Draft {
  const until = now + rules.liveAgentAbsence
  const stored = handoff.attendedUntil
  if (stored === null || stored >= until) return draft
  return attend(draft, handoff, until + attendanceBeat(rules.liveAgentAbsence))
}
