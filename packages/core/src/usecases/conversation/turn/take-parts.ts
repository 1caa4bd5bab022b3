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
    new Taking(parts[Symbol.asyncIterator](), take, resolve, reject).begin(callOff)
  })

/** Parts that are being taken. */
class Taking {
  readonly #iterator: AsyncIterator<unknown>
  readonly #take: (part: unknown) => void
  readonly #resolve: () => void
  readonly #reject: (reason: unknown) => void
  #stopListening: (() => void) | null = null
  #over = false

  constructor(
    iterator: AsyncIterator<unknown>,
    take: (part: unknown) => void,
    resolve: () => void,
    reject: (reason: unknown) => void,
  ) {
    this.#iterator = iterator
    this.#take = take
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(callOff: CallOff): void {
    const stop = callOff.listen(() => this.#fail(callOff.reason))
    if (this.#over) return
    this.#stopListening = stop
    this.#next()
  }

  #next(): void {
    try {
      Promise.resolve(this.#iterator.next()).then(this.#came, this.#fail)
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #came = (result: IteratorResult<unknown>): void => {
    if (this.#over) return
    try {
      if (result.done === true) {
        this.#end()
        this.#resolve()
        return
      }
      this.#take(result.value)
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#next()
  }

  /** The source is told that no further part is wanted. */
  readonly #fail = (reason: unknown): void => {
    if (!this.#end()) return
    callHost(
      () => this.#iterator.return?.(),
      () => undefined,
    )
    this.#reject(reason)
  }

  /** False when it was over before. */
  #end(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#stopListening?.()
    return true
  }
}
