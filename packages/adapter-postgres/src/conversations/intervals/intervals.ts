import { PlatformError } from '@colloquy/core'
import type { TimeRange } from '@colloquy/core/domain'
import type {
  ActivityIntervals,
  IntervalConditions,
  IntervalFilter,
  IntervalStore,
} from '@colloquy/core/store'
import type { Session } from '../../database/session.ts'
import type { Places } from '../conversation-place.ts'
import { createBlocksAtHand } from './blocks-at-hand.ts'
import { type Block, blockColumns, looseColumns } from './interval-columns.ts'
import type { IntervalPacking } from './interval-packing.ts'
import { readStatements, type SourcesRow } from './interval-statements.ts'

/** A read that comes upon more loose intervals than this has them packed. */
const MANY_LOOSE = 1_024

/** The stamp of an answer without conversations. */
const NO_STAMP = '0 0 0 0'

const NOTHING: SourcesRow = {
  stamp: NO_STAMP,
  starts: null,
  ends: null,
  variant: null,
  variants: [],
  variantIds: [],
  variantNames: [],
  blocks: [],
}

/** How often an answer is begun anew because a block has gone while it was read. */
const TRIES = 10

const filterOf = ({ variantId, variantName, language, phoneNumber }: IntervalConditions) => ({
  variantId: variantId ?? null,
  variantName: variantName ?? null,
  language: language ?? null,
  phoneNumber: phoneNumber ?? null,
})

function answerOf(sources: SourcesRow, blocks: readonly Block[], filter: IntervalFilter): ActivityIntervals {
  const places = new Map(sources.variants.map((variant, place) => [variant, place]))
  const variants = sources.variants.map((_, place) => ({
    id: sources.variantIds[place] ?? null,
    name: sources.variantNames[place] ?? null,
  }))
  const { variantId, variantName } = filter
  const takes = (place: number): boolean =>
    (variantId === undefined || variants[place]?.id === variantId) &&
    (variantName === undefined || variants[place]?.name === variantName)
  return {
    stamp: sources.stamp,
    ...looseColumns(sources, places),
    variants,
    blocks: blocks.map(block => blockColumns(block, places, filter, takes)),
  }
}

/** The port's methods that concurrency is counted from. */
export function intervalMethods(
  { define }: Session,
  places: Places,
  packing: Pick<IntervalPacking, 'foundMany'>,
): IntervalStore {
  const run = readStatements(define)
  const statementsFor = ({ language, phoneNumber }: IntervalConditions) =>
    language === undefined && phoneNumber === undefined ? run.all : run.called
  const atHand = createBlocksAtHand(rows => run.blocks.all({ rows }))

  async function answer(scope: number, filter: IntervalFilter): Promise<ActivityIntervals> {
    const { from, to } = filter
    for (let tries = 0; tries < TRIES; tries += 1) {
      const sources =
        (await statementsFor(filter).list.get({ ...filterOf(filter), scope, from, to })) ?? NOTHING
      const blocks = await atHand.read(sources.blocks)
      if (blocks !== null) return answerOf(sources, blocks, filter)
    }
    throw new PlatformError(
      'STORE_BUSY',
      'PostgreSQL could not read when conversations were active: they change too often. Try again.',
    )
  }

  return {
    async list(filter) {
      const scope = await places.find(filter)
      if (scope === null) return answerOf(NOTHING, [], filter)
      const found = await answer(scope, filter)
      if (found.starts.length >= MANY_LOOSE) packing.foundMany(scope, filter)
      return found
    },
    async stamps(given, ranges: readonly TimeRange[]) {
      const conditions = filterOf(given)
      const [froms, tos] = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)]
      const scope = await places.find(given)
      if (scope === null) return froms.map(() => NO_STAMP)
      return (await statementsFor(given).stamps.all({ ...conditions, scope, froms, tos })).map(
        ({ stamp }) => stamp,
      )
    },
  }
}
