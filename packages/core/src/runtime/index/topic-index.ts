import type { AgentContent } from '../../ports/agent-runtime.ts'
import { buildClassifier } from './classifier.ts'
import { buildWordIndex } from './word-index.ts'
import { words } from './words.ts'

type Topic = AgentContent['topics'][number]

/** A topic that may answer a question. */
export interface TopicMatch {
  readonly topic: Topic
  /** How well it fits; comparable within one index. */
  readonly score: number
  /** How sure the index is that this topic answers the question, from 0 to 1; from 0.5 on it should be believed. */
  readonly confidence: number
}

/** Finds the topics of one revision that answer a question. Fixed once it is built; equal questions get equal answers. */
export interface TopicIndex {
  /** At most `limit` topics, best first; equally good ones by name. Empty when the question has no words. */
  search(question: string, limit: number): readonly TopicMatch[]
  /** True when a word of the question that few topics have is in this topic's texts. */
  touches(topicName: string, question: string): boolean
  /** For each topic named, the share of a text's words that are in its texts, from 0 to 1; words that few topics have count more. */
  coverage(text: string, topicNames: readonly string[]): readonly number[]
  topic(name: string): Topic | null
}

/** What the words of the contents add to the classifier's score at most. */
const CONTENT_WEIGHT = 0.4
/** The score at which a topic is as likely right as wrong, and how fast belief grows with the score. */
const EVEN_SCORE = -0.42
const STEEPNESS = 6
/** The score of a question that is a topic's name or one of its example queries, letter case and signs aside. */
const EXACT_SCORE = 2
/** A word is common when more than this share of the topics have it. */
const COMMON_SHARE = 0.3

/** Builds the index of the active topics; inactive ones do not exist for it. */
export function buildTopicIndex(all: readonly Topic[]): TopicIndex {
  const topics = all.filter(topic => topic.isActive).sort((a, b) => compareText(a.name, b.name))
  const contents = buildWordIndex(topics.map(topic => `${topic.name}\n${topic.content}`))
  const classify = buildClassifier(topics)
  const exact = exactQuestions(topics)
  const byName = new Map(topics.map(topic => [topic.name, topic]))
  const positions = new Map(topics.map((topic, position) => [topic.name, position]))

  return {
    search(question, limit) {
      const asked = words(question)
      if (asked.length === 0) return []
      const scores = classify(question)
      const covered = contents.coverage(asked)
      const total = scores.map((score, index) => score + CONTENT_WEIGHT * (covered[index] ?? 0))
      for (const index of exact.get(asked.join(' ')) ?? []) total[index] = EXACT_SCORE
      return bestOf(total, limit).flatMap(index => {
        const topic = topics[index]
        const score = total[index] ?? 0
        return topic === undefined ? [] : [{ topic, score, confidence: confidenceOf(score) }]
      })
    },
    touches(topicName, question) {
      const position = topics.findIndex(topic => topic.name === topicName)
      return words(question).some(word => {
        const having = contents.coverage([word])
        const share = having.filter(value => value > 0).length / topics.length
        return (having[position] ?? 0) > 0 && (share <= COMMON_SHARE || topics.length < 3)
      })
    },
    coverage(text, topicNames) {
      const shares = contents.coverage(words(text))
      return topicNames.map(name => shares[positions.get(name) ?? -1] ?? 0)
    },
    topic: name => byName.get(name) ?? null,
  }
}

function confidenceOf(score: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (score - EVEN_SCORE)))
}

/** Compares by code units: the same on every machine. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Names and example queries as words, with the topics they belong to. */
function exactQuestions(topics: readonly Topic[]): ReadonlyMap<string, ReadonlySet<number>> {
  const questions = new Map<string, Set<number>>()
  topics.forEach((topic, index) => {
    for (const text of [topic.name, ...topic.exampleQueries]) {
      const key = words(text).join(' ')
      const known = questions.get(key)
      if (known === undefined) questions.set(key, new Set([index]))
      else known.add(index)
    }
  })
  return questions
}

/** The positions of the highest scores, highest first, the lower position first among equals. */
function bestOf(scores: Float64Array, limit: number): readonly number[] {
  const best: number[] = []
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] ?? 0
    if (best.length === limit && score <= (scores[best[limit - 1] ?? 0] ?? 0)) continue
    let place = best.length
    while (place > 0 && score > (scores[best[place - 1] ?? 0] ?? 0)) place -= 1
    best.splice(place, 0, index)
    if (best.length > limit) best.pop()
  }
  return best
}
