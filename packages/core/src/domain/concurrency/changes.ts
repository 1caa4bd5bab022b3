import type { ActivityBlock, ActivityColumns } from './activity.ts'
import type { WindowRange } from './window.ts'

/**
 * The changes within a range, in any order. Each is twice the milliseconds from the range's start, plus one if a
 * conversation starts. So at one instant ends come before starts.
 */
export type Changes = Uint32Array

const LONGEST_RANGE = 2 ** 31 - 1

/**
 * Returns the changes of conversations within a range. One that is in progress ends now.
 * @throws RangeError for a range of more than 24 days
 */
export function changesWithin(
  { starts, ends, blocks }: Pick<ActivityColumns, 'starts' | 'ends' | 'blocks'>,
  range: WindowRange,
  now: number,
): Changes {
  const long = range.to - range.from
  if (long > LONGEST_RANGE)
    throw new RangeError('A range of concurrency figures must be at most 24 days long.')
  const rows = blocks.reduce((sum, block) => sum + block.starts.length, starts.length)
  const changes = new Uint32Array(2 * rows)
  const add = adderOf(changes, long)
  let length = 0
  for (let row = 0; row < starts.length; row += 1) {
    const last = ends[row] ?? 0
    const end = last === Number.POSITIVE_INFINITY ? now : last
    length = add(length, (starts[row] ?? 0) - range.from, end - range.from)
  }
  for (const block of blocks) length = addBlock(changes, length, block, range)
  return changes.subarray(0, length)
}

function addBlock(
  changes: Changes,
  length: number,
  { base, starts, durations }: ActivityBlock,
  { from, to }: WindowRange,
): number {
  const offset = base - from
  const add = adderOf(changes, to - from)
  let filled = length
  for (let row = 0; row < starts.length; row += 1) {
    const start = offset + (starts[row] ?? 0)
    filled = add(filled, start, start + (durations[row] ?? 0))
  }
  return filled
}

/**
 * Adds the changes of one conversation, and gives the new length. Moments are milliseconds from the range's start. It
 * is called for millions of conversations, so it makes no object of them.
 */
const adderOf =
  (changes: Changes, long: number) =>
  (length: number, start: number, end: number): number => {
    // Times are whole milliseconds, so one without length is alone at its instant when it lasts one.
    const stop = end > start ? end : start + 1
    if (start >= long || stop <= 0) return length
    changes[length] = start > 0 ? 2 * start + 1 : 1
    if (stop >= long) return length + 1
    changes[length + 1] = 2 * stop
    return length + 2
  }
