import { alike, lettersOf, mayBeAlike } from './alike.ts'
import type { WordIndex } from './word-index.ts'

/** Words of a topic that a question's words are compared with: its name's, its examples', then those of its content. */
const MOST_COMPARED = 150
/** Words of a question that are looked at, and those of them that are compared with forms of them. */
const MOST_WORDS = 32
const MOST_ASKED = 12

/** The shares of a topic that a question matches, each from 0 to 1. */
interface Met {
  /** The weight of the most distinctive shared word: 1 when no other topic has the word. */
  readonly most: number
  /** The share of the topic's name. */
  readonly name: number
}

/** Returns how distinctive a word is for a topic: 1 when no other topic has it, 0 when all have it. */
export const telling = (index: WordIndex, topics: number, word: string): number =>
  1 - Math.log(Math.max(1, index.having(word))) / Math.log(topics + 1)

/** Compares a question with the words of one topic, forms of words and parts of compounds included. */
export function metBy(
  index: WordIndex,
  topics: number,
  {
    position,
    name,
    asked,
  }: { readonly position: number; readonly name: readonly string[]; readonly asked: readonly string[] },
): Met {
  // The first words of a long message are as good as any.
  const words = [...new Set(asked)].slice(0, MOST_WORDS)
  let most = 0
  const others: { readonly word: string; readonly letters: number }[] = []
  for (const word of words) {
    if (index.has(position, word)) most = Math.max(most, telling(index, topics, word))
    else if (others.length < MOST_ASKED) others.push({ word, letters: lettersOf(word) })
  }
  // A form of a word tells no more than the word.
  if (most < 1 && others.length > 0) {
    index.visitWords(position, MOST_COMPARED, (word, letters) => {
      for (const other of others) {
        if (!mayBeAlike(word, other.word, letters, other.letters)) continue
        const like = alike(word, other.word)
        if (like > most) most = Math.max(most, like * telling(index, topics, word))
      }
    })
  }
  let [named, all] = [0, 0]
  for (const word of new Set(name)) {
    const tells = telling(index, topics, word)
    all += tells
    named += tells * Math.max(0, ...words.map(one => alike(one, word)))
  }
  return { most, name: all === 0 ? 0 : named / all }
}

/**
 * Weights of the confidence in a match, the same in all languages: its lead over the other topics, its score, and the
 * matched shares of the topic. The matched share of the question has no weight: much of a question may be courtesy. The
 * numbers come from a logistic regression over one half of the questions of `bench/questions` and some of CLINC150.
 */
const WEIGHTS = { even: -6.1, ahead: 12.7, score: 1, most: 4.6, name: 2.6 }

/** Returns the confidence, from 0 to 1, of a match whose score is so far `ahead` of the next one's. */
export const confidenceOf = (ahead: number, score: number, { most, name }: Met): number =>
  1 /
  (1 +
    Math.exp(
      -(
        WEIGHTS.even +
        WEIGHTS.ahead * ahead +
        WEIGHTS.score * score +
        WEIGHTS.most * most +
        WEIGHTS.name * name
      ),
    ))
