const DIGIT_BITS = 12
const BUCKETS = 1 << DIGIT_BITS
const SMALL = 4_096

/** Ascending order, in place or in a copy: use what is returned. A radix sort; short arrays take the engine's own. */
export function sortAscending(values: Uint32Array): Uint32Array {
  if (values.length < SMALL) return values.sort()
  let max = 0
  for (let at = 0; at < values.length; at += 1) max = Math.max(max, values[at] ?? 0)
  let source: Uint32Array = values
  let target: Uint32Array = new Uint32Array(values.length)
  for (let shift = 0; shift < 32 && max >>> shift > 0; shift += DIGIT_BITS) {
    distribute(source, target, shift)
    ;[source, target] = [target, source]
  }
  return source
}

function distribute(source: Uint32Array, target: Uint32Array, shift: number): void {
  const next = new Uint32Array(BUCKETS)
  // Counted loops here and below: iterating a typed array takes several times as long.
  for (let at = 0; at < source.length; at += 1) {
    const bucket = ((source[at] ?? 0) >>> shift) & (BUCKETS - 1)
    next[bucket] = (next[bucket] ?? 0) + 1
  }
  let position = 0
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    const count = next[bucket] ?? 0
    next[bucket] = position
    position += count
  }
  for (let at = 0; at < source.length; at += 1) {
    const value = source[at] ?? 0
    const bucket = (value >>> shift) & (BUCKETS - 1)
    const place = next[bucket] ?? 0
    target[place] = value
    next[bucket] = place + 1
  }
}
