import { callHost } from '../../../shared/call-host.ts'
import type { CallOff } from './call-off.ts'

/**
 * Hands each part to `take` as it comes. Resolves after the last one; rejects with what the source or `take` throws,
 * and with the reason of a turn that is called off, at once, also when the source does not listen to its signal. By
 * hand and not with `for await`, which takes a generator and a race of promises for every part.
 */
export const takeParts = (
  parts: AsyncIterable<unknown>,
  callOff: CallOff,
  take: (part: unknown) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const iterator = parts[Symbol.asyncIterator]()
    let over = false

    function end(): boolean {
      if (over) return false
      over = true
      stopListening()
      return true
    }
    /** The source is told that no further part is wanted. */
    function fail(reason: unknown): void {
      if (!end()) return
      callHost(
        () => iterator.return?.(),
        () => undefined,
      )
      reject(reason)
    }
    function next(): void {
      try {
        Promise.resolve(iterator.next()).then(came, fail)
      } catch (error) {
        fail(error)
      }
    }
    function came(result: IteratorResult<unknown>): void {
      if (over) return
      try {
        if (result.done === true) {
          end()
          resolve()
          return
        }
        take(result.value)
      } catch (error) {
        fail(error)
        return
      }
      next()
    }

    let stopListening = (): void => undefined
    stopListening = callOff.listen(() => fail(callOff.reason))
    if (!over) next()
  })
