/** Someone's hold on a value. */
export interface Hold<Value> {
  readonly value: Value
  /** Called once. */
  release(): void
}

/** Values that last while someone holds them. */
export interface Held<Key, Value> {
  /** The value, as long as it is held. */
  get(key: Key): Value | undefined
  /** The value for one more holder; the first one's is made. */
  hold(key: Key, make: () => Value): Hold<Value>
  values(): Iterable<Value>
}

/** Nothing is held. What its last holder has released is handed to `close`. */
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
