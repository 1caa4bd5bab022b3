/** A hold on a shared value. */
export interface Hold<Value> {
  readonly value: Value
  /** Must be called exactly once by each holder. */
  release(): void
}

/** Shared values, each of which exists while it has a holder. */
export interface Held<Key, Value> {
  /** The value; undefined when it has no holder. */
  get(key: Key): Value | undefined
  /** The value, for one more holder; made for the first one. */
  hold(key: Key, make: () => Value): Hold<Value>
  values(): Iterable<Value>
}

/** Without values at first. A value is passed to `close` when its last holder releases it. */
export function createHeld<Key, Value>(close: (value: Value) => void): Held<Key, Value> {
  const entries = new Map<Key, Entry<Key, Value>>()
  const end = (key: Key, value: Value): void => {
    entries.delete(key)
    close(value)
  }
  return {
    get: key => entries.get(key)?.value,
    hold(key, make) {
      const entry = entries.get(key) ?? new Entry(key, make(), end)
      entries.set(key, entry)
      entry.holders++
      return entry
    },
    values: () => Array.from(entries.values(), ({ value }) => value),
  }
}

/** All holders have the same hold: a process may have many values, most of them with one holder. */
class Entry<Key, Value> implements Hold<Value> {
  holders = 0
  readonly value: Value
  readonly #key: Key
  readonly #end: (key: Key, value: Value) => void

  constructor(key: Key, value: Value, end: (key: Key, value: Value) => void) {
    this.#key = key
    this.value = value
    this.#end = end
  }

  release(): void {
    this.holders--
    if (this.holders === 0) this.#end(this.#key, this.value)
  }
}
