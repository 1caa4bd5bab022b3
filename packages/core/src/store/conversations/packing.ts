import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Batch } from '../documents.ts'
import { type Guarded, unchanged } from '../guarded.ts'
import type { UnderWay } from '../under-way.ts'
import {
  chunkOf,
  chunksWithin,
  intervalsOf,
  mayHold,
  type OpenChunk,
  openChunks,
  replacedRows,
} from './interval-chunks.ts'
import {
  COLUMN_NAMES,
  classOf,
  columnIds,
  DAY,
  GONE,
  INTERVAL_CHUNK,
  INTERVAL_COLUMN,
  INTERVAL_PACKING,
  type IntervalChunk,
  LONGEST_SPAN,
  LOOSE_INTERVAL,
  type LooseInterval,
  SPANS,
  scopeOf,
  scopeValues,
} from './interval-kinds.ts'

/**
 * The number of intervals in a chunk. Smaller chunks mean more reads. Larger ones mean larger writes when an interval
 * goes.
 */
const IN_CHUNK = 500

/** The most chunks that a step searches for intervals that are gone. So a step is short, wherever in time they were. */
const LOOKED_INTO = 16

/** A process counts what finishes in so many scopes. If it forgets some, more stays loose for a while. */
const COUNTED_SCOPES = 10_000

/** Packs loose intervals into chunks, some at a time. What is not packed is counted all the same. */
export interface Packing {
  /** Records a write. Packs in the background once a chunk's worth has finished. */
  written(loose: readonly LooseInterval[]): void
  /** Records a read. Packs in the background if that is a chunk's worth. */
  read(loose: readonly LooseInterval[]): void
  /** Removes deleted intervals from chunks. Leaves failures to the next call. */
  forget(scope: ConversationScope): Promise<void>
}

/**
 * Returns the number of intervals of a class that make a chunk. Few last long, and every answer reads the loose ones
 * that began before its end.
 */
const enough = (span: number, inChunk: number): number =>
  span === GONE ? 1 : Math.ceil(inChunk / (span < 2 ? 1 : 8))

/** Returns the intervals of a class that has enough of them. */
const worthPacking = (loose: readonly LooseInterval[], inChunk: number): readonly LooseInterval[] =>
  [GONE, ...SPANS.keys()]
    .map(span => ({ span, some: loose.filter(one => classOf(one) === span) }))
    .find(({ some, span }) => some.length >= enough(span, inChunk))?.some ?? []

/** Returns the earliest of one class that fit into one chunk, by how far they reach. */
function fitting(loose: readonly LooseInterval[]): readonly LooseInterval[] {
  const [first] = loose
  if (first === undefined) return []
  const longest = first.gone ? DAY : LONGEST_SPAN
  return loose.filter(one => (one.finishedAt ?? one.startedAt) - first.startedAt <= longest)
}

/**
 * Returns the intervals to take, and the chunks that may have them. Takes only the first deleted intervals, with few
 * chunks.
 */
function near(loose: readonly LooseInterval[], chunks: readonly IntervalChunk[]) {
  const around = new Set<IntervalChunk>()
  for (const [at, one] of loose.entries()) {
    const more = chunks.filter(chunk => !around.has(chunk) && mayHold(chunk, one))
    if (one.gone && at > 0 && around.size + more.length > LOOKED_INTO)
      return { taken: loose.slice(0, at), around }
    for (const chunk of more) around.add(chunk)
  }
  return { taken: loose, around }
}

const removed = ({ chunk }: OpenChunk): NonNullable<Batch['remove']> => [
  { kind: INTERVAL_CHUNK, id: INTERVAL_CHUNK.id(chunk) },
  ...columnIds(chunk, COLUMN_NAMES).map(id => ({ kind: INTERVAL_COLUMN, id })),
]

