import type { AgentContent } from '../ports/agent-runtime.ts'
import { words } from './index/words.ts'
import { alike } from './subject.ts'

/** Tells what speaks for a topic besides letters in common. */
export interface Evidence {
  /** True when one of these words, or a form of it, is in a topic's name, example queries or content. */
  shares(topicName: string, asked: readonly string[]): boolean
  /** The same of words that few topics have. */
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

/** Evidence by the words of the active topics. */
export function createEvidence({ topics }: Pick<AgentContent, 'topics'>): Evidence {
  const active = topics.filter(topic => topic.isActive)
  const wordsOf = new Map(
    active.map(({ name, content, exampleQueries }) => {
      return [name, new Set(words([name, ...exampleQueries, content].join('\n')))] as const
    }),
  )
  const has = (topicName: string, word: string): boolean => {
    const own = wordsOf.get(topicName) ?? new Set<string>()
    return own.has(word) || [...own].some(one => alike(one, word))
  }
  const most = Math.max(2, RARE_SHARE * active.length)
  const isRare = (word: string): boolean => active.filter(({ name }) => has(name, word)).length <= most
  return {
    shares: (topicName, asked) => asked.some(word => !PLAIN.test(word) || has(topicName, word)),
    knowsAll: asked => asked.every(word => active.some(({ name }) => has(name, word))),
    sharesRare: (topicName, asked) =>
      asked.some(word => !PLAIN.test(word) || (has(topicName, word) && isRare(word))),
  }
}
