const NOBODY: readonly (() => void)[] = []

/**
 * Calls a turn off. An `AbortController` for the platform's own use: what is cheap is made for every turn, and the
 * signal when it is handed to a runtime or a function of the host.
 */
export class CallOff {
  #controller: AbortController | null = null
  /** Replaced, never changed: nearly every turn has one. */
  #listeners: readonly (() => void)[] = NOBODY
  #reason: unknown
  #done = false

  /** True once the turn was called off. */
  get done(): boolean {
    return this.#done
  }

  /** The first argument of {@link abort}. */
  get reason(): unknown {
    return this.#reason
  }

  /** Cancels the turn. Only the first call counts. @param reason as for an `AbortController` */
  abort(reason?: unknown): void {
    if (this.#done) return
    this.#done = true
    this.#reason = reason
    const listeners = this.#listeners
    this.#listeners = NOBODY
    for (const listener of listeners) listener()
    // The host hears of it last: by then its functions are over.
    this.#controller?.abort(reason)
  }

  /** The signal for the host: aborts with the same reason. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#done) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Calls `listener` when the turn is called off, at once where it was. Returns how to stop listening. */
  listen(listener: () => void): () => void {
    if (this.#done) {
      listener()
      return () => undefined
    }
    // A spread would reserve room for sixteen more.
    this.#listeners = this.#listeners.concat(listener)
    return () => {
      this.#listeners = this.#listeners.filter(other => other !== listener)
    }
  }
}
