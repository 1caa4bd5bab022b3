import { type ActivityColumns, unpackActivity } from './activity.ts'
import { changesWithin } from './changes.ts'
import type { WindowRange } from './window.ts'
import { windowPeaks } from './window-peaks.ts'

/** One variant's own peaks. `id` and `name` are empty for conversations without a variant. */
export interface VariantPeaks {
  readonly id: string
  readonly name: string
  /** The start of the newest conversation, which gives the name. */
  readonly namedAt: number
  readonly peaks: Uint32Array
}

/**
 * For each window of the range, in order, the highest number of conversations active at any instant of it
 * (contract/conversations.md, Concurrency). A conversation in progress is active until `now`; one without length counts
 * at its instant. Times are whole milliseconds. The range is at most 24 days long.
 * @throws RangeError for a longer range
 */
export function peakPerWindow(activity: ActivityColumns, range: WindowRange, now: number): Uint32Array {
  return windowPeaks(changesWithin(activity, range, now), range)
}

/**
 * Returns the peaks for each variant that has a conversation in the range, ordered by variant id (as code units). Peaks
 * of variants fall on different instants, so each is counted separately. A variant that occurs under several names has
 * its newest one.
 */
export function peaksByVariant(
  activity: ActivityColumns,
  range: WindowRange,
  now: number,
): readonly VariantPeaks[] {
  const result: VariantPeaks[] = []
  for (const { id, name, namedAt, ...own } of splitByVariant(unpackActivity(activity, range))) {
    const changes = changesWithin(own, range, now)
    if (changes.length > 0) result.push({ id, name, namedAt, peaks: windowPeaks(changes, range) })
  }
  return result.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * True when a variant has the first name: the newer one; of two that began at one instant, in any order, the one that
 * sorts last.
 */
export const isNewer = (
  one: Pick<VariantPeaks, 'name' | 'namedAt'>,
  other: Pick<VariantPeaks, 'name' | 'namedAt'>,
): boolean => one.namedAt > other.namedAt || (one.namedAt === other.namedAt && one.name > other.name)

/** Each variant's own conversations, and under which name it goes. */
function splitByVariant(
  activity: ActivityColumns,
): Iterable<Omit<VariantPeaks, 'peaks'> & Pick<ActivityColumns, 'starts' | 'ends' | 'blocks'>> {
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
    blocks: [],
    filled: 0,
  }))
  for (let row = 0; row < variant.length; row += 1) {
    const group = groups[groupOf[variant[row] ?? 0] ?? 0]
    if (!group) continue
    const start = starts[row] ?? 0
    group.starts[group.filled] = start
    group.ends[group.filled] = ends[row] ?? 0
    group.filled += 1
    const name = activity.variants[variant[row] ?? 0]?.name ?? ''
    if (isNewer({ name, namedAt: start }, group)) {
      group.namedAt = start
      group.name = name
    }
  }
  return groups
}
