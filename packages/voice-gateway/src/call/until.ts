import type { Clock } from '@colloquy/core'

/** A port of the host did not answer in time. */
class TooLate extends Error {
  override readonly name = 'TooLate'
}

/**
 * Returns what the work resolves to, unless the signal aborts or the time is over first. The work may go on: nobody
 * waits for it.
 */
export function until<Result>(
  clock: Pick<Clock, 'schedule'>,
  limit: number,
  signal: AbortSignal,
  what: string,
  work: () => Result | PromiseLike<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => settle(() => reject(signal.reason))
    const cancel = clock.schedule(limit, () =>
      settle(() => reject(new TooLate(`${what} took longer than ${limit} ms.`))),
    )
    const settle = (then: () => void): void => {
      cancel()
      signal.removeEventListener('abort', aborted)
      then()
    }
    if (signal.aborted) return aborted()
    signal.addEventListener('abort', aborted)
    Promise.resolve()
      .then(work)
      .then(
        result => settle(() => resolve(result)),
        error => settle(() => reject(error)),
      )
  })
}
