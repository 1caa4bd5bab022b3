import type { Clock } from '@colloquy/core'

/** A port of the host did not answer in time. */
class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** The limits of work that a port of the host does. */
interface Limit {
  readonly clock: Pick<Clock, 'schedule'>
  /** Milliseconds. */
  readonly limit: number
  readonly signal: AbortSignal
  /** The name of the work in the error. */
  readonly what: string
}

/**
 * Returns what the work resolves to, unless the signal aborts or the time is over first. The work may go on: nobody
 * waits for it.
 */
export function until<Result>(
  { clock, limit, signal, what }: Limit,
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
    if (signal.aborted) {
      aborted()
      return
    }
    signal.addEventListener('abort', aborted)
    Promise.resolve()
      .then(work)
      .then(
        result => settle(() => resolve(result)),
        error => settle(() => reject(error)),
      )
  })
}
