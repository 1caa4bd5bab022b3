/** Surrogates stand for the code points beyond all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Compares by code points, as their UTF-8 bytes do; `<` would compare UTF-16. */
export function compareCodePoints(one: string, other: string): number {
  const shared = Math.min(one.length, other.length)
  for (let index = 0; index < shared; index++) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** A moment and an id: what lists are ordered by. */
export type Place = readonly [at: number, id: string]

/** Earliest first, then by the code points of the id. */
export const comparePlaces = (one: Place, other: Place): number =>
  one[0] - other[0] || compareCodePoints(one[1], other[1])

/** A sorted copy, each value at its place. */
export const inOrder = <T>(values: Iterable<T>, place: (value: T) => Place): T[] =>
  [...values].sort((one, other) => comparePlaces(place(one), place(other)))
