import { createHash } from 'node:crypto'
import type { ActivityIntervals, ConversationStore, IntervalFilter } from '@colloquy/core'
import type { ConversationStatements } from './conversation-statements.ts'
import { type CalledFilter, type ChunkColumns, calledRows, columnsOf } from './interval-chunks.ts'
import {
  type ColumnCollector,
  collectColumns,
  type IntervalColumns,
  numberVariants,
} from './interval-columns.ts'
import type { IntervalPacking } from './interval-packing.ts'
import type { IntervalStatements, LooseColumns, LooseFilter } from './interval-statements.ts'
import { fromJson } from './json.ts'
import type { Session } from './session.ts'
import { SPANS, stretchOf, UNPACKED_SPAN } from './spans.ts'

/** A read that comes upon more loose intervals than this has them packed. */
const MANY_LOOSE = 256

/** What an answer is made of. */
interface Found {
  /** Null when nothing was looked for. */
  readonly scope: number | null
  /** Those in progress, then loose ones by class. */
  readonly loose: readonly LooseColumns[]
  /** How many are loose. */
  readonly looseCount: number
  /** Rows of chunks by class, as JSON arrays. */
  readonly chunks: readonly string[]
}

const NOTHING: Found = { scope: null, loose: [], looseCount: 0, chunks: [] }

/** Which intervals a filter takes, beside the range; null: all. */
interface Taken {
  /** Rows of the variant table. */
  readonly variants: ReadonlySet<number> | null
  readonly called: CalledFilter | null
}

/** {@link LooseColumns} as arrays. */
interface LooseRows {
  readonly starts: readonly number[]
  readonly ends: readonly (number | null)[]
  readonly variants: readonly number[]
}

const toRows = ({ starts, ends, variants }: LooseColumns): LooseRows => ({
  starts: fromJson(starts),
  ends: fromJson(ends),
  variants: fromJson(variants),
})

const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/** Two answers of one stamp are made of the same: rows are compared by what they hold, and a chunk never changes. */
const stampOf = ({ loose, chunks }: Found): string =>
  createHash('sha256')
    .update(JSON.stringify([loose, chunks]))
    .digest('base64url')

/** The port's methods that concurrency is counted from. */
export function intervalMethods(
  { snapshot }: Session,
  conversations: ConversationStatements,
  run: IntervalStatements,
  packing: IntervalPacking,
) {
  const conditionsOf = (scope: number, filter: IntervalFilter): LooseFilter => ({
    scope,
    from: filter.from,
    to: filter.to,
    variantId: filter.variantId ?? null,
    variantName: filter.variantName ?? null,
    language: filter.language ?? null,
    phoneNumber: filter.phoneNumber ?? null,
  })

  const chunksOf = (scope: number, { from, to }: IntervalFilter): readonly string[] =>
    SPANS.filter(({ span }) => span !== UNPACKED_SPAN).flatMap(({ span, longest }) => {
      const [earliest, latest] = [stretchOf(from - longest), stretchOf(to - 1)]
      return run.chunkRows.get({ scope, span, earliest, latest, from, to })?.rows ?? []
    })

  const find = (filter: IntervalFilter): Found => {
    const { accountId, agentId, environment, from, to } = filter
    const scope = conversations.scope.get({ accountId, agentId, environment })?.row
    if (scope === undefined || from >= to) return NOTHING
    const conditions = conditionsOf(scope, filter)
    const inProgress = run.inProgress.get(conditions)
    const loose = SPANS.flatMap(
      ({ span, longest }) => run.loose.get({ ...conditions, span, earliest: from - longest }) ?? [],
    )
    return {
      scope,
      loose: inProgress === undefined ? loose : [inProgress, ...loose],
      looseCount: loose.reduce((sum, { count }) => sum + count, 0),
      chunks: chunksOf(scope, filter),
    }
  }

  const takenBy = ({ variantId, variantName, language, phoneNumber }: IntervalFilter): Taken => {
    const ofVariant = variantId !== undefined || variantName !== undefined
    const wanted = { id: variantId ?? null, name: variantName ?? null }
    return {
      variants: ofVariant ? new Set(run.variantRows.all(wanted).map(({ row }) => row)) : null,
      called: language === undefined && phoneNumber === undefined ? null : { language, phoneNumber },
    }
  }

  /** Adds those of a chunk that the filter takes. */
  const addChunk = (to: ColumnCollector, row: number, chunk: ChunkColumns, taken: Taken): void => {
    const { base, starts, durations, variants } = chunk
    const called = taken.called && calledRows(run.called.get({ row })?.called ?? '', taken.called)
    for (let at = 0; at < starts.length; at++) {
      const variant = variants[at] ?? 0
      if (called !== null && !called(at)) continue
      if (taken.variants !== null && !taken.variants.has(variant)) continue
      const start = base + (starts[at] ?? 0)
      to.add(start, start + (durations[at] ?? 0), variant)
    }
  }

  const addLoose = (to: ColumnCollector, { starts, ends, variants }: LooseRows): void => {
    for (const [at, start] of starts.entries()) to.add(start, ends[at] ?? Infinity, variants[at] ?? 0)
  }

  const collect = (filter: IntervalFilter, found: Found): IntervalColumns => {
    const loose = found.loose.map(toRows)
    const rowsOfChunks = found.chunks.flatMap(rows => fromJson<readonly number[]>(rows))
    const chunks = rowsOfChunks.flatMap(row => {
      const chunk = run.packed.get({ row })
      return chunk === undefined ? [] : [{ row, columns: columnsOf(chunk.stretch, chunk.packed) }]
    })
    const lengths = [...loose, ...chunks.map(({ columns }) => columns)].map(({ starts }) => starts.length)
    const room = lengths.reduce((sum, length) => sum + length, 0)
    const collector = collectColumns(room, filter.from, filter.to)
    const taken = takenBy(filter)
    for (const { row, columns } of chunks) addChunk(collector, row, columns, taken)
    for (const rows of loose) addLoose(collector, rows)
    return collector.ordered()
  }

  const answer = (
    filter: IntervalFilter,
  ): { readonly intervals: ActivityIntervals; readonly found: Found } => {
    const found = find(filter)
    const { starts, ends, variant: rowOf } = collect(filter, found)
    const { variant, rows } = numberVariants(rowOf)
    const variants = rows.map(row => conversations.variantNames.get({ row }) ?? { id: null, name: null })
    return { intervals: { starts, ends, variant, variants, stamp: stampOf(found) }, found }
  }

  return {
    async intervals(filter) {
      const { intervals, found } = await snapshot('read when conversations were active', () => answer(filter))
      if (found.scope !== null && found.looseCount >= MANY_LOOSE) packing.foundMany(found.scope)
      await nextTurn()
      return intervals
    },
    intervalsStamp: filter => snapshot('read when conversations were active', () => stampOf(find(filter))),
  } satisfies Partial<ConversationStore>
}
