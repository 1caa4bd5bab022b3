import type { ActivityBlock } from '../../domain/concurrency/activity.ts'
import type { TimeRange } from '../../domain/concurrency/window.ts'
import { digestOf } from '../../domain/digest.ts'
import type {
  ActivityIntervals,
  IntervalConditions,
  IntervalFilter,
  IntervalStore,
} from '../../ports/store/intervals.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import {
  chunksWithin,
  mayHold,
  type OpenChunk,
  openChunks,
  placesOf,
  reachesInto,
  replacedRows,
  variantOf,
  variantText,
} from './interval-chunks.ts'
import {
  INTERVAL_PACKING,
  type Interval,
  type IntervalChunk,
  LOOSE_INTERVAL,
  type LooseInterval,
  scopeValues,
} from './interval-kinds.ts'
import type { Packing } from './packing.ts'

/** The sources of the answers for a range, and for every range within it. */
interface Sources {
  readonly loose: readonly LooseInterval[]
  readonly chunks: readonly IntervalChunk[]
}

/**
 * Reports whether an interval was active at an instant. One that begins and ends at the same instant was active at it.
 */
const isActive = ({ finishedAt, gone, startedAt }: LooseInterval, from: number): boolean =>
  !gone && (finishedAt === null || finishedAt > from || (finishedAt === startedAt && startedAt === from))

const isWanted = (wanted: string | undefined, value: string | null): boolean =>
  wanted === undefined || wanted === value

const fits = (
  one: Interval,
  { deploymentId, language, phoneNumber, variantId, variantName }: IntervalConditions,
): boolean =>
  isWanted(variantId, one.variantId) &&
  isWanted(variantName, one.variantName) &&
  isWanted(deploymentId, one.deploymentId) &&
  isWanted(language, one.language) &&
  isWanted(phoneNumber, one.toNumber)

/** Answers of one stamp are made of the same: chunks, and loose intervals beside packed ones or in their place. */
function stampOf({ chunks, loose }: Sources, range: TimeRange): string {
  const within = range.from < range.to ? chunks.filter(chunk => reachesInto(chunk, range)) : []
  const beside = loose.filter(
    one =>
      one.startedAt < range.to &&
      range.from < range.to &&
      (isActive(one, range.from) || within.some(chunk => mayHold(chunk, one))),
  )
  const parts = [
    ...beside.map(({ conversationId, version }) => idOf(conversationId, version)),
    ...within.map(({ number }) => number),
  ]
  return digestOf(parts.join())
}

/** Numbers the variants of a result, and marks those that a filter selects. */
function variantsOf({ variantId, variantName }: Pick<IntervalConditions, 'variantId' | 'variantName'>) {
  const known = new Map<string, { readonly place: number; readonly isTaken: boolean }>()
  return {
    find(text: string) {
      const found = known.get(text)
      if (found !== undefined) return found
      const { id, name } = variantOf(text)
      const isTaken = isWanted(variantId, id) && isWanted(variantName, name)
      const added = { place: known.size, isTaken }
      known.set(text, added)
      return added
    },
    all: () => [...known.keys()].map(variantOf),
  }
}

/** The names of a result, as `variantsOf` numbers them. */
interface Names {
  readonly variants: ReturnType<typeof variantsOf>
  /** The deployments; null where a result is not sliced by them. */
  readonly deployments: ReturnType<typeof variantsOf> | null
}

const deploymentText = (deploymentId: string | null): string =>
  variantText({ variantId: deploymentId, variantName: null })

