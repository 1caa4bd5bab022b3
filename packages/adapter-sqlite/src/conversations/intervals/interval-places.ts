import type { PlaceColumns } from '../place-statements.ts'
import { type Interval, pack, unpack } from './interval-chunks.ts'
import type { IntervalStatements } from './interval-statements.ts'
import { spanOf, stretchOf } from './spans.ts'

/** How intervals are packed. */
export interface PackingSizes {
  /** Intervals of a chunk. Small ones are more rows to read; large ones are more to write when one interval goes. */
  readonly chunk: number
  /**
   * As many stay loose in a class: conversations that began with them, and last longer, are packed together with them
   * then.
   */
  readonly loose: number
}

/** The sizes that a store uses. */
export const PACKING_SIZES: PackingSizes = { chunk: 1_024, loose: 1_024 }

/** A conversation and where lists and figures find it. */
interface Placed extends PlaceColumns {
  readonly row: number
}

/** A finished conversation's interval, with the key of the group it is kept in. */
interface Kept {
  readonly conversation: number
  readonly scope: number
  readonly span: number
  readonly interval: Interval
}

/** When listed, finished conversations were active: kept as rows at first, then packed into chunks. */
export interface IntervalPlaces {
  /** Keeps the interval of a conversation, if it has one. */
  add(conversation: Placed): void
  /** Forgets the intervals of conversations that are as they were added. @throws Error when one was never added */
  remove(conversations: readonly Placed[]): void
}

/** Only what is finished and counted has an interval to keep. */
function intervalOf({ listed, finishedAt, ...place }: PlaceColumns): Interval | null {
  if (listed !== 1 || finishedAt === null) return null
  const { startedAt, variant, language, toNumber } = place
  return { startedAt, finishedAt, variant, language, toNumber }
}

function keptOf(placed: Placed): Kept | null {
  const interval = intervalOf(placed)
  if (interval === null) return null
  const span = spanOf(interval.startedAt, interval.finishedAt)
  return { conversation: placed.row, scope: placed.scope, span, interval }
}

/** True when both places keep the same interval, or none. */
export function sameInterval(a: PlaceColumns, b: PlaceColumns): boolean {
  const [one, other] = [intervalOf(a), intervalOf(b)]
  if (one === null || other === null) return one === other
  return a.scope === b.scope && keyOf(one) === keyOf(other)
}

const keyOf = ({ startedAt, finishedAt, variant, language, toNumber }: Interval): string =>
  JSON.stringify([startedAt, finishedAt, variant, language, toNumber])

/** Values by a key, in the order in which they come. */
export function groupBy<Value, Key>(values: readonly Value[], key: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>()
  for (const value of values) {
    const group = groups.get(key(value))
    if (group === undefined) groups.set(key(value), [value])
    else group.push(value)
  }
  return groups
}

/**
 * Intervals without those that are wanted, which begin at these moments; each of those takes one of its equals, and its
 * count goes down by one.
 */
function without(
  intervals: readonly Interval[],
  starts: ReadonlySet<number>,
  wanted: Map<string, number>,
): readonly Interval[] {
  return intervals.filter(interval => {
    if (!starts.has(interval.startedAt)) return true
    const key = keyOf(interval)
    const count = wanted.get(key) ?? 0
    if (count > 0) wanted.set(key, count - 1)
    return count === 0
  })
}

/** Packs intervals of one group and stretch into new chunks of at most `chunk`. */
export function writeChunks(
  run: IntervalStatements,
  group: { readonly scope: number; readonly span: number; readonly stretch: number },
  intervals: readonly Interval[],
  chunk: number,
): void {
  const ordered = [...intervals].sort((a, b) => a.startedAt - b.startedAt)
  for (let from = 0; from < ordered.length; from += chunk) {
    const some = ordered.slice(from, from + chunk)
    run.insertChunk.run({
      ...group,
      firstStart: some[0]?.startedAt ?? 0,
      lastEnd: some.reduce((last, { finishedAt }) => Math.max(last, finishedAt), -Infinity),
      intervals: some.length,
      ...pack(group.stretch, some),
    })
  }
}

/** All of it runs inside the caller's transaction. `finished` hears of the scope of each interval that is added. */
export function createIntervalPlaces(
  run: IntervalStatements,
  finished: (scope: number) => void,
  { chunk }: PackingSizes,
): IntervalPlaces {
  /** Takes intervals of one group and stretch out of the chunks that hold them. */
  const unpackSome = ({ scope, span }: Kept, stretch: number, gone: readonly Interval[]): void => {
    const starts = new Set(gone.map(({ startedAt }) => startedAt))
    const wanted = new Map<string, number>()
    for (const interval of gone) wanted.set(keyOf(interval), (wanted.get(keyOf(interval)) ?? 0) + 1)
    let left = gone.length
    const changed: { readonly row: number; readonly intervals: readonly Interval[] }[] = []
    const [first, last] = [Math.min(...starts), Math.max(...starts)]
    for (const { row, ...packed } of run.chunksAround.each({ scope, span, stretch, first, last })) {
      const before = unpack(stretch, packed)
      const intervals = without(before, starts, wanted)
      if (intervals.length < before.length) changed.push({ row, intervals })
      left -= before.length - intervals.length
      if (left === 0) break
    }
    if (left > 0) throw new Error(`${left} intervals of finished conversations are neither loose nor packed.`)
    for (const { row, intervals } of changed) {
      run.dropChunk.run({ row })
      writeChunks(run, { scope, span, stretch }, intervals, chunk)
    }
  }

  return {
    add(conversation) {
      const kept = keptOf(conversation)
      if (kept === null) return
      run.insertLoose.run({
        ...kept.interval,
        scope: kept.scope,
        span: kept.span,
        conversation: kept.conversation,
      })
      finished(kept.scope)
    },
    remove(conversations) {
      const packed = conversations.flatMap(one => {
        const kept = keptOf(one)
        if (kept === null) return []
        const { scope, span, conversation, interval } = kept
        const place = { scope, span, startedAt: interval.startedAt, conversation }
        return run.dropLoose.run(place).changes === 1 ? [] : [kept]
      })
      const groups = groupBy(packed, ({ scope, span, interval }) =>
        [scope, span, stretchOf(interval.startedAt)].join(),
      )
      for (const group of groups.values()) {
        const [one] = group
        if (one === undefined) continue
        const gone = group.map(({ interval }) => interval)
        unpackSome(one, stretchOf(one.interval.startedAt), gone)
      }
    },
  }
}
