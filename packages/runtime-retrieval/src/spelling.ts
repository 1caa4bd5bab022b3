import type { TopicIndex } from './index/topic-index.ts'
import { words } from './index/words.ts'

/** Words that are looked at; bounds the time for it to some tenths of a second. */
const MOST_KNOWN = 200_000
/** Shorter words are left as they are. */
const SHORTEST = 3
/** Words from this length on may have a letter too many or too few; of shorter ones, others are as near. */
const ADDED_FROM = 5
/** Words from this length on may have another letter, or their inner letters mixed up. */
const MIXED_FROM = 6
/** Words of a message that are looked at. */
const MOST_WORDS = 30

/** Words that are put in order in one step. */
const WORDS_A_STEP = 512

/** A text with its typing errors corrected; null when there is nothing to correct. */
export type Spelling = (text: string, isWord: (word: string) => boolean) => string | null

/**
 * Corrects typing errors by the words of an index: a word that it does not have becomes one that it has, with the same
 * first letter, from which it differs by two letters changed places; in longer words also by one letter too many, too
 * few, or another one, or by inner letters mixed up. The word that more topics have wins.
 */
export function* buildSpelling({
  words: known,
  having,
}: Pick<TopicIndex, 'words' | 'having'>): Generator<void, Spelling> {
  const byBeginning = new Map<string, string[]>()
  let looked = 0
  for (const word of known) {
    if (looked === MOST_KNOWN) break
    looked += 1
    if (looked % WORDS_A_STEP === 0) yield
    if (word.length < SHORTEST) continue
    const key = beginningOf(word, word.length)
    const like = byBeginning.get(key)
    if (like === undefined) byBeginning.set(key, [word])
    else like.push(word)
  }
  const correct = (word: string): string => {
    if (word.length < SHORTEST || having(word) > 0 || /\d/.test(word)) return word
    let best = word
    for (const length of [word.length, word.length + 1, word.length - 1]) {
      if (length < SHORTEST) continue
      for (const other of byBeginning.get(beginningOf(word, length)) ?? []) {
        const better = having(other) > (best === word ? 0 : having(best))
        if (better && differsLittle(word, other)) best = other
      }
      // Letters that have changed places, or another letter, are likelier than one too many or too few.
      if (best !== word) return best
    }
    return best
  }
  return (text, isWord) => {
    const list = words(text)
    if (list.length > MOST_WORDS) return null
    const corrected = list.map(word => (isWord(word) ? word : correct(word)))
    return corrected.every((word, at) => word === list[at]) ? null : corrected.join(' ')
  }
}

const beginningOf = (word: string, length: number): string => `${word[0] ?? ''}${length}`

/** True when one step turns a word into the other: swap two neighbours, or add, drop or change one letter. */
function differsLittle(word: string, other: string): boolean {
  let start = 0
  while (start < word.length && word[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(word.length, other.length) - start
  while (end < most && word.at(-1 - end) === other.at(-1 - end)) end += 1
  const [left, right] = [word.slice(start, word.length - end), other.slice(start, other.length - end)]
  // Another ending makes another form of the word, which the index knows as such: "arrived" is no error for "arrives".
  if (end === 0 && left.length < 2 && right.length < 2) return false
  if (left.length + right.length === 1) return word.length >= ADDED_FROM
  if (left.length === 1 && right.length === 1) return word.length >= MIXED_FROM
  if (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]) return true
  return word.length >= MIXED_FROM && word.at(-1) === other.at(-1) && sameLetters(left, right)
}

/** True when two runs have the same letters in any order, one letter aside. */
function sameLetters(one: string, other: string): boolean {
  const left = [...one]
  const missing = [...other].filter(letter => {
    const at = left.indexOf(letter)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return left.length + missing.length <= 1
}
