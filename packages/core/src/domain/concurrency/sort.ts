const DIGIT_BITS = 13
const BUCKETS = 1 << DIGIT_BITS
const MASK = BUCKETS - 1
const TWO_DIGITS = 2 * DIGIT_BITS
const SMALL = 4_096

/** Ascending order, in place or in a copy: use what is returned. A radix sort; short arrays take the engine's own. */
export function sortAscending(values: Uint32Array): Uint32Array {
  if (values.length < SMALL) return values.sort()
  const low = new Uint32Array(BUCKETS)
  const high = new Uint32Array(BUCKETS)
  let bits = 0
  // Counted loops here and below: iterating a typed array takes several times as long.
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0
    bits |= value
    low[value & MASK] = (low[value & MASK] ?? 0) + 1
    high[(value >>> DIGIT_BITS) & MASK] = (high[(value >>> DIGIT_BITS) & MASK] ?? 0) + 1
  }
  const other = new Uint32Array(values.length)
  distribute(values, other, 0, placesOf(low))
  distribute(other, values, DIGIT_BITS, placesOf(high))
  if (bits >>> TWO_DIGITS === 0) return values
  const highest = new Uint32Array(BUCKETS)
  for (let at = 0; at < values.length; at += 1) {
    const digit = (values[at] ?? 0) >>> TWO_DIGITS
    highest[digit] = (highest[digit] ?? 0) + 1
  }
  distribute(values, other, TWO_DIGITS, placesOf(highest))
  return other
}

/** Turns the count of each digit into the place of its first value. In place. */
function placesOf(counts: Uint32Array): Uint32Array {
  let place = 0
  for (let digit = 0; digit < BUCKETS; digit += 1) {
    const count = counts[digit] ?? 0
    counts[digit] = place
    place += count
  }
  return counts
}

function distribute(source: Uint32Array, target: Uint32Array, shift: number, places: Uint32Array): void {
  for (let at = 0; at < source.length; at += 1) {
    const value = source[at] ?? 0
    const digit = (value >>> shift) & MASK
    const place = places[digit] ?? 0
    target[place] = value
    places[digit] = place + 1
  }
}
