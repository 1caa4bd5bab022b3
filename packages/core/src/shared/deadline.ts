import type { Clock } from '../ports/clock.ts'

/** A time limit. */
export interface Deadline {
  /** Milliseconds. */
  readonly limit: number
  /** The error for work that takes longer. */
  readonly late: Error
  /** Calls it off earlier; it has not aborted yet. */
  readonly outer?: AbortSignal | undefined
}

/** The way out for what may take only so long. */
export interface LimitedSignal {
  /** Aborts with `late`, or with the reason of `outer`, unless it was released before. */
  readonly signal: AbortSignal
  release(): void
}

/** Returns a signal that aborts at a deadline. Until then, or until it is released, the process stays. */
export function limitedSignal(
  clock: Pick<Clock, 'schedule'>,
  { limit, late, outer }: Deadline,
): LimitedSignal {
  const controller = new AbortController()
  const follow = (): void => controller.abort(outer?.reason)
  const cancel = clock.schedule(limit, () => controller.abort(late), { keepAlive: true })
  outer?.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    release() {
      cancel()
      outer?.removeEventListener('abort', follow)
    },
  }
}

/**
 * Rejects with the signal's reason when it aborts, at once where it has. When no caller waits for it, it is not an
 * unhandled rejection.
 */
function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const give = (): void => reject(signal.reason)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
  aborted.catch(() => undefined)
  return aborted
}

/**
 * Returns the result of the work, or its deadline if that is first: also when the work does not listen to its signal.
 */
export async function within<Result>(
  clock: Pick<Clock, 'schedule'>,
  deadline: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal, release } = limitedSignal(clock, deadline)
  // Before the work listens: what counts is why it was called off, not what it has to say to that.
  const aborted = whenAborted(signal)
  try {
    return await Promise.race([work(signal), aborted])
  } finally {
    release()
  }
}
