import type { Breather } from '../../../shared/breather.ts'
import { callHost, ignoreOutcome } from '../../../shared/call-host.ts'
import type { CallOff } from './call-off.ts'

/**
 * Hands each part to `take` as it comes. Resolves after the last one; rejects with what the source or `take` throws,
 * and with the reason of a turn that is called off, at once, also when the source does not listen to its signal. By
 * hand and not with `for await`, which takes a generator and a race of promises for every part.
 */
export const takeParts = (
  parts: AsyncIterable<unknown>,
  { callOff, breather }: { readonly callOff: CallOff; readonly breather: Breather },
  take: (part: unknown) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    // A runtime may answer with a promise by mistake. One that rejects must not end the process (EM1).
    ignoreOutcome(parts, () => undefined)
    new Taking(parts[Symbol.asyncIterator](), { breather, take, resolve, reject }).begin(callOff)
  })

/** The callbacks and the breather with which parts are taken. */
interface Hands {
  readonly breather: Breather
  readonly take: (part: unknown) => void
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Parts that are being taken. */
class Taking {
  readonly #iterator: AsyncIterator<unknown>
  readonly #hands: Hands
  #stopListening: (() => void) | null = null
  #over = false

  constructor(iterator: AsyncIterator<unknown>, hands: Hands) {
    this.#iterator = iterator
    this.#hands = hands
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
        this.#hands.resolve()
        return
      }
      this.#hands.take(result.value)
    } catch (error) {
      this.#fail(error)
      return
    }
    const breath = this.#hands.breather.breathe()
    if (breath === null) this.#next()
    else void breath.then(this.#goOn)
  }

  readonly #goOn = (): void => {
    if (!this.#over) this.#next()
  }

  /** Notifies the source that no further part is wanted. */
  readonly #fail = (reason: unknown): void => {
    if (!this.#end()) return
    callHost(
      () => this.#iterator.return?.(),
      () => undefined,
    )
    this.#hands.reject(reason)
  }

  /** Ends the taking. Returns false when it was over before. */
  #end(): boolean {
    if (this.#over) return false
    this.#over = true
    this.#stopListening?.()
    return true
  }
}
