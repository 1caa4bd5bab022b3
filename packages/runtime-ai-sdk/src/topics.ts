import {
  type Action,
  actionsOf,
  excerpt,
  expandActions,
  expandAttributes,
  type HistoryLine,
  type RuntimePart,
  type Topic,
  type TopicMatch,
} from '@colloquy/core'
import type { PromptTopic } from './prompt.ts'
import type { TurnScope } from './scope.ts'

/** Confidence from which a topic is shown to the model unasked. */
const SHOWN_FROM = 0.1
/** Confidence from which a topic should be believed to answer the question. */
export const SURE_FROM = 0.5

/**
 * The topics that may answer a question, best first. A question that no topic answers for sure may go on about the one before it: then
 * both are looked up together (LM12).
 */
export function findTopics(
  { index, settings }: Pick<TurnScope, 'index' | 'settings'>,
  question: string,
  history: readonly HistoryLine[],
): readonly TopicMatch[] {
  const own = index.search(question, settings.topics)
  const before = history.findLast(line => line.from === 'visitor')?.text
  const sure = (own[0]?.confidence ?? 0) >= SURE_FROM
  const together = sure || before === undefined ? [] : index.search(`${before}\n${question}`, settings.topics)
  const names = new Set<string>()
  return [...own, ...together]
    .filter(match => match.confidence >= SHOWN_FROM)
    .sort((a, b) => b.confidence - a.confidence)
    .filter(({ topic }) => !names.has(topic.name) && names.add(topic.name))
    .slice(0, settings.topics)
}

/** A topic for the model, and the attributes in it that the variant has no value for. */
export interface ShownTopic {
  readonly topic: PromptTopic
  readonly unknown: readonly string[]
}

/** Says which topics the model is shown. */
export function* showTopics(
  { shown }: Pick<TurnScope, 'shown'>,
  topics: readonly ShownTopic[],
): Generator<RuntimePart> {
  for (const { topic, unknown } of topics) {
    shown.add(topic.name)
    yield { type: 'topic', name: topic.name, cited: false }
    for (const name of unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  }
}

/** A topic as the model reads it, and the attributes in its actions that the variant has no value for. */
export function promptTopic(
  { turn, settings }: Pick<TurnScope, 'turn' | 'settings'>,
  topic: Topic,
  question: string,
  wordsFor: (action: Action) => string,
): ShownTopic {
  const actions = expandAttributes(topic.actions, turn.variant?.attributes ?? {})
  return {
    topic: {
      name: topic.name,
      content: excerpt(topic.content, question, settings.topicLength),
      instructions: expandActions(actions.text, wordsFor).trim(),
    },
    unknown: actions.unknown,
  }
}

/** Share of the reply's words that a topic must have for the reply to rest on it. */
const RESTS_FROM = 0.3

/** The topic among those shown that the reply shares most of its telling words with; null when it shares few (LM41). */
export function citedTopic({
  index,
  shown,
  speech,
}: Pick<TurnScope, 'index' | 'shown' | 'speech'>): string | null {
  let best: { readonly name: string; readonly share: number } | null = null
  for (const name of shown) {
    const share = index.coverage(name, speech.text)
    if (share >= RESTS_FROM && share > (best?.share ?? 0)) best = { name, share }
  }
  return best?.name ?? null
}

/** Where the active topics may hand off to, each destination once, in the order of the topics (LM15). */
export function destinationsOf({ content, variant }: TurnScope['turn']): readonly string[] {
  const destinations = new Set<string>()
  for (const topic of content.topics) {
    if (!topic.isActive || !topic.actions.includes('{{')) continue
    const actions = expandAttributes(topic.actions, variant?.attributes ?? {}).text
    for (const action of actionsOf(actions))
      if (action.type === 'handoff') destinations.add(action.destination)
  }
  return [...destinations]
}
