import type { ColumnValue, Range } from '@colloquy/core/store'
import { compareCodePoints } from './order.ts'

/** What stands for a document in an index: the values of its columns, and its id. */
export type Key = readonly Exclude<ColumnValue, null>[]

/** Compares as far as the shorter one goes. */
function compareKeys(one: Key, other: Key): number {
  const shared = Math.min(one.length, other.length)
  for (let at = 0; at < shared; at++) {
    const [left, right] = [one[at], other[at]]
    if (left === right || left === undefined || right === undefined) continue
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : compareCodePoints(String(left), String(right))
  }
  return 0
}

/** The keys of an index in order: what lists read of it, they find without looking at the rest. */
export function createSorted() {
  const keys: Key[] = []

  /** How many keys come before a place, those that begin with it included or not. */
  function before(place: Key, withIt: boolean): number {
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = compareKeys(keys[middle] ?? [], place)
      if (order < 0 || (withIt && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  const bounds = ({ after, descending, from, prefix, through }: Range): readonly [number, number] => {
    const first = before(from === undefined ? prefix : [...prefix, from], false)
    const last = before(through === undefined ? prefix : [...prefix, through], true)
    if (after === undefined) return [first, last]
    const place = [...prefix, ...after]
    return descending
      ? [first, Math.min(last, before(place, false))]
      : [Math.max(first, before(place, true)), last]
  }

  return {
    add: (key: Key): void => void keys.splice(before(key, false), 0, key),
    drop: (key: Key): void => void keys.splice(before(key, false), 1),
    count: (range: Range): number => {
      const [first, last] = bounds(range)
      return Math.max(last - first, 0)
    },
    *within(range: Range): Generator<string> {
      const [first, last] = bounds(range)
      for (let at = first; at < last; at++)
        yield String(keys[range.descending ? last - 1 - (at - first) : at]?.at(-1))
    },
  }
}
