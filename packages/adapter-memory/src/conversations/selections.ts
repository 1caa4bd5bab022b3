import type { ConversationId } from '@colloquy/core'
import type { ConversationIndex, StoredTurn } from '@colloquy/core/domain'
import type {
  ActivityIntervals,
  ConversationScope,
  IntervalFilter,
  RecordFilter,
  RecordPageStart,
} from '@colloquy/core/store'
import { comparedChannel, holdWords } from '@colloquy/core/store'
import { comparePlaces, inOrder, type Place } from '../order.ts'

/** A conversation as lists select it. */
export interface Indexed {
  readonly id: ConversationId
  readonly index: ConversationIndex
}

const place = ({ id, index }: Indexed): Place => [index.startedAt, id]

/** True when a condition is not given, or holds. */
const fits = <T>(wanted: T | undefined, actual: T): boolean => wanted === undefined || wanted === actual

function isSelected({ index }: Indexed, filter: RecordFilter | IntervalFilter): boolean {
  return (
    index.listed &&
    index.accountId === filter.accountId &&
    index.agentId === filter.agentId &&
    index.environment === filter.environment &&
    fits<string | null>(filter.variantId, index.variantId) &&
    fits<string | null>(filter.variantName, index.variantName)
  )
}

/** Conversations whose records a filter selects, by start and id. */
export function selectRecords<T extends Indexed & { readonly turns: readonly StoredTurn[] }>(
  all: Iterable<T>,
  filter: RecordFilter,
): T[] {
  const { startTime = 0, endTime = Infinity, inProgress, channels, words } = filter
  const wanted = channels?.map(comparedChannel)
  const selected = [...all].filter(one => {
    const { startedAt, finishedAt, channel } = one.index
    if (!isSelected(one, filter) || startedAt < startTime || startedAt >= endTime) return false
    if (!fits(inProgress, finishedAt === null) || wanted?.includes(comparedChannel(channel)) === false)
      return false
    return words === undefined || holdWords(one.turns, words)
  })
  return inOrder(selected, place)
}

/** What follows a position in an ordered list. */
export function startingFrom<T extends Indexed>(ordered: readonly T[], from: RecordPageStart): readonly T[] {
  if ('offset' in from) return ordered.slice(from.offset)
  const after: Place = [from.after.startedAt, from.after.id]
  return ordered.filter(one => comparePlaces(place(one), after) > 0)
}

/** What comes before a place in an order by start and id. */
export function olderThan<T extends Indexed>(
  all: readonly T[],
  { startedAt, id }: { readonly startedAt: number; readonly id: string },
): readonly T[] {
  return all.filter(one => comparePlaces(place(one), [startedAt, id]) < 0)
}

/** At most `limit` of them, drawn at random, in their order. */
export function drawn<T>(all: readonly T[], limit: number): readonly T[] {
  const lots = all.map((one, place) => ({ one, place, lot: Math.random() }))
  const chosen = lots.toSorted((left, right) => left.lot - right.lot).slice(0, limit)
  return chosen.toSorted((left, right) => left.place - right.place).map(({ one }) => one)
}

/** When the conversations that a filter selects were active. */
export function selectIntervals(
  all: Iterable<Indexed>,
  filter: IntervalFilter,
): Omit<ActivityIntervals, 'stamp'> {
  const { from, to, language, phoneNumber } = filter
  const active = [...all].filter(one => {
    const { startedAt, finishedAt } = one.index
    const end = finishedAt ?? Infinity
    const touches = startedAt < to && (end > from || (end === startedAt && startedAt === from))
    if (!isSelected(one, filter) || !one.index.counted || from >= to || !touches) return false
    return fits<string | null>(language, one.index.language) && fits(phoneNumber, one.index.toNumber)
  })
  const rows = active.map(({ index }) => index)
  const variants = new Map(
    rows.map(({ variantId: id, variantName: name }) => [variantKey(id, name), { id, name }]),
  )
  const numbers = new Map([...variants.keys()].map((key, number) => [key, number]))
  return {
    starts: Float64Array.from(rows, ({ startedAt }) => startedAt),
    ends: Float64Array.from(rows, ({ finishedAt }) => finishedAt ?? Infinity),
    variant: Uint32Array.from(rows, row => numbers.get(variantKey(row.variantId, row.variantName)) ?? 0),
    variants: [...variants.values()],
    blocks: [],
  }
}

/** Each scope of which there is a conversation, once. */
export function selectScopes(all: Iterable<Indexed>): readonly ConversationScope[] {
  const scopes = new Map<string, ConversationScope>()
  for (const { index } of all) {
    const { accountId, agentId, environment } = index
    scopes.set(JSON.stringify([accountId, agentId, environment]), { accountId, agentId, environment })
  }
  return [...scopes.values()]
}

/** Conversations of a scope that were finished before the moment, the longest finished first. */
export function selectFinished<T extends Indexed>(
  all: Iterable<T>,
  { accountId, agentId, environment }: ConversationScope,
  finishedBefore: number,
): T[] {
  const finished = [...all].filter(
    ({ index }) =>
      index.accountId === accountId &&
      index.agentId === agentId &&
      index.environment === environment &&
      (index.finishedAt ?? Infinity) < finishedBefore,
  )
  return inOrder(finished, ({ id, index }) => [index.finishedAt ?? Infinity, id])
}

const variantKey = (id: string | null, name: string | null): string => JSON.stringify([id, name])
