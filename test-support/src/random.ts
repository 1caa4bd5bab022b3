/** Random choices that a seed repeats. */
export interface Random {
  /** A whole number from 0 up to and without `below`. */
  below(below: number): number
  /** True with that probability. */
  chance(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Mulberry32: small, fast, and good enough to choose instants with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: probability => next() < probability,
    pick: items => items[below(items.length)] ?? items[0],
  }
}
