/**
 * A signal that is made when somebody looks at it: most turns end without that, and of all that a turn would keep until
 * its end a signal is the largest. It passes for the signal itself wherever Node, its `fetch` and its streams take one.
 *
 * @param made the signal, the same at each call
 */
export const lazySignal = (made: () => AbortSignal): AbortSignal => new Proxy(NOTHING, new Forwarding(made))

/** The target of every proxy: all goes to the signals, so that nothing is read from it or written to it. */
const NOTHING: AbortSignal = Object.create(null)

/** What is compared or read. The methods of a signal, on the other hand, take no other object for one. */
const AS_IT_IS: ReadonlySet<PropertyKey> = new Set(['constructor', 'onabort'])

class Forwarding implements ProxyHandler<AbortSignal> {
  readonly #made: () => AbortSignal

  constructor(made: () => AbortSignal) {
    this.#made = made
  }

  get(_: AbortSignal, key: PropertyKey): unknown {
    const signal = this.#made()
    const value = Reflect.get(signal, key)
    return typeof value === 'function' && !AS_IT_IS.has(key) ? value.bind(signal) : value
  }

  set(_: AbortSignal, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(this.#made(), key, value)
  }

  has(_: AbortSignal, key: PropertyKey): boolean {
    return Reflect.has(this.#made(), key)
  }

  getPrototypeOf(): object {
    return AbortSignal.prototype
  }

  defineProperty(_: AbortSignal, key: PropertyKey, attributes: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.#made(), key, attributes)
  }

  deleteProperty(_: AbortSignal, key: PropertyKey): boolean {
    return Reflect.deleteProperty(this.#made(), key)
  }

  getOwnPropertyDescriptor(_: AbortSignal, key: PropertyKey): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.#made(), key)
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.#made())
  }
}
