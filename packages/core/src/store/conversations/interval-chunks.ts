import type { TimeRange } from '../../domain/concurrency/window.ts'
import type { ConversationScope } from '../../ports/store/removals.ts'
import type { Guarded } from '../guarded.ts'
import {
  COLUMN_NAMES,
  type ColumnName,
  columnIds,
  INTERVAL_CHUNK,
  INTERVAL_COLUMN,
  type Interval,
  type IntervalChunk,
  type IntervalColumn,
  type LooseInterval,
  SPANS,
  scopeValues,
} from './interval-kinds.ts'
import { numbersToText, textToNumbers } from './number-text.ts'
import type { Puts } from './placing.ts'

/** A chunk with columns that were read. */
export interface OpenChunk {
  readonly chunk: IntervalChunk
  /** Milliseconds from the chunk's first start, ascending. */
  readonly starts: Uint32Array
  readonly durations: Uint32Array
  /** Returns a column. One that was not read is empty. */
  column(name: ColumnName): IntervalColumn
}

/** Returns for each of so many intervals the place of its value among the column's. */
export function placesOf({ places, values }: IntervalColumn, intervals: number): Uint32Array {
  if (places !== '') return textToNumbers(places)
  const all = new Uint32Array(intervals)
  return values.length === intervals ? all.map((_, row) => row) : all
}

function columnOf(id: string, all: readonly (string | null)[], times = ''): IntervalColumn {
  const known = new Map<string | null, number>()
  const places = all.map(value => {
    const place = known.get(value) ?? known.size
    known.set(value, place)
    return place
  })
  return {
    id,
    values: [...known.keys()],
    places: known.size === 1 || known.size === all.length ? '' : numbersToText(places),
    times,
  }
}

/** Returns a variant as a value of a column. */
export const variantText = ({
  variantId,
  variantName,
}: Pick<Interval, 'variantId' | 'variantName'>): string => JSON.stringify([variantId, variantName])

/** Parses a variant that is a value of a column. */
export const variantOf = (
  text: string | null,
): { readonly id: string | null; readonly name: string | null } => {
  const [id = null, name = null]: readonly (string | null)[] = JSON.parse(text ?? '[]')
  return { id, name }
}

/** Packs finished intervals of at least one conversation, whose starts and ends are at most 45 days apart. */
export function chunkOf(scope: ConversationScope, number: number, intervals: readonly Interval[]): Puts {
  const { accountId, agentId, environment } = scope
  const rows = intervals.toSorted((one, other) => one.startedAt - other.startedAt)
  const ends = rows.map(({ finishedAt }) => finishedAt ?? 0)
  const firstStart = rows[0]?.startedAt ?? 0
  const chunk = { accountId, agentId, environment, number, firstStart, lastEnd: Math.max(...ends) }
  const pauses = rows.map(({ startedAt }, at) => startedAt - (rows[at - 1]?.startedAt ?? firstStart))
  const durations = rows.map(({ startedAt }, at) => (ends[at] ?? 0) - startedAt)
  const [variants = '', languages = '', numbers = '', ids = '', deployments = ''] = columnIds(
    chunk,
    COLUMN_NAMES,
  )
  const columns = [
    columnOf(variants, rows.map(variantText), numbersToText([...pauses, ...durations])),
    columnOf(
      languages,
      rows.map(({ language }) => language),
    ),
    columnOf(
      numbers,
      rows.map(({ toNumber }) => toNumber),
    ),
    columnOf(
      ids,
      rows.map(({ conversationId }) => conversationId),
    ),
    columnOf(
      deployments,
      rows.map(({ deploymentId }) => deploymentId),
    ),
  ]
  return [{ kind: INTERVAL_CHUNK, value: chunk }, ...columns.map(value => ({ kind: INTERVAL_COLUMN, value }))]
}

/** Unpacks a chunk of which all columns were read. */
export function intervalsOf({ chunk, column, durations, starts }: OpenChunk): readonly Interval[] {
  const reader = (name: ColumnName) => {
    const read = column(name)
    const places = placesOf(read, starts.length)
    return (row: number): string | null => read.values[places[row] ?? 0] ?? null
  }
  const [variant, language] = [reader('variants'), reader('languages')]
  const [toNumber, conversationId] = [reader('numbers'), reader('ids')]
  const deploymentId = reader('deployments')
  return Array.from(starts, (start, row) => {
    const { id: variantId, name: variantName } = variantOf(variant(row))
    const startedAt = chunk.firstStart + start
    return {
      ...{ conversationId: conversationId(row) ?? '', startedAt, variantId, variantName },
      finishedAt: startedAt + (durations[row] ?? 0),
      ...{ deploymentId: deploymentId(row), language: language(row), toNumber: toNumber(row) ?? '' },
    }
  })
}

