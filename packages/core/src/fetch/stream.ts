import { PlatformError } from '../errors.ts'
import { nextTurn, systemClock } from '../system/system.ts'

/** The conditions that end an answer in chunks before its last one. */
interface Reading {
  /** The signal of the request: aborts when the client is gone. */
  readonly signal: AbortSignal
  /** The time that reading the answer may take, milliseconds. */
  readonly timeout: number
  /** For an answer that is made while it is read: aborts if nobody reads it, instead of `timeout` (ES5). */
  readonly cutOff: AbortSignal | undefined
}

const notRead = (timeout: number): PlatformError =>
  new PlatformError(
    'REQUEST_TIMEOUT',
    `The answer was not read within ${timeout / 1000} s, which is the limit.`,
  )

/**
 * Returns an answer's chunks as a stream (FE12). A chunk is made when the reader asks for it, and others have
 * their turn between two of them. The function is long, because end, error, abort and deadline share what has to be
 * cleaned up once.
 */
export function streamOf(
  chunks: AsyncIterable<string | Uint8Array>,
  { signal, timeout, cutOff }: Reading,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let over = false
  let begun = false
  let disarm = (): void => {}
  let fail = (_error: unknown): void => {}
  const onAbort = (): void => stop(signal.reason)
  const onCutOff = (): void => stop(cutOff?.reason)

  function finish(): void {
    over = true
    disarm()
    signal.removeEventListener('abort', onAbort)
    cutOff?.removeEventListener('abort', onCutOff)
  }

  /** Nobody reads on: what makes the chunks puts away what it holds. */
  async function abandon(): Promise<void> {
    finish()
    await iterator.return?.()
  }

  function stop(error: unknown): void {
    if (over) return
    fail(error)
    abandon().catch(() => {})
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = error => controller.error(error)
        signal.addEventListener('abort', onAbort)
        cutOff?.addEventListener('abort', onCutOff)
        if (signal.aborted) onAbort()
      },
      async pull(controller) {
        if (begun) await nextTurn()
        else if (cutOff === undefined) disarm = systemClock.schedule(timeout, () => stop(notRead(timeout)))
        begun = true
        if (over) return
        try {
          const { done, value } = await iterator.next()
          if (over) return
          if (done !== true) {
            controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
            return
          }
          finish()
          controller.close()
        } catch (error) {
          finish()
          throw error
        }
      },
      cancel: abandon,
    },
    { highWaterMark: 0 },
  )
}