/** Returns the intervals of a chunk that a filter selects. */
function blockOf(
  { chunk, column, durations, starts }: OpenChunk,
  { deploymentId, language, phoneNumber }: IntervalConditions,
  replaced: ReadonlySet<number> | undefined,
  names: Names,
): ActivityBlock {
  const deployments = column('deployments')
  // A chunk that was packed before its conversations had deployments has no such column.
  const ran = deployments.values.length === 0 ? [null] : deployments.values
  const isRun = ran.map(value => isWanted(deploymentId, value))
  const named = column('variants').values.map(text => names.variants.find(text ?? ''))
  const found = names.deployments === null ? named : ran.map(deploymentText).map(names.deployments.find)
  const variant = placesOf(names.deployments === null ? column('variants') : deployments, starts.length)
  const checks = [
    { of: column('variants'), fits: named.map(({ isTaken }) => isTaken) },
    { of: column('languages'), fits: column('languages').values.map(value => isWanted(language, value)) },
    { of: column('numbers'), fits: column('numbers').values.map(value => isWanted(phoneNumber, value)) },
    { of: deployments, fits: isRun },
  ].flatMap(({ fits: are, of }) =>
    are.every(Boolean) ? [] : [{ fits: are, places: placesOf(of, starts.length) }],
  )
  // A counted loop: a week is a million of them.
  for (let row = 0; row < variant.length; row++) variant[row] = found[variant[row] ?? 0]?.place ?? 0
  const block = { base: chunk.firstStart, starts, durations, variant }
  if (checks.length === 0 && !replaced?.size) return block
  const isTaken = (_: number, row: number): boolean =>
    !replaced?.has(row) && checks.every(({ fits: are, places }) => are[places[row] ?? 0] ?? false)
  return {
    base: chunk.firstStart,
    starts: starts.filter(isTaken),
    durations: durations.filter(isTaken),
    variant: variant.filter(isTaken),
  }
}

/** Reads when conversations were active: what is loose, and chunks without those that loose ones replace. */
export function intervalsOver(over: Guarded, packing: Packing): IntervalStore {
  const { one, scan } = over

  /**
   * Reads again if chunks changed in the meantime: the result then belongs to the moment at which loose intervals were
   * read.
   */
  async function unchangedDuring<T>(conditions: IntervalConditions, look: () => Promise<T>): Promise<T> {
    const id = INTERVAL_PACKING.id({ ...conditions, version: 0 })
    const versionNow = async () => (await one(INTERVAL_PACKING, id))?.version
    for (let version = await versionNow(); ; ) {
      const found = await look()
      const now = await versionNow()
      if (version === now) return found
      version = now
    }
  }

  async function sourcesOf(conditions: IntervalConditions, range: TimeRange): Promise<Sources> {
    if (range.from >= range.to) return { loose: [], chunks: [] }
    const through = Math.ceil(range.to) - 1
    const [loose, chunks] = await Promise.all([
      scan(LOOSE_INTERVAL, 'scope', { prefix: scopeValues(conditions), through }),
      chunksWithin(over, conditions, range),
    ])
    return { loose, chunks }
  }

  async function answer(filter: IntervalFilter): Promise<ActivityIntervals> {
    const isByDeployment = filter.sliceBy === 'deployment'
    const sources = await sourcesOf(filter, filter)
    const columns = [
      ...(filter.language === undefined ? [] : ['languages' as const]),
      ...(filter.phoneNumber === undefined ? [] : ['numbers' as const]),
      ...(filter.deploymentId === undefined && !isByDeployment ? [] : ['deployments' as const]),
    ]
    const opened = await openChunks(over, sources.chunks, columns)
    const replaced = await replacedRows(over, opened, sources.loose)
    packing.read(sources.loose)
    const rows = sources.loose.filter(row => isActive(row, filter.from) && fits(row, filter))
    const names: Names = {
      variants: variantsOf(filter),
      deployments: isByDeployment ? variantsOf({}) : null,
    }
    const placeOf = (row: LooseInterval) =>
      names.deployments?.find(deploymentText(row.deploymentId)) ?? names.variants.find(variantText(row))
    return {
      starts: Float64Array.from(rows, ({ startedAt }) => startedAt),
      ends: Float64Array.from(rows, ({ finishedAt }) => finishedAt ?? Number.POSITIVE_INFINITY),
      variant: Uint32Array.from(rows, row => placeOf(row).place),
      blocks: opened.map(open => blockOf(open, filter, replaced.get(open.chunk), names)),
      variants: (names.deployments ?? names.variants).all(),
      stamp: stampOf(sources, filter),
    }
  }

  async function stamps(
    conditions: IntervalConditions,
    ranges: readonly TimeRange[],
  ): Promise<readonly string[]> {
    const filled = ranges.filter(({ from, to }) => from < to)
    const whole = {
      from: Math.min(...filled.map(({ from }) => from)),
      to: Math.max(...filled.map(({ to }) => to)),
    }
    const sources = await sourcesOf(conditions, whole)
    return ranges.map(range => stampOf(sources, range))
  }

  return {
    list: filter => unchangedDuring(filter, () => answer(filter)),
    stamps: (conditions, ranges) => unchangedDuring(conditions, () => stamps(conditions, ranges)),
  }
}
