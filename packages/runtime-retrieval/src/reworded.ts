import type { TopicIndex } from './index/topic-index.ts'
import { words } from './index/words.ts'

/** Words that may be meant by a word, folded as an index does. */
export type Related = ReadonlyMap<string, readonly string[]>

const ARABIC = /^\p{Script=Arabic}{3,}$/u
const HANGUL = /^\p{Script=Hangul}{3,}$/u

/** In Arabic the article is a part of the word. */
const withArticle = (word: string): readonly string[] => (ARABIC.test(word) ? [word, `ال${word}`] : [word])

/** Returns a word, and what it may be without the particles that its script writes together with it. */
function formsOf(word: string): readonly string[] {
  if (HANGUL.test(word))
    return [0, 1, 2, 3].flatMap(more => (word.length - more < 2 ? [] : [word.slice(0, word.length - more)]))
  if (!ARABIC.test(word)) return [word]
  const bare = word.replace(/^(?:[وف]?(?:ال|بال|لل)|[وفبلك])(?=.{3})/u, '')
  return [word, bare, bare.replace(/(?<=.{3})(?:نا|كم|هم|ها|[يكه])$/u, '')]
}

/** Words by which one word of a group may be written: those of the system's dictionary. */
const LONGEST = 4

/**
 * Returns the words that each word of some groups is related to. What the dictionary cuts into several is kept with
 * spaces between them.
 */
export function relatedIn(groups: readonly string[]): Related {
  const related = new Map<string, Set<string>>()
  for (const group of groups) {
    const parts = group.split(' ').map(words)
    const members = parts.flatMap(part =>
      part.length === 0 || part.length > LONGEST ? [] : withArticle(part.join(' ')),
    )
    for (const word of members) {
      const others = related.get(word) ?? new Set()
      for (const other of members) if (other !== word) others.add(other)
      related.set(word, others)
    }
  }
  return new Map([...related].map(([word, others]) => [word, [...others]]))
}

/**
 * Returns a word by which a topic's name says what a word means: of several the one that the fewest topics have. Null if
 * none does, or the word itself.
 */
function namedBy(
  word: string,
  { having, isInName }: Pick<TopicIndex, 'having' | 'isInName'>,
  related: Related,
): string | null {
  const areInName = (text: string): boolean => text.split(' ').every(isInName)
  const forms = formsOf(word)
  const bare = forms.find(areInName)
  if (bare !== undefined) return bare === word ? null : bare
  const members = forms.map(form => related.get(form)).find(list => list !== undefined) ?? []
  return members
    .filter(areInName)
    .flatMap(member => member.split(' '))
    .filter(one => !word.split(' ').includes(one))
    .reduce<string | null>(
      (best, other) => (best === null || having(other) < having(best) ? other : best),
      null,
    )
}

/**
 * Returns a question with related words that name topics: in place of words that no topic has, beside words that topics
 * have. Null if there are none.
 */
export function reworded(
  text: string,
  index: Pick<TopicIndex, 'having' | 'isInName'>,
  related: Related,
): string | null {
  const asked = words(text)
  const said: string[] = []
  let found = false
  for (let at = 0; at < asked.length; ) {
    // The longest run that has a related word: the dictionary may have cut a group's word into several.
    let length = Math.min(LONGEST, asked.length - at)
    let named = namedBy(asked.slice(at, at + length).join(' '), index, related)
    while (named === null && length > 1) {
      length -= 1
      named = namedBy(asked.slice(at, at + length).join(' '), index, related)
    }
    const run = asked.slice(at, at + length)
    for (const word of run) if (named === null || index.having(word) > 0) said.push(word)
    if (named !== null) said.push(named)
    found ||= named !== null
    at += length
  }
  return found ? said.join(' ') : null
}
