import { ApiError } from './api-error.ts'

/** Limits of an attempt. */
interface Bounds {
  /** Milliseconds. */
  readonly timeout: number
  /** The caller's. */
  readonly signal: AbortSignal | undefined
  /** Whether the response is still read afterwards: only the caller's signal ends it then. */
  readonly outlives?: boolean
}

/**
 * Does something until it is done, it takes too long, or the caller has had enough.
 *
 * @throws ApiError `TIMEOUT` or `NO_ANSWER`; the signal's reason
 */
export async function attempt<Result>(
  operation: string,
  { timeout, signal, outlives = false }: Bounds,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted()
  const own = new AbortController()
  const stop = (): void => own.abort(signal?.reason)
  const timer = setTimeout(() => {
    own.abort(new ApiError(operation, { code: 'TIMEOUT', message: `no whole answer within ${timeout} ms.` }))
  }, timeout)
  signal?.addEventListener('abort', stop)
  // A `fetch` of the caller's may not listen to its signal.
  const stopped = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', reject)
  })
  let goesOn = false
  try {
    const result = await Promise.race([act(own.signal), stopped])
    goesOn = outlives
    return result
  } catch (cause) {
    own.signal.throwIfAborted()
    if (cause instanceof ApiError) throw cause
    throw new ApiError(operation, {
      code: 'NO_ANSWER',
      message: 'no answer. Is the server running?',
      cause,
    })
  } finally {
    clearTimeout(timer)
    if (!goesOn) {
      signal?.removeEventListener('abort', stop)
      // Drops the rest of a response that was not read.
      stop()
    }
  }
}

/** Waits, unless the caller has had enough. Leaves neither timer nor listener. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  attempt<void>('', { timeout: milliseconds, signal }, () => new Promise(() => {})).catch(() =>
    signal?.throwIfAborted(),
  )
