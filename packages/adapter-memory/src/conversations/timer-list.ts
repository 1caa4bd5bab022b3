import { comparePlaces, type Place } from '../order.ts'

/** Moments by id, in one sorted list: the earliest is at hand, and a change costs a binary search. */
export function createTimers<Id extends string>() {
  const moments = new Map<Id, number>()
  const sorted: (readonly [at: number, id: Id])[] = []

  /** How many timers come before the place. */
  const before = (place: Place): number => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = sorted[middle]
      if (there !== undefined && comparePlaces(there, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    /** Sets or, with null, takes away the moment of an id. */
    set(id: Id, at: number | null): void {
      const previous = moments.get(id)
      if (previous !== undefined) sorted.splice(before([previous, id]), 1)
      moments.delete(id)
      if (at === null) return
      moments.set(id, at)
      sorted.splice(before([at, id]), 0, [at, id])
    },
    /** The moment of an id; null when it has none. */
    get: (id: Id): number | null => moments.get(id) ?? null,
    /** The earliest moment; null for none. */
    earliest: (): number | null => sorted[0]?.[0] ?? null,
    /** Ids whose moment is not after `now`, earliest first. */
    due(now: number, limit: number): Id[] {
      const late = sorted.findIndex(([at], index) => at > now || index >= limit)
      return sorted.slice(0, late < 0 ? sorted.length : late).map(([, id]) => id)
    },
    /** Ids whose moment is after that one, latest first. */
    after(moment: number, limit: number): Id[] {
      const found: Id[] = []
      for (let index = sorted.length - 1; index >= 0 && found.length < limit; index--) {
        const timer = sorted[index]
        if (timer === undefined || timer[0] <= moment) break
        found.push(timer[1])
      }
      return found
    },
  }
}
