const encoder = new TextEncoder()

/** How many bytes of UTF-8 a text has. */
export const byteLength = (text: string): number => encoder.encode(text).length

/** The values that a function makes of others, one after the other, as far as they are asked for. */
export function* lazily<From, To>(values: Iterable<From>, make: (value: From) => To): Generator<To> {
  for (const value of values) yield make(value)
}

/** The first values that have no more bytes together, one at least where there is one. */
export function within<T>(values: Iterable<T>, bytes: number, bytesOf: (value: T) => number): T[] {
  const taken: T[] = []
  let length = 0
  for (const value of values) {
    length += bytesOf(value)
    if (taken.length > 0 && length > bytes) break
    taken.push(value)
  }
  return taken
}
