import { createHash } from 'node:crypto'
import type { ActivityIntervals, ConversationStore, IntervalFilter } from '@colloquy/core'
import type { ConversationStatements } from './conversation-statements.ts'
import { type CalledFilter, calledRows, columnsOf } from './interval-chunks.ts'
import { collectColumns, type IntervalColumns } from './interval-columns.ts'
import type { IntervalPacking } from './interval-packing.ts'
import type { IntervalStatements, LooseColumns, LooseFilter } from './interval-statements.ts'
import { fromJson } from './json.ts'
import type { Session } from './session.ts'

/** A read that comes upon more loose intervals than this has them packed. */
const MANY_LOOSE = 256

/** What an answer is made of. */
interface Found {
  /** Null when nothing was looked for. */
  readonly scope: number | null
  /** Those in progress, and loose ones. */
  readonly loose: LooseColumns
  /** Rows of chunks, a JSON array. */
  readonly chunks: string
}

const NOTHING: Found = {
  scope: null,
  loose: { starts: '[]', ends: '[]', variants: '[]', count: 0 },
  chunks: '[]',
}

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

  const find = (filter: IntervalFilter): Found => {
    const { accountId, agentId, environment, from, to } = filter
    const scope = conversations.scope.get({ accountId, agentId, environment })?.row
    if (scope === undefined || from >= to) return NOTHING
    return {
      scope,
      loose: run.loose.get(conditionsOf(scope, filter)) ?? NOTHING.loose,
      chunks: run.chunkRows.get({ scope, from, to })?.rows ?? NOTHING.chunks,
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

  /** Which of a chunk's intervals the filter takes; null: all. */
  const takenOf = (row: number, variants: Uint32Array, taken: Taken): ((at: number) => boolean) | null => {
    const called = taken.called && calledRows(run.called.get({ row })?.called ?? '', taken.called)
    const ofVariant = taken.variants
    if (ofVariant === null) return called
    return at => ofVariant.has(variants[at] ?? 0) && (called === null || called(at))
  }

  const collect = (filter: IntervalFilter, { scope, loose }: Found): IntervalColumns => {
    const { from, to } = filter
    const rows = toRows(loose)
    const chunks = (scope === null ? [] : run.chunks.all({ scope, from, to })).map(
      ({ row, stretch, packed }) => ({ row, columns: columnsOf(stretch, packed) }),
    )
    const packed = chunks.reduce((sum, { columns }) => sum + columns.starts.length, 0)
    const collector = collectColumns(packed + rows.starts.length, from, to)
    const taken = takenBy(filter)
    for (const { row, columns } of chunks) collector.addChunk(columns, takenOf(row, columns.variants, taken))
    for (const [at, start] of rows.starts.entries()) {
      collector.add(start, rows.ends[at] ?? Infinity, rows.variants[at] ?? 0)
    }
    return collector.collected()
  }

  const answer = (
    filter: IntervalFilter,
  ): { readonly intervals: ActivityIntervals; readonly found: Found } => {
    const found = find(filter)
    const { starts, ends, variant, variantRows } = collect(filter, found)
    const variants = variantRows.map(
      row => conversations.variantNames.get({ row }) ?? { id: null, name: null },
    )
    return { intervals: { starts, ends, variant, variants, stamp: stampOf(found) }, found }
  }

  return {
    async intervals(filter) {
      const { intervals, found } = await snapshot('read when conversations were active', () => answer(filter))
      if (found.scope !== null && found.loose.count >= MANY_LOOSE) packing.foundMany(found.scope)
      await nextTurn()
      return intervals
    },
    intervalsStamp: filter => snapshot('read when conversations were active', () => stampOf(find(filter))),
  } satisfies Partial<ConversationStore>
}
