import { hash } from 'node:crypto'
import type { TimeRange } from '@colloquy/core/domain'
import { fromJson } from '../../database/json.ts'
import { isWithin, type LooseIntervals, looseIntervals } from './interval-columns.ts'
import type { ChunkBounds, LooseColumns } from './interval-statements.ts'

/** What answers to a filter are made of: for a range, and for every range within it. */
export interface Sources {
  /** Those in progress, and loose ones. */
  readonly loose: LooseIntervals
  readonly chunks: {
    readonly rows: Float64Array
    readonly firstStarts: Float64Array
    readonly lastEnds: Float64Array
  }
}

const NO_LOOSE: LooseColumns = { starts: '[]', ends: '[]', variants: '[]' }
const NO_CHUNKS: ChunkBounds = { rows: '[]', firstStarts: '[]', lastEnds: '[]' }

const numbersOf = (json: string): Float64Array => Float64Array.from(fromJson<readonly number[]>(json))

/** Sources from what the statements give. */
export const toSources = (loose: LooseColumns = NO_LOOSE, bounds: ChunkBounds = NO_CHUNKS): Sources => ({
  loose: looseIntervals(loose),
  chunks: {
    rows: numbersOf(bounds.rows),
    firstStarts: numbersOf(bounds.firstStarts),
    lastEnds: numbersOf(bounds.lastEnds),
  },
})

/** Room for the numbers of any stamp of these sources. */
const roomFor = ({ loose, chunks }: Sources): Float64Array =>
  new Float64Array(1 + 3 * loose.starts.length + chunks.rows.length)

/**
 * The stamps of ranges within. Two answers of one stamp are made of the same: loose ones are compared by what they
 * hold, and a chunk never changes.
 */
export function stampsOf(sources: Sources, ranges: readonly TimeRange[]): readonly string[] {
  const room = roomFor(sources)
  return ranges.map(range => {
    const length = listSources(sources, range, room)
    return hash('sha256', new Uint8Array(room.buffer, 0, length * room.BYTES_PER_ELEMENT), 'base64url')
  })
}

/** Writes what a stamp stands for, and says how many numbers that were. */
function listSources({ loose, chunks }: Sources, { from, to }: TimeRange, numbers: Float64Array): number {
  const { starts, ends, variant } = loose
  let length = 1
  numbers[0] = length
  if (from >= to) return length
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] ?? 0
    const end = ends[at] ?? 0
    if (!isWithin(start, end, from, to)) continue
    numbers[length] = start
    numbers[length + 1] = end
    numbers[length + 2] = variant[at] ?? 0
    length += 3
  }
  numbers[0] = length
  const { rows, firstStarts, lastEnds } = chunks
  for (let at = 0; at < rows.length; at++) {
    if ((firstStarts[at] ?? 0) >= to || (lastEnds[at] ?? 0) < from) continue
    numbers[length] = rows[at] ?? 0
    length++
  }
  return length
}
