import { hash } from 'node:crypto'
import type { TimeRange } from '@colloquy/core'
import { isWithin, type LooseIntervals, looseIntervals } from './interval-columns.ts'
import type { ChunkBounds, LooseColumns } from './interval-statements.ts'
import { fromJson } from './json.ts'

/** What answers to a filter are made of: for a range, and for every range within it. */
export interface Sources {
  /** Those in progress, and loose ones. */
  readonly loose: LooseIntervals
  readonly chunks: readonly { readonly row: number; readonly firstStart: number; readonly lastEnd: number }[]
}

const NO_LOOSE: LooseColumns = { starts: '[]', ends: '[]', variants: '[]' }
const NO_CHUNKS: ChunkBounds = { rows: '[]', firstStarts: '[]', lastEnds: '[]' }

/** Sources from what the statements give. */
export function toSources(loose: LooseColumns = NO_LOOSE, bounds: ChunkBounds = NO_CHUNKS): Sources {
  const firstStarts = fromJson<readonly number[]>(bounds.firstStarts)
  const lastEnds = fromJson<readonly number[]>(bounds.lastEnds)
  const chunks = fromJson<readonly number[]>(bounds.rows).map((row, at) => ({
    row,
    firstStart: firstStarts[at] ?? 0,
    lastEnd: lastEnds[at] ?? 0,
  }))
  return { loose: looseIntervals(loose), chunks }
}

/** The stamp of a range within. Two answers of one stamp are made of the same: loose ones are compared by what they hold, and a chunk never changes. */
export function stampOf({ loose, chunks }: Sources, range: TimeRange): string {
  const { starts, ends, variant } = loose
  const numbers = new Float64Array(1 + 3 * starts.length + chunks.length)
  let length = 1
  for (let at = 0; at < starts.length; at++) {
    if (!isWithin(starts[at] ?? 0, ends[at] ?? 0, range)) continue
    numbers[length] = starts[at] ?? 0
    numbers[length + 1] = ends[at] ?? 0
    numbers[length + 2] = variant[at] ?? 0
    length += 3
  }
  numbers[0] = length
  for (const { row, firstStart, lastEnd } of chunks) {
    if (firstStart >= range.to || lastEnd < range.from) continue
    numbers[length] = row
    length++
  }
  return hash('sha256', new Uint8Array(numbers.buffer, 0, length * numbers.BYTES_PER_ELEMENT), 'base64url')
}
