import { ApiError } from './api-error.ts'

/** Throws what the caller's signal was aborted with. */
function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

/**
 * Does something until it is done, it takes too long, or the caller has had enough.
 *
 * @throws ApiError `TIMEOUT` or `NO_ANSWER`; the signal's reason
 */
export async function attempt<Result>(
  operation: string,
  timeout: number,
  signal: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  refuseAborted(signal)
  const own = new AbortController()
  const stop = (): void => own.abort()
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop()
  }, timeout)
  signal?.addEventListener('abort', stop)
  // A `fetch` of the caller's may not listen to its signal.
  const stopped = new Promise<never>((_, reject) => {
    own.signal.addEventListener('abort', reject)
  })
  try {
    return await Promise.race([act(own.signal), stopped])
  } catch (cause) {
    refuseAborted(signal)
    if (late)
      throw new ApiError(operation, { code: 'TIMEOUT', message: `no whole answer within ${timeout} ms.` })
    if (cause instanceof ApiError) throw cause
    throw new ApiError(operation, {
      code: 'NO_ANSWER',
      message: 'no answer. Is the server running?',
      cause,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    // What is left of an answer that was not read.
    stop()
  }
}

/** Waits, unless the caller has had enough. Leaves neither timer nor listener. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  attempt<void>('', milliseconds, signal, () => new Promise(() => {})).catch(() => refuseAborted(signal))
