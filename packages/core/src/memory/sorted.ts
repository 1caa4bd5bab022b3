import type { ColumnValue, Range } from '../store.ts'

type Part = Exclude<ColumnValue, null>

/** Keys that are kept together, at most. */
const FULL = 512

/**
 * Code units so that texts compare as their code points do: surrogates stand behind all others. And none is the one
 * that stands between the parts of a key.
 */
const unitOf = (unit: string): string => {
  const code = unit.charCodeAt(0)
  if (code < 2) return `\u0001${String.fromCharCode(code + 1)}`
  if (code < 0xd800) return unit
  return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
}

/** Returns a number as a text of the same order: whole, up to 2^53. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '' : '2'
  const digits = String(value < 0 ? 2 ** 53 + value : value).padStart(16, '0')
  return value < 0 ? `0${digits}` : `1${digits}`
}

const partText = (part: Part): string =>
  typeof part === 'number' ? numberText(part) : part.replace(/[^ -\ud7ff]/g, unitOf)

/**
 * Returns the values of an index's columns, and the id, as one text: texts compare as the values do, one after the
 * other.
 */
export const keyText = (parts: readonly Part[]): string => {
  let text = ''
  for (const part of parts) text += `${partText(part)}\0`
  return text
}

/** Compares a key with a place: 0 if it begins with the place. */
const compare = (key: string, place: string): number => (key < place ? -1 : key.startsWith(place) ? 0 : 1)

/** Counts the keys before a place, with or without those that begin with it. */
function before(keys: readonly string[], place: string, withIt: boolean): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compare(keys[middle] ?? '', place)
    if (order < 0 || (withIt && order === 0)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the ids of an index in the order of their keys: what a list reads of it, it finds without looking at the
 * rest.
 */
export function createSorted() {
  const ids = new Map<string, string>()
  /** Keys in short stretches: one that comes between moves few others. */
  const stretches: string[][] = [[]]
  const firsts: string[] = ['']

  /** Returns the last stretch that may hold keys up to a place, or those before it alone. */
  const stretchOf = (place: string, withIt = true): number => Math.max(before(firsts, place, withIt) - 1, 0)

  return {
    add(key: string, id: string): void {
      ids.set(key, id)
      const at = stretchOf(key)
      const stretch = stretches[at] ?? []
      stretch.splice(before(stretch, key, false), 0, key)
      if (stretch.length <= FULL) return
      const rest = stretch.splice(FULL / 2)
      stretches.splice(at + 1, 0, rest)
      firsts.splice(at + 1, 0, rest[0] ?? '')
    },
    drop(key: string): void {
      if (!ids.delete(key)) return
      const at = stretchOf(key)
      const stretch = stretches[at] ?? []
      stretch.splice(before(stretch, key, false), 1)
      if (stretch.length > 0 || stretches.length === 1) return
      stretches.splice(at, 1)
      firsts.splice(at, 1)
      firsts[0] = ''
    },
    /** Ids of a part of the index, in its direction. */
    *within({ after, descending = false, from, prefix, through }: Range): Generator<string> {
      const whole = keyText(prefix)
      let first = from === undefined ? whole : keyText([...prefix, from])
      const last = through === undefined ? whole : keyText([...prefix, through])
      const behind = after === undefined ? null : keyText([...prefix, ...after])
      if (!descending) {
        if (behind !== null && behind > first) first = behind
        const isBehind = first === behind
        for (let at = stretchOf(first, false); at < stretches.length; at++) {
          const stretch = stretches[at] ?? []
          for (let place = before(stretch, first, isBehind); place < stretch.length; place++) {
            const key = stretch[place] ?? ''
            if (compare(key, last) > 0) return
            yield ids.get(key) ?? ''
          }
        }
        return
      }
      const isBefore = behind !== null && compare(behind, last) <= 0
      const end = isBefore ? behind : last
      for (let at = stretchOf(end); at >= 0; at--) {
        const stretch = stretches[at] ?? []
        for (let place = before(stretch, end, !isBefore) - 1; place >= 0; place--) {
          const key = stretch[place] ?? ''
          if (compare(key, first) < 0) return
          yield ids.get(key) ?? ''
        }
      }
    },
  }
}
