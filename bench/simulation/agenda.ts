interface Entry<Item> {
  readonly at: number
  /** Order of insertion. If two entries have the same moment, the one inserted first comes first. */
  readonly order: number
  readonly item: Item
}

/** Future items, the earliest first: a binary heap. */
export class Agenda<Item> {
  readonly #heap: Entry<Item>[] = []
  #order = 0

  get size(): number {
    return this.#heap.length
  }

  put(at: number, item: Item): void {
    const heap = this.#heap
    heap.push({ at, order: this.#order++, item })
    let child = heap.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#swapUnlessOrdered(parent, child)) break
      child = parent
    }
  }

  /** The earliest, which is taken out; undefined when there is none. */
  take(): { readonly at: number; readonly item: Item } | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    heap[0] = last
    let parent = 0
    for (;;) {
      const [left, right] = [parent * 2 + 1, parent * 2 + 2]
      const earlier = right < heap.length && this.#isBefore(right, left) ? right : left
      if (earlier >= heap.length || !this.#swapUnlessOrdered(parent, earlier)) return first
      parent = earlier
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]]
    if (a === undefined || b === undefined) return false
    return a.at < b.at || (a.at === b.at && a.order < b.order)
  }

  #swapUnlessOrdered(parent: number, child: number): boolean {
    const [above, below] = [this.#heap[parent], this.#heap[child]]
    if (above === undefined || below === undefined || !this.#isBefore(child, parent)) return false
    this.#heap[parent] = below
    this.#heap[child] = above
    return true
  }
}
