import type { TimeRange } from '@colloquy/core/domain'
import type {
  ActivityIntervals,
  IntervalConditions,
  IntervalFilter,
  IntervalStore,
} from '@colloquy/core/store'
import type { Session } from '../../database/session.ts'
import type { ConversationStatements } from '../conversation-statements.ts'
import { type CalledFilter, calledRows, columnsOf } from './interval-chunks.ts'
import { createVariantPlaces, looseWithin, takeRows } from './interval-columns.ts'
import type { IntervalPacking } from './interval-packing.ts'
import { type Sources, stampsOf, toSources } from './interval-sources.ts'
import type { IntervalStatements } from './interval-statements.ts'

/** A read that comes upon more loose intervals than this has them packed. */
const MANY_LOOSE = 256

/** Of a scope that nothing was ever kept of. */
const NOTHING = toSources(undefined, undefined)

/** Which intervals a filter takes, beside the range; null: all. */
interface Taken {
  /** Rows of the variant table. */
  readonly variants: ReadonlySet<number> | null
  readonly called: CalledFilter | null
}

const finishedOf = ({ loose }: Sources): number => loose.ends.filter(Number.isFinite).length

/** The port's methods that concurrency is counted from. */
export function intervalMethods(
  { snapshot }: Session,
  conversations: ConversationStatements,
  run: IntervalStatements,
  packing: IntervalPacking,
): IntervalStore {
  /** The row of the scope; undefined when nothing was ever kept of it. */
  const scopeOf = ({ accountId, agentId, environment }: IntervalConditions): number | undefined =>
    conversations.scope.get({ accountId, agentId, environment })?.row

  const sourcesOf = (scope: number, conditions: IntervalConditions, { from, to }: TimeRange): Sources => {
    const { variantId = null, variantName = null, language = null, phoneNumber = null } = conditions
    const loose = run.loose.get({ scope, from, to, variantId, variantName, language, phoneNumber })
    return toSources(loose, run.chunkBounds.get({ scope, from, to }))
  }

  const takenBy = ({ variantId, variantName, language, phoneNumber }: IntervalConditions): Taken => {
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

  const answer = (filter: IntervalFilter): ActivityIntervals => {
    const { from, to } = filter
    const scope = from < to ? scopeOf(filter) : undefined
    const sources = scope === undefined ? NOTHING : sourcesOf(scope, filter, filter)
    const loose = looseWithin(sources.loose, filter)
    if (scope !== undefined && finishedOf(sources) >= MANY_LOOSE) packing.foundMany(scope)
    const taken = takenBy(filter)
    const chunks = scope === undefined ? [] : run.chunks.all({ scope, from, to })
    const blocks = chunks.map(({ row, stretch, packed }) => {
      const columns = columnsOf(stretch, packed)
      const rows = takenOf(row, columns.variant, taken)
      return rows === null ? columns : takeRows(columns, rows)
    })
    const places = createVariantPlaces()
    for (const { variant } of [loose, ...blocks]) places.replace(variant)
    const variants = places.rows.map(
      row => conversations.variantNames.get({ row }) ?? { id: null, name: null },
    )
    const [stamp = ''] = stampsOf(sources, [filter])
    return { ...loose, blocks, variants, stamp }
  }

  const stamps = (conditions: IntervalConditions, ranges: readonly TimeRange[]): readonly string[] => {
    const whole = ranges.reduce(
      (hull, { from, to }) => ({ from: Math.min(hull.from, from), to: Math.max(hull.to, to) }),
      { from: Number.MAX_SAFE_INTEGER, to: 0 },
    )
    const scope = scopeOf(conditions)
    const sources = scope === undefined ? NOTHING : sourcesOf(scope, conditions, whole)
    return stampsOf(sources, ranges)
  }

  return {
    list: filter => snapshot('read when conversations were active', () => answer(filter)),
    stamps: (conditions, ranges) =>
      snapshot('read when conversations were active', () => stamps(conditions, ranges)),
  }
}
