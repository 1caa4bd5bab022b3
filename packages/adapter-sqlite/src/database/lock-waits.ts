import { setTimeout as after } from 'node:timers/promises'

/** Default time limit for waiting for a lock, in all tries together, milliseconds. */
export const BUSY_TIMEOUT = 5_000

/** The longest that SQLite itself waits for a lock, milliseconds: nothing else of the process runs meanwhile. */
export const LONGEST_TRY = 10

/** Between two tries, at least so long, milliseconds. */
const SHORTEST_WAIT = 2

/** And up to so much longer, by chance, so that processes that wait do not ask at the same moments. */
const SPREAD = 10

/**
 * True for SQLite's refusal because another connection holds the lock, also where it is the cause of an error that says
 * more.
 */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (isBusy(error.cause) ||
    ('code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_BUSY')))

/** Returns the delay before the next try, milliseconds. */
export const nextWait = (): number => SHORTEST_WAIT + Math.random() * SPREAD

/** Retries while it is refused for a lock, for at most that many milliseconds; others have their turn in between. */
export async function untilUnlocked<Result>(longest: number, run: () => Result): Promise<Result> {
  const until = performance.now() + longest
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    await after(nextWait())
  }
}
