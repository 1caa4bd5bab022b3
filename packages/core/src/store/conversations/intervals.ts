import { digestOf } from '../../domain/digest.ts'
import type {
  ActivityIntervals,
  IntervalConditions,
  IntervalFilter,
  IntervalStore,
} from '../../ports/store/intervals.ts'
import type { Range } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { LISTED_CONVERSATION, type ListedConversation, LONGEST_OF_SPAN } from './kinds.ts'

const whereOf = ({ language, phoneNumber, variantId, variantName }: IntervalConditions): Range['where'] => ({
  ...(variantId === undefined ? {} : { variant_id: [variantId] }),
  ...(variantName === undefined ? {} : { variant_name: [variantName] }),
  ...(language === undefined ? {} : { language: [language] }),
  ...(phoneNumber === undefined ? {} : { to_number: [phoneNumber] }),
})

/** One that begins and ends at the same instant was active at it. */
const isActive = ({ finishedAt, startedAt }: ListedConversation, from: number): boolean =>
  finishedAt === null || finishedAt > from || (finishedAt === startedAt && startedAt === from)

const variantKey = ({ variantId, variantName }: ListedConversation): string =>
  JSON.stringify([variantId, variantName])

/** When conversations were active. */
export function intervalsOver({ scan }: Guarded): IntervalStore {
  async function active(filter: IntervalFilter): Promise<readonly ListedConversation[]> {
    const { accountId, agentId, environment, from, to } = filter
    if (from >= to) return []
    const where = whereOf(filter)
    const bySpan = await Promise.all(
      // Those that still are active come behind the longest ones, and reach as far back.
      [...LONGEST_OF_SPAN, Number.POSITIVE_INFINITY].map((longest, span) =>
        scan(LISTED_CONVERSATION, 'figures', {
          prefix: [accountId, agentId, environment, span],
          from: longest === Number.POSITIVE_INFINITY ? undefined : Math.floor(from) - longest,
          through: Math.ceil(to) - 1,
          where,
        }),
      ),
    )
    return bySpan.flat().filter(one => isActive(one, from))
  }

  const stampOf = (rows: readonly ListedConversation[]): string =>
    digestOf(rows.map(({ id, version }) => idOf(id, version)).join())

  function intervalsOf(rows: readonly ListedConversation[]): ActivityIntervals {
    const variants = new Map<
      string,
      { readonly place: number; readonly id: string | null; readonly name: string | null }
    >()
    const placeOf = (row: ListedConversation): number => {
      const key = variantKey(row)
      const { variantId: id, variantName: name } = row
      const known = variants.get(key) ?? { place: variants.size, id, name }
      variants.set(key, known)
      return known.place
    }
    return {
      starts: Float64Array.from(rows, ({ startedAt }) => startedAt),
      ends: Float64Array.from(rows, ({ finishedAt }) => finishedAt ?? Number.POSITIVE_INFINITY),
      variant: Uint32Array.from(rows, placeOf),
      variants: [...variants.values()].map(({ id, name }) => ({ id, name })),
      blocks: [],
      stamp: stampOf(rows),
    }
  }

  return {
    list: async filter => intervalsOf(await active(filter)),
    stamps: (conditions, ranges) =>
      Promise.all(ranges.map(async range => stampOf(await active({ ...conditions, ...range })))),
  }
}
