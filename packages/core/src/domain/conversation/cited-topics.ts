import { startOf } from '../cut-text.ts'
import { digestOf } from '../digest.ts'
import type { StoredTurn } from './record.ts'

/** The most topics that a record names: those that its first turns rest on. */
export const MOST_TOPICS = 20

/** The most characters of a topic's name that a record keeps. */
export const TOPIC_LENGTH = 200

/** Returns the topic that a turn as it is kept rests on. Empty without one, and for a turn that failed. */
export function citedTopicOf({ details }: Pick<StoredTurn, 'details'>): string {
  const { cited_topic: cited, error } = details
  return typeof cited === 'string' && error === undefined ? startOf(cited, TOPIC_LENGTH) : ''
}

/** Returns the topics of a record with that of one more turn, each once. The same list if nothing is added. */
export function withCitedTopic(topics: readonly string[] = [], turn: StoredTurn): readonly string[] {
  const cited = citedTopicOf(turn)
  if (cited === '' || topics.length >= MOST_TOPICS || topics.includes(cited)) return topics
  return [...topics, cited]
}

/** Returns the word by which turns that rest on a topic are found, unlike any word that is spoken. */
export const wordOfTopic = (topic: string): string =>
  `topic:${digestOf(startOf(topic, TOPIC_LENGTH)).slice(0, 32)}`
