import { comparedChannel } from '../../domain/conversation/channel.ts'
import { wordOfTopic } from '../../domain/conversation/cited-topics.ts'
import type { WordCondition } from '../../domain/conversation/turn-words.ts'
import type { RecordFilter, RecordPageStart } from '../../ports/store/records.ts'
import type { Containing, Range } from '../documents.ts'
import type { Guarded } from '../guarded.ts'
import { LISTED_CONVERSATION, type ListedConversation, saidBy, TURN } from './kinds.ts'
import { READ_AT_ONCE } from './placing.ts'

/** Returns the part of an index by start that a filter leaves. Moments are whole milliseconds. */
export function rangeOf({ accountId, agentId, endTime, environment, startTime }: RecordFilter) {
  return {
    prefix: [accountId, agentId, environment],
    from: startTime === undefined ? undefined : Math.ceil(startTime),
    through:
      endTime === undefined || endTime === Number.POSITIVE_INFINITY ? undefined : Math.ceil(endTime) - 1,
  }
}

/** Returns the values of list columns for the other conditions of a filter. */
function whereOf({
  channels,
  deploymentId,
  inProgress,
  variantId,
  variantName,
}: RecordFilter): Range['where'] {
  return {
    ...(variantId === undefined ? {} : { variant_id: [variantId] }),
    ...(variantName === undefined ? {} : { variant_name: [variantName] }),
    ...(deploymentId === undefined ? {} : { deployment_id: [deploymentId] }),
    ...(inProgress === undefined ? {} : { in_progress: [inProgress ? 1 : 0] }),
    ...(channels === undefined ? {} : { compared_channel: channels.map(comparedChannel) }),
  }
}

/** Reports whether a filter selects a conversation that was found by a word. */
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

/** Returns the words of which one of each list stands in a turn on that side. */
function saidWords({ speaker, words }: WordCondition): Containing['words'] {
  const speakers = speaker === 'either' ? (['user', 'agent'] as const) : [speaker]
  return words.map(word => speakers.map(one => saidBy(one, word)))
}

/** Returns the turns that words and a topic select. A topic is a word of the turns that rest on it. */
function containingOf({ topic, words }: RecordFilter): Containing | undefined {
  if (topic === undefined && words === undefined) return undefined
  const about = topic === undefined ? [] : [[wordOfTopic(topic)]]
  const said = words === undefined ? [] : saidWords(words)
  return { kind: TURN, column: 'conversation_id', words: [...about, ...said] }
}

/** Selects the conversations of a filter, from the first one or from a place on. The caller wants `most` of them. */
export function selected(
  over: Guarded,
  filter: RecordFilter,
  from: RecordPageStart,
  { descending = false, most }: { readonly descending?: boolean; readonly most: number },
): AsyncGenerator<ListedConversation> {
  const { after, skip } =
    'offset' in from
      ? { after: undefined, skip: from.offset }
      : { after: [from.after.startedAt, from.after.id], skip: undefined }
  const index = filter.inProgress === true ? 'in_progress' : 'scope'
  const limit = Math.min(most, READ_AT_ONCE)
  const containing = containingOf(filter)
  const range = { ...rangeOf(filter), where: whereOf(filter), containing, descending, after, skip, limit }
  return over.each(LISTED_CONVERSATION, index, range)
}
