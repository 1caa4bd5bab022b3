import { sortAscending } from './sort.ts'
import { WINDOW, type WindowRange } from './window.ts'

/** What the figures are made from: columns of equal length, ordered by start, as `ConversationStore.intervals` gives them. */
export interface ActivityColumns {
  readonly starts: Float64Array
  /** `Infinity` for a conversation in progress. */
  readonly ends: Float64Array
  /** Index into `variants`. */
  readonly variant: Uint32Array
  readonly variants: readonly { readonly id: string | null; readonly name: string | null }[]
}

/** One variant's own peaks. `id` and `name` are empty for conversations without a variant. */
export interface VariantPeaks {
  readonly id: string
  readonly name: string
  /** When the newest conversation began: the one whose name it is. */
  readonly namedAt: number
  readonly peaks: Uint32Array
}

/** Milliseconds from the range's start, ascending. The two columns are of different length: ends after the range are left out. */
interface Changes {
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const LONGEST_RANGE = 2 ** 32 - 1

/**
 * For each window of the range, in order, the highest number of conversations active at any instant of it
 * (decisions.md section 6). A conversation in progress is active until `now`; one without length counts at its instant.
 * Times are whole milliseconds. The range is at most 49 days long.
 * @throws RangeError for a longer range
 */
export function peakPerWindow(activity: ActivityColumns, range: WindowRange, now: number): Uint32Array {
  return peaksOf(changesWithin(activity, range, now), range)
}

/**
 * The same for each variant that has a conversation in the range, ordered by variant id (as code units). Peaks of variants fall on
 * different instants, so each is counted by itself. A variant that occurs under several names goes by its newest one.
 */
export function peaksByVariant(
  activity: ActivityColumns,
  range: WindowRange,
  now: number,
): readonly VariantPeaks[] {
  const result: VariantPeaks[] = []
  for (const { id, name, namedAt, ...own } of splitByVariant(activity)) {
    const changes = changesWithin(own, range, now)
    if (changes.starts.length > 0) result.push({ id, name, namedAt, peaks: peaksOf(changes, range) })
  }
  return result.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Each variant's own conversations, still ordered by start, and under which name it goes. */
function splitByVariant(
  activity: ActivityColumns,
): Iterable<Omit<VariantPeaks, 'peaks'> & Pick<ActivityColumns, 'starts' | 'ends'>> {
  const ids = [...new Set(activity.variants.map(variant => variant.id ?? ''))]
  const groupOf = activity.variants.map(variant => ids.indexOf(variant.id ?? ''))
  const { starts, ends, variant } = activity
  const counts = new Uint32Array(ids.length)
  for (let row = 0; row < variant.length; row += 1) {
    const group = groupOf[variant[row] ?? 0] ?? 0
    counts[group] = (counts[group] ?? 0) + 1
  }
  const groups = ids.map((id, group) => ({
    id,
    name: '',
    namedAt: Number.NEGATIVE_INFINITY,
    starts: new Float64Array(counts[group] ?? 0),
    ends: new Float64Array(counts[group] ?? 0),
    filled: 0,
    newest: 0,
  }))
  for (let row = 0; row < variant.length; row += 1) {
    const group = groups[groupOf[variant[row] ?? 0] ?? 0]
    if (!group) continue
    group.starts[group.filled] = starts[row] ?? 0
    group.ends[group.filled] = ends[row] ?? 0
    group.filled += 1
    group.newest = row
  }
  return groups.map(group => ({
    ...group,
    name: activity.variants[variant[group.newest] ?? 0]?.name ?? '',
    namedAt: starts[group.newest] ?? 0,
  }))
}

function changesWithin(
  { starts: given, ends: until }: Pick<ActivityColumns, 'starts' | 'ends'>,
  { from, to }: WindowRange,
  now: number,
): Changes {
  if (to - from > LONGEST_RANGE) throw new RangeError('A concurrency range is at most 49 days long')
  const starts = new Uint32Array(given.length)
  const ends = new Uint32Array(given.length)
  let started = 0
  let ended = 0
  for (let row = 0; row < given.length; row += 1) {
    const start = given[row] ?? 0
    const last = until[row] ?? 0
    const stop = last === Number.POSITIVE_INFINITY ? now : last
    // Times are whole milliseconds, so one without length is alone at its instant when it lasts one.
    const end = stop > start ? stop : start + 1
    if (start >= to || end <= from) continue
    starts[started] = start > from ? start - from : 0
    started += 1
    if (end >= to) continue
    ends[ended] = end - from
    ended += 1
  }
  return { starts: starts.subarray(0, started), ends: sortAscending(ends.subarray(0, ended)) }
}

function peaksOf({ starts, ends }: Changes, range: WindowRange): Uint32Array {
  const peaks = new Uint32Array(Math.max((range.to - range.from) / WINDOW, 0))
  let active = 0
  let started = 0
  let ended = 0
  const endUntil = (instant: number): void => {
    while (ended < ends.length && (ends[ended] ?? 0) <= instant) {
      ended += 1
      active -= 1
    }
  }
  for (let window = 0; window < peaks.length; window += 1) {
    endUntil(window * WINDOW)
    let peak = active
    const next = (window + 1) * WINDOW
    for (let start = starts[started] ?? next; start < next; start = starts[started] ?? next) {
      endUntil(start)
      active += 1
      started += 1
      if (active > peak) peak = active
    }
    peaks[window] = peak
  }
  return peaks
}
