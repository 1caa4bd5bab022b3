/** A hold on a shared value. */
export interface Hold<Value> {
  readonly value: Value
  /** Must be called exactly once. */
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
  const entries = new Map<Key, { readonly value: Value; holders: number }>()
  return {
    get: key => entries.get(key)?.value,
    hold(key, make) {
      const entry = entries.get(key) ?? { value: make(), holders: 0 }
      entries.set(key, entry)
      entry.holders++
      return {
        value: entry.value,
        release() {
          if (--entry.holders > 0) return
          entries.delete(key)
          close(entry.value)
        },
      }
    },
    values: () => Array.from(entries.values(), ({ value }) => value),
  }
}
