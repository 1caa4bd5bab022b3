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
