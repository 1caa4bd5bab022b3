import { hash } from 'node:crypto'
import type { ActivityIntervals, ConversationStore, IntervalFilter } from '@colloquy/core'
import type { ConversationStatements } from './conversation-statements.ts'
import { type CalledFilter, calledRows, columnsOf } from './interval-chunks.ts'
import { createVariantPlaces, looseColumns, takeRows } from './interval-columns.ts'
import type { IntervalPacking } from './interval-packing.ts'
import type { IntervalStatements, LooseColumns, LooseFilter } from './interval-statements.ts'
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

const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

/** Two answers of one stamp are made of the same: rows are compared by what they hold, and a chunk never changes. */
const stampOf = ({ loose, chunks }: Found): string =>
  hash('sha256', JSON.stringify([loose, chunks]), 'base64url')

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

  const answer = (
    filter: IntervalFilter,
  ): { readonly intervals: ActivityIntervals; readonly found: Found } => {
    const { from, to } = filter
    const found = find(filter)
    const taken = takenBy(filter)
    const chunks = found.scope === null ? [] : run.chunks.all({ scope: found.scope, from, to })
    const packed = chunks.map(({ row, stretch, packed }) => {
      const columns = columnsOf(stretch, packed)
      const rows = takenOf(row, columns.variant, taken)
      return rows === null ? columns : takeRows(columns, rows)
    })
    const columns = looseColumns(found.loose, from, to)
    const places = createVariantPlaces()
    for (const { variant } of [columns, ...packed]) places.replace(variant)
    const variants = places.rows.map(
      row => conversations.variantNames.get({ row }) ?? { id: null, name: null },
    )
    return { intervals: { ...columns, packed, variants, stamp: stampOf(found) }, found }
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
