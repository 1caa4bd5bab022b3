import { millisecondsInHour } from 'date-fns/constants'
import type { Context } from '../context.ts'

/** The time between two looks, milliseconds, and the number of turns in a step. */
const FORGET_INTERVAL = millisecondsInHour
const FORGET_BATCH = 200

/** Removes recordings of turns that were kept long enough. */
export interface TurnRecordingSweeper {
  stop(): Promise<void>
}

/**
 * Starts it, if recordings of turns are not kept as long as their conversations (TE94). Several processes may do so
 * over one store: of two that come upon the same turns one writes.
 */
export function startTurnRecordingSweeper({
  clock,
  scheduler,
  settings,
  store,
}: Pick<Context, 'clock' | 'scheduler' | 'settings' | 'store'>): TurnRecordingSweeper | null {
  const { turnRecordingRetention } = settings
  if (turnRecordingRetention === null) return null
  return scheduler.begin({
    name: 'turn recordings',
    async round() {
      const before = clock.now() - turnRecordingRetention
      const { more } = await store.conversations.removals.forgetTurnRecordings(before, FORGET_BATCH)
      return more ? 0 : FORGET_INTERVAL
    },
  })
}
