import type { AgentContent } from '@colloquy/core/runtime'
import { words } from './index/words.ts'
import { stemOf } from './subject.ts'

type Topic = AgentContent['topics'][number]

/** Evidence for a topic besides common letters. */
export interface Evidence {
  /** True when one of these words, or a form of it, is in a topic's name, example queries or content. */
  shares(topicName: string, asked: readonly string[]): boolean
  /** The same, for words that few topics have. */
  sharesRare(topicName: string, asked: readonly string[]): boolean
  /** True when any topic has each of these words, or a form of it. */
  knowsAll(asked: readonly string[]): boolean
}

/** A word is rare when no more than this share of the topics have it, or no more than two. */
const RARE_SHARE = 0.2

/** What is not plain Latin is compared by parts of words alone: it may be written without spaces. */
const PLAIN = /^[a-z0-9]+$/

/** The words of a topic's name, and neighbours written as one: "wifi" for "Wi-Fi". */
export function nameWords(name: string): readonly string[] {
  const list = words(name)
  return [...list, ...list.slice(1).map((word, at) => `${list[at]}${word}`)]
}

/** Evidence by the words of these topics. */
export function* buildEvidence(topics: readonly Topic[]): Generator<void, Evidence> {
  /** Which topics have a word or a form of it, by its stem. */
  const having = new Map<string, Set<string>>()
  for (const { name, content, exampleQueries } of topics) {
    for (const word of words([name, ...exampleQueries, content].join('\n'))) {
      const stem = stemOf(word)
      const names = having.get(stem)
      if (names === undefined) having.set(stem, new Set([name]))
      else names.add(name)
    }
    yield
  }
  const most = Math.max(2, RARE_SHARE * topics.length)
  const has = (topicName: string, word: string): boolean => having.get(stemOf(word))?.has(topicName) ?? false
  const isRare = (word: string): boolean => (having.get(stemOf(word))?.size ?? 0) <= most
  return {
    shares: (topicName, asked) => asked.some(word => !PLAIN.test(word) || has(topicName, word)),
    knowsAll: asked => asked.every(word => having.has(stemOf(word))),
    sharesRare: (topicName, asked) =>
      asked.some(word => !PLAIN.test(word) || (has(topicName, word) && isRare(word))),
  }
}