/** Chooses what to pack next: what is gone, or else the earliest of a class of which there is a chunk's worth. */
async function due({ scan }: Guarded, scope: ConversationScope, goneAlone: boolean, inChunk: number) {
  const found = await scan(LOOSE_INTERVAL, 'packing', {
    prefix: [...scopeValues(scope), ...(goneAlone ? [GONE] : [])],
    // Among so many one class has a chunk's worth.
    limit: goneAlone ? inChunk : SPANS.length * inChunk,
  })
  return fitting(worthPacking(found, inChunk).slice(0, inChunk))
}

/** Packs some intervals of a scope. False when there is nothing to pack. */
const step = (over: Guarded, scope: ConversationScope, goneAlone: boolean, inChunk: number) =>
  over.decided<boolean>(async () => {
    const id = INTERVAL_PACKING.id({ ...scope, version: 0 })
    const version = (await over.one(INTERVAL_PACKING, id))?.version ?? 0
    const loose = await due(over, scope, goneAlone, inChunk)
    const [first, last] = [loose[0], loose.at(-1)]
    if (first === undefined || last === undefined) return { result: false }
    const range = { from: first.startedAt, to: last.startedAt + 1 }
    const { around, taken } = near(loose, version === 0 ? [] : await chunksWithin(over, scope, range))
    const rows = await replacedRows(over, await openChunks(over, [...around], []), taken)
    const changed = [...rows.keys()].filter(chunk => rows.get(chunk)?.size)
    const replaced = await openChunks(over, changed, COLUMN_NAMES)
    const packed = [
      taken.filter(({ gone }) => !gone),
      ...replaced.map(open => intervalsOf(open).filter((_, row) => !rows.get(open.chunk)?.has(row))),
    ].filter(some => some.length > 0)
    const next = { ...scopeOf(scope), version: version + packed.length + 1 }
    const hasChanged = packed.length > 0 || replaced.length > 0
    return {
      when: [{ kind: INTERVAL_PACKING, id, version }, ...taken.map(some => unchanged(LOOSE_INTERVAL, some))],
      put: [
        ...(hasChanged ? [{ kind: INTERVAL_PACKING, value: next }] : []),
        ...packed.flatMap((some, at) => chunkOf(scope, version + at + 1, some)),
      ],
      remove: [
        ...replaced.flatMap(removed),
        ...taken.map(some => ({ kind: LOOSE_INTERVAL, id: LOOSE_INTERVAL.id(some) })),
      ],
      result: true,
    }
  })

/**
 * Packs intervals. Every change of a scope's chunks changes the version of its `INTERVAL_PACKING`. So concurrent
 * packers and readers notice it, and read again.
 */
export function packingOver(over: Guarded, watched: UnderWay['watched'], inChunk = IN_CHUNK): Packing {
  const background = watched({ step: (scope: ConversationScope) => step(over, scope, false, inChunk) })
  /** The number that have finished since there was nothing to pack, by scope. */
  const finished = new Map<string, number>()
  const packing = new Set<string>()

  async function packAll(scope: ConversationScope, id: string): Promise<void> {
    packing.add(id)
    try {
      for (let more = true; more; more ||= (finished.get(id) ?? 0) >= inChunk) {
        finished.delete(id)
        more = await background.step(scope)
      }
    } catch {
      // The store is locked or closed, say. It is tried again when as many have finished.
    }
    packing.delete(id)
  }

  function begin(scope: ConversationScope, id: string): void {
    if (!packing.has(id)) void packAll(scopeOf(scope), id)
  }

  return {
    written(loose) {
      for (const one of loose) {
        if (classOf(one) === null) continue
        const id = INTERVAL_PACKING.id(one)
        const count = (finished.get(id) ?? 0) + 1
        if (finished.size >= COUNTED_SCOPES) finished.clear()
        finished.set(id, count)
        if (one.gone || count >= inChunk) begin(one, id)
      }
    },
    read(loose) {
      const [first] = worthPacking(loose, inChunk)
      if (first !== undefined) begin(first, INTERVAL_PACKING.id(first))
    },
    async forget(scope) {
      try {
        while (await step(over, scope, true, inChunk));
      } catch {
        // Figures are right without it.
      }
    },
  }
}
