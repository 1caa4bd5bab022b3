import { comparedChannel } from '../../domain/conversation/channel.ts'
import type { WordCondition } from '../../domain/conversation/turn-words.ts'
import type { RecordFilter, RecordPageStart } from '../../ports/store/records.ts'
import type { Range } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { idOf } from '../kind-parts.ts'
import { LISTED_CONVERSATION, type ListedConversation, SAID_WORD, type SaidWord } from './kinds.ts'
import { READ_AT_ONCE } from './placing.ts'

/** The part of an index by start that a filter leaves. Moments are whole milliseconds. */
export function rangeOf({ accountId, agentId, endTime, environment, startTime }: RecordFilter) {
  return {
    prefix: [accountId, agentId, environment],
    from: startTime === undefined ? undefined : Math.ceil(startTime),
    through:
      endTime === undefined || endTime === Number.POSITIVE_INFINITY ? undefined : Math.ceil(endTime) - 1,
  }
}

/** What the other conditions of a filter ask of the columns of a list. */
function whereOf({ channels, inProgress, variantId, variantName }: RecordFilter): Range['where'] {
  return {
    ...(variantId === undefined ? {} : { variant_id: [variantId] }),
    ...(variantName === undefined ? {} : { variant_name: [variantName] }),
    ...(inProgress === undefined ? {} : { in_progress: [inProgress ? 1 : 0] }),
    ...(channels === undefined ? {} : { compared_channel: channels.map(comparedChannel) }),
  }
}

/** Whether a conversation that a word has led to is one of those that a filter selects. */
export function isSelected(one: ListedConversation, filter: RecordFilter): boolean {
  const { accountId, agentId, endTime = Number.POSITIVE_INFINITY, environment, startTime = 0 } = filter
  const isIn = one.accountId === accountId && one.agentId === agentId && one.environment === environment
  return (
    isIn &&
    one.startedAt >= startTime &&
    one.startedAt < endTime &&
    Object.entries(whereOf(filter) ?? {}).every(([column, values]) =>
      values.some(value => value === LISTED_CONVERSATION.columns[column]?.of(one)),
    )
  )
}

/** The conversations of which some turn holds all words, in the order of lists, each once. */
async function* holding(
  { each, get }: Guarded,
  filter: RecordFilter,
  { speaker, words }: WordCondition,
  after: Range['after'],
): AsyncGenerator<string> {
  // The longest one is likely the rarest.
  const [first = '', ...others] = words.toSorted((one, other) => other.length - one.length)
  const isSaid = (word: SaidWord | null) => word !== null && (speaker === 'either' || word[speaker])
  const { prefix, ...bounds } = rangeOf(filter)
  const range = { prefix: [...prefix, first], ...bounds, after, limit: READ_AT_ONCE }
  let last: string | undefined
  let found: SaidWord[] = []
  async function* held(): AsyncGenerator<string> {
    const ids = found.flatMap(({ conversationId, turn }) =>
      others.map(word => idOf(conversationId, turn, word)),
    )
    const also = ids.length === 0 ? [] : await get(SAID_WORD, ids)
    for (const [at, { conversationId }] of found.entries()) {
      const rest = also.slice(at * others.length, (at + 1) * others.length)
      if (conversationId === last || !rest.every(isSaid)) continue
      last = conversationId
      yield conversationId
    }
    found = []
  }
  for await (const word of each(SAID_WORD, 'word', range)) {
    if (isSaid(word)) found.push(word)
    if (found.length === READ_AT_ONCE) yield* held()
  }
  yield* held()
}

/** What a filter selects by words, behind a number of conversations or a place. */
async function* selectedByWords(
  over: Guarded,
  filter: RecordFilter,
  words: WordCondition,
  from: RecordPageStart,
): AsyncGenerator<ListedConversation> {
  const after =
    'offset' in from ? undefined : [from.after.startedAt, from.after.id, Number.MAX_SAFE_INTEGER, '']
  let left = 'offset' in from ? from.offset : 0
  let ids: string[] = []
  async function* listed(): AsyncGenerator<ListedConversation> {
    const found = await over.get(LISTED_CONVERSATION, ids)
    ids = []
    for (const one of found) if (one !== null && isSelected(one, filter) && left-- <= 0) yield one
  }
  for await (const id of holding(over, filter, words, after)) {
    ids.push(id)
    if (ids.length === READ_AT_ONCE) yield* listed()
  }
  yield* listed()
}

/** What a filter selects, from the first one or a place on; `most` are wanted. */
export function selected(
  over: Guarded,
  filter: RecordFilter,
  from: RecordPageStart,
  { descending = false, most }: { readonly descending?: boolean; readonly most: number },
): AsyncGenerator<ListedConversation> {
  if (filter.words !== undefined) return selectedByWords(over, filter, filter.words, from)
  const { after, skip } =
    'offset' in from
      ? { after: undefined, skip: from.offset }
      : { after: [from.after.startedAt, from.after.id], skip: undefined }
  const index = filter.inProgress === true ? 'in_progress' : 'scope'
  const limit = Math.min(most, READ_AT_ONCE)
  const range = { ...rangeOf(filter), where: whereOf(filter), descending, after, skip, limit }
  return over.each(LISTED_CONVERSATION, index, range)
}
