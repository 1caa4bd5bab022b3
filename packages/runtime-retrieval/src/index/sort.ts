/** Items that are sorted or merged in one step. */
const ITEMS_A_STEP = 256

/** Sorts a list in small steps into a new one; equals stay in their order. */
export function* sort<Item>(
  list: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for (let from = 0; from < list.length; from += ITEMS_A_STEP) {
    runs.push(list.slice(from, from + ITEMS_A_STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Generator<void, readonly Item[]> {
  const merged: Item[] = []
  let taken = 0
  for (const item of left) {
    for (let other = right[taken]; other !== undefined && compare(other, item) < 0; other = right[taken]) {
      merged.push(other)
      taken += 1
    }
    merged.push(item)
    if (merged.length % ITEMS_A_STEP === 0) yield
  }
  return merged.concat(right.slice(taken))
}
