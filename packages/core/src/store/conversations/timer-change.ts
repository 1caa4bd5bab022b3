import type { Batch } from '../documents.ts'
import { TIMER } from './kinds.ts'
import type { Progress } from './steps.ts'

/** The changes of a conversation's write to its timer, and the timer's new time as far as the conversation knows. */
export interface TimerChange extends Required<Pick<Batch, 'when' | 'put' | 'remove'>> {
  readonly timer: Progress['timer']
}

/**
 * Returns the timer's change for the time at which a known conversation is to be woken. An earlier timer may stay,
 * unless somebody has moved it: a claim then moves it to the time that the conversation wants. So a write in a
 * conversation that goes on mostly leaves the timer alone.
 */
export function timerAfter(
  { id, timer, version }: Pick<Progress, 'id' | 'timer' | 'version'>,
  wakeAt: number | null,
  mayStay: boolean,
): TimerChange {
  if (wakeAt === null)
    return { timer: null, when: [], put: [], remove: timer === null ? [] : [{ kind: TIMER, id }] }
  if (mayStay && timer !== null && timer.at <= wakeAt) {
    const stands = { conversationId: id, ...timer, claims: 0, moves: 0 }
    return { timer, when: [{ kind: TIMER, id, version: TIMER.version(stands) }], put: [], remove: [] }
  }
  const of = version + 1
  const value = { conversationId: id, at: wakeAt, of, claims: 0, moves: 0 }
  return { timer: { at: wakeAt, of }, when: [], put: [{ kind: TIMER, value }], remove: [] }
}
