import type { Changes } from './changes.ts'
import { sortAscending } from './sort.ts'
import { WINDOW, type WindowRange } from './window.ts'

/** Windows consist of slots: short enough that few of them could hold their window's peak. */
const SLOT = 1_000
const SLOTS = WINDOW / SLOT
/** The length of a slot in changes. */
const SPAN = 2 * SLOT

/**
 * The number of conversations that start in each slot, and the number that are active when it opens, before any
 * change at that instant.
 */
interface Slots {
  readonly starts: Uint32Array
  /** One more than there are slots: the last is what is active after all of them. */
  readonly opening: Int32Array
}

/**
 * For each window of the range, in order, the highest number active at any instant of it. Only the changes of slots in
 * which a peak may lie are put in order: nothing is active in a slot beyond those that are when it opens and those that
 * start in it. The changes are moved about.
 */
export function windowPeaks(changes: Changes, { from, to }: WindowRange): Uint32Array {
  const peaks = new Uint32Array(Math.max((to - from) / WINDOW, 0))
  const slots = countSlots(changes, peaks.length * SLOTS)
  for (let window = 0; window < peaks.length; window += 1) peaks[window] = highestClosing(slots, window)
  const open = openSlots(slots, peaks)
  raisePeaks(peaks, slots, sortAscending(changesOf(changes, open)))
  return peaks
}

function countSlots(changes: Changes, length: number): Slots {
  const [starts, ends] = [new Uint32Array(length), new Uint32Array(length)]
  // Counted loops here and below: iterating a typed array takes several times as long.
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at] ?? 0
    const slot = (change / SPAN) >>> 0
    if ((change & 1) === 1) starts[slot] = (starts[slot] ?? 0) + 1
    else ends[slot] = (ends[slot] ?? 0) + 1
  }
  const opening = new Int32Array(length + 1)
  for (let slot = 0; slot < length; slot += 1) {
    opening[slot + 1] = (opening[slot] ?? 0) + (starts[slot] ?? 0) - (ends[slot] ?? 0)
  }
  return { starts, opening }
}

/**
 * Returns the most that are active as one of the window's slots ends: all of its changes have happened, the next one's
 * have not.
 */
function highestClosing({ opening }: Slots, window: number): number {
  let highest = 0
  for (let slot = window * SLOTS; slot < (window + 1) * SLOTS; slot += 1) {
    const closing = opening[slot + 1] ?? 0
    if (closing > highest) highest = closing
  }
  return highest
}

/** 1 for each slot that may have a higher peak than the one found so far for its window. */
function openSlots({ starts, opening }: Slots, peaks: Uint32Array): Uint8Array {
  const open = new Uint8Array(starts.length)
  for (let window = 0; window < peaks.length; window += 1) {
    const peak = peaks[window] ?? 0
    for (let slot = window * SLOTS; slot < (window + 1) * SLOTS; slot += 1) {
      if ((opening[slot] ?? 0) + (starts[slot] ?? 0) > peak) open[slot] = 1
    }
  }
  return open
}

/** Moves the changes of those slots to the front, and gives that part. */
function changesOf(changes: Changes, slots: Uint8Array): Changes {
  let length = 0
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at] ?? 0
    changes[length] = change
    length += slots[(change / SPAN) >>> 0] ?? 0
  }
  return changes.subarray(0, length)
}

/** Follows slots change by change, in order, and raises the figures of their windows. */
function raisePeaks(peaks: Uint32Array, { opening }: Slots, ordered: Changes): void {
  for (let at = 0; at < ordered.length; ) {
    const slot = ((ordered[at] ?? 0) / SPAN) >>> 0
    const window = (slot / SLOTS) >>> 0
    const next = (slot + 1) * SPAN
    let active = opening[slot] ?? 0
    // Conversations that end as the window opens are not active in it.
    for (; ordered[at] === 2 * window * WINDOW; at += 1) active -= 1
    let peak = Math.max(peaks[window] ?? 0, active)
    for (; at < ordered.length && (ordered[at] ?? 0) < next; at += 1) {
      active += ((ordered[at] ?? 0) & 1) * 2 - 1
      if (active > peak) peak = active
    }
    peaks[window] = peak
  }
}
