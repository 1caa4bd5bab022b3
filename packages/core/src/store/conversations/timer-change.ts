import type { Batch } from '../documents.ts'
import { TIMER } from './kinds.ts'
import type { Progress } from './steps.ts'

/** What a write of a conversation does to its timer, and where that stands then as far as the conversation knows. */
export interface TimerChange extends Required<Pick<Batch, 'when' | 'put' | 'remove'>> {
  readonly timer: Progress['timer']
}

/**
 * When a conversation that was written before is to be woken. A timer that stands earlier may be left where it is, as
 * long as nobody has moved it: whoever claims it puts it where the conversation wants it. So a write in a talk that
 * goes on mostly leaves it alone.
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
