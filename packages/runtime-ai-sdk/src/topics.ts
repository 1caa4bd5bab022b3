import type { Topic } from '@colloquy/core'
import {
  type Action,
  type AgentContent,
  actionsOf,
  expandActions,
  expandAttributes,
  type HistoryLine,
  type RuntimePart,
  startOf,
} from '@colloquy/core/runtime'
import { excerpt, lookUp, type TopicMatch } from '@colloquy/runtime-retrieval'
import type { PromptTopic } from './prompt.ts'
import type { TurnContext } from './turn-context.ts'

/** Confidence from which a topic should be believed to answer the question. */
export const SURE_FROM = 0.5

/**
 * Returns the topics that may answer a question, best first. A question that no topic answers for sure may go on about
 * the one before it: then both are looked up together. The model reads better than words tell, so it sees unlikely ones
 * as well (LM12).
 */
export function findTopics(
  { index, settings, phrases }: Pick<TurnContext, 'index' | 'settings' | 'phrases'>,
  question: string,
  history: readonly HistoryLine[],
): readonly TopicMatch[] {
  const search = (text: string) => lookUp(index, text, settings.topics, phrases)
  const own = search(question)
  const before = history.findLast(line => line.from === 'visitor')?.text
  const sure = (own[0]?.confidence ?? 0) >= SURE_FROM
  const together = sure || before === undefined ? [] : search(`${before}\n${question}`)
  const names = new Set<string>()
  return [...own, ...together]
    .filter(match => match.score > 0)
    .sort((a, b) => b.confidence - a.confidence)
    .filter(({ topic }) => !names.has(topic.name) && names.add(topic.name))
    .slice(0, settings.topics)
}

/** A topic for the model, and the attributes in it that the variant has no value for. */
export interface ShownTopic {
  readonly topic: PromptTopic
  readonly unknown: readonly string[]
}

/** Yields the topics that the model is shown. */
export function* showTopics(
  { shown }: Pick<TurnContext, 'shown'>,
  topics: readonly ShownTopic[],
): Generator<RuntimePart> {
  for (const { topic, unknown } of topics) {
    shown.add(topic.name)
    yield { type: 'topic', name: topic.name, cited: false }
    for (const name of unknown) yield { type: 'node', name: `unknown_attribute:${name}` }
  }
}

/** Returns a topic as the model reads it, and the attributes in its actions that the variant has no value for. */
export function promptTopic(
  { turn, settings }: Pick<TurnContext, 'turn' | 'settings'>,
  topic: Topic,
  question: string,
  wordsFor: (action: Action) => string,
): ShownTopic {
  const actions = expandAttributes(topic.actions, turn.variant?.attributes ?? {})
  return {
    topic: {
      name: topic.name,
      content: excerpt(topic.content, question, settings.topicLength),
      instructions: startOf(expandActions(actions.text, wordsFor).trim(), settings.topicLength),
    },
    unknown: actions.unknown,
  }
}

/** Share of the reply's words that a topic must have for the reply to rest on it. */
const RESTS_FROM = 0.3

/**
 * Returns the topic among those shown that the reply shares most of its telling words with; null when it shares few
 * (LM41).
 */
export function citedTopic({
  index,
  shown,
  speech,
}: Pick<TurnContext, 'index' | 'shown' | 'speech'>): string | null {
  const names = [...shown]
  const shares = index.coverage(speech.text, names)
  let best: { readonly name: string; readonly share: number } | null = null
  for (const [at, name] of names.entries()) {
    const share = shares[at] ?? 0
    if (share >= RESTS_FROM && share > (best?.share ?? 0)) best = { name, share }
  }
  return best?.name ?? null
}

/** Returns the actions of the active topics that may hand off. */
export const handoffActions = ({ topics }: AgentContent): readonly string[] =>
  topics.filter(({ isActive, actions }) => isActive && actions.includes('{{')).map(({ actions }) => actions)

/**
 * Returns the handoff destinations of those actions with the attributes of a variant: each once, in the order of the
 * topics (LM17).
 */
export function destinationsOf(
  actions: readonly string[],
  attributes: Readonly<Record<string, string>>,
): readonly string[] {
  const asked = actions.flatMap(text => actionsOf(expandAttributes(text, attributes).text))
  return [...new Set(asked.flatMap(action => (action.type === 'handoff' ? [action.destination] : [])))]
}
