import { hasRecording, withoutRecording } from '../../domain/conversation/turn-recording.ts'
import type { ForgottenTurnRecordings } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import { RECORDED_TURNS, type RecordedTurns, TURN } from './kinds.ts'
import type { Puts } from './placing.ts'

/** The number of conversations in a step. */
const CONVERSATIONS_AT_ONCE = 25

/** The changes of a step, and how many turns it may still look at. */
interface Step {
  readonly when: Batch['when']
  readonly put: Puts
  readonly remove: NonNullable<Batch['remove']>
  readonly left: number
}

/** Returns the step with the next turns of a conversation in it, at most as many as are left. */
async function withTurnsOf(
  { scan }: Pick<Guarded, 'scan'>,
  { left, put, remove, when }: Step,
  { kept, next }: { readonly kept: RecordedTurns; readonly next: number },
): Promise<Step> {
  const turns = await scan(TURN, 'log', { prefix: [kept.log], from: kept.after + 1, limit: left + 1 })
  const looked = turns.slice(0, left)
  const recorded = looked.filter(hasRecording)
  const after = looked.at(-1)?.number ?? kept.after
  const isLast = turns.length <= left
  return {
    when: [...when, unchanged(RECORDED_TURNS, kept), ...recorded.map(turn => unchanged(TURN, turn))],
    put: [
      ...put,
      // A turn stays at its place, and with it all that names its version.
      ...recorded.map(turn => ({ kind: TURN, value: withoutRecording(turn) })),
      ...(isLast ? [] : [{ kind: RECORDED_TURNS, value: { ...kept, version: next, after } }]),
    ],
    remove: isLast ? [...remove, { kind: RECORDED_TURNS, id: kept.id }] : remove,
    left: left - looked.length,
  }
}

/** Removes recordings from the turns of conversations that finished before a moment, a bounded step at a time. */
export async function forgetTurnRecordings(
  over: Guarded,
  finishedBefore: number,
  turns: number,
  nextPlace: () => number,
): Promise<ForgottenTurnRecordings> {
  const { decided, scan } = over
  const { searched, ...forgotten } = await decided<ForgottenTurnRecordings & { searched: number }>(
    async () => {
      const found = await scan(RECORDED_TURNS, 'time', {
        prefix: [],
        through: Math.ceil(finishedBefore) - 1,
        limit: CONVERSATIONS_AT_ONCE + 1,
      })
      let step: Step = { when: [], put: [], remove: [], left: turns }
      for (const kept of found.slice(0, CONVERSATIONS_AT_ONCE)) {
        if (step.left <= 0) break
        step = await withTurnsOf(over, step, { kept, next: nextPlace() })
      }
      const { put, remove, when } = step
      const result = {
        turns: put.filter(({ kind }) => kind === TURN).length,
        more: remove.length < found.length,
        searched: remove.length,
      }
      return when.length === 0 ? { result } : { when, put, remove, result }
    },
  )
  if (searched > 0 && !forgotten.more) await over.erased?.()
  return forgotten
}