/** Adds to each number all before it, in place. */
function added(numbers: Uint32Array): Uint32Array {
  let sum = 0
  // A counted loop: a week is a million of them.
  for (let at = 0; at < numbers.length; at++) {
    sum += numbers[at] ?? 0
    numbers[at] = sum
  }
  return numbers
}

const NOTHING: IntervalColumn = { id: '', values: [], places: '', times: '' }

/** Reads the times and variants of chunks, and these columns. Chunks that were replaced meanwhile are empty. */
export async function openChunks(
  { get }: Guarded,
  chunks: readonly IntervalChunk[],
  columns: readonly ColumnName[],
): Promise<readonly OpenChunk[]> {
  if (chunks.length === 0) return []
  const names: readonly ColumnName[] = ['variants', ...columns]
  const found = await get(
    INTERVAL_COLUMN,
    chunks.flatMap(chunk => columnIds(chunk, names)),
  )
  return chunks.map((chunk, at) => {
    const own = found.slice(at * names.length, (at + 1) * names.length)
    const column = (name: ColumnName) => own[names.indexOf(name)] ?? NOTHING
    const times = textToNumbers(column('variants').times)
    const half = times.length / 2
    return { chunk, starts: added(times.subarray(0, half)), durations: times.subarray(half), column }
  })
}

/** Reports whether a chunk may have intervals that were active in a range. */
export const reachesInto = ({ firstStart, lastEnd }: IntervalChunk, { from, to }: TimeRange): boolean =>
  firstStart < to && lastEnd >= from

/** Reports whether a chunk may have an interval of that start. */
export const mayHold = ({ firstStart, lastEnd }: IntervalChunk, { startedAt }: LooseInterval): boolean =>
  firstStart <= startedAt && startedAt <= lastEnd

/** Reads which chunks of a scope reach into a range. */
export async function chunksWithin(
  { scan }: Guarded,
  scope: ConversationScope,
  range: TimeRange,
): Promise<readonly IntervalChunk[]> {
  const bySpan = await Promise.all(
    SPANS.map((longest, span) =>
      scan(INTERVAL_CHUNK, 'scope', {
        prefix: [...scopeValues(scope), span],
        from: Math.floor(range.from) - longest,
        through: Math.ceil(range.to) - 1,
      }),
    ),
  )
  return bySpan.flat().filter(chunk => reachesInto(chunk, range))
}

/** Returns the first row whose number is that, or greater, of numbers that ascend. */
function firstRow(numbers: Uint32Array, least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds of each chunk the rows that loose intervals replace: those of the same conversation and start. */
export async function replacedRows(
  over: Guarded,
  opened: readonly OpenChunk[],
  loose: readonly LooseInterval[],
): Promise<ReadonlyMap<IntervalChunk, ReadonlySet<number>>> {
  /** The conversations that may have each row, by start. */
  const wanted = new Map<IntervalChunk, Map<number, Set<string>>>()
  for (const { chunk, starts } of opened)
    for (const one of loose) {
      const start = one.startedAt - chunk.firstStart
      if (!mayHold(chunk, one) || starts[firstRow(starts, start)] !== start) continue
      const byStart = wanted.get(chunk) ?? new Map<number, Set<string>>()
      wanted.set(chunk, byStart.set(start, (byStart.get(start) ?? new Set()).add(one.conversationId)))
    }
  const named = await openChunks(over, [...wanted.keys()], ['ids'])
  return new Map(
    named.map(({ chunk, column, starts }) => {
      const places = placesOf(column('ids'), starts.length)
      const rows = new Set<number>()
      for (const [start, ids] of wanted.get(chunk) ?? [])
        for (let row = firstRow(starts, start); starts[row] === start; row++)
          if (ids.has(column('ids').values[places[row] ?? 0] ?? '')) rows.add(row)
      return [chunk, rows]
    }),
  )
}
