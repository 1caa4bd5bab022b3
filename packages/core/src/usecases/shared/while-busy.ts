import { isPlatformError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'

/** The first pause, and the longest, milliseconds. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 2_000

/** The longest time that a caller waits for a busy store, milliseconds. */
export const PATIENCE = 10_000

/** Runs `whileBusy` for so many milliseconds, or until `ended`. */
export function whileBusyFor<Result>(
  clock: Pick<Clock, 'monotonic' | 'schedule'>,
  milliseconds: number,
  act: () => Promise<Result>,
  ended: () => boolean = () => false,
): Promise<Result> {
  const until = clock.monotonic() + milliseconds
  return whileBusy(clock, () => ended() || clock.monotonic() >= until, act)
}

/**
 * Retries `act` while the store is too busy for it (`STORE_BUSY`), after pauses that double, until `over`. A repeat
 * must be harmless: a write whose answer was lost may have been made (EN4).
 *
 * @param act rejects, and does not throw
 */
export function whileBusy<Result>(
  clock: Pick<Clock, 'schedule'>,
  over: () => boolean,
  act: () => Promise<Result>,
): Promise<Result> {
  // Not asynchronous itself: nearly every first try succeeds, and a turn makes several.
  return act().catch(error => again(clock, over, act, error))
}

/** Retries after an attempt that failed with `error`. */
async function again<Result>(
  clock: Pick<Clock, 'schedule'>,
  over: () => boolean,
  act: () => Promise<Result>,
  failed: unknown,
): Promise<Result> {
  let error = failed
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    if (!isPlatformError(error) || error.code !== 'STORE_BUSY' || over()) throw error
    await new Promise<void>(resolve => clock.schedule(pause, resolve, { keepAlive: true }))
    if (over()) throw error
    try {
      return await act()
    } catch (next) {
      error = next
    }
  }
}
