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

/** Returns the words that each word of some groups is related to. What is no single word is left out. */
export function relatedIn(groups: readonly string[]): Related {
  const related = new Map<string, Set<string>>()
  for (const group of groups) {
    const parts = group.split(' ').map(words)
    const members = parts.flatMap(([word, ...more]) =>
      word === undefined || more.length > 0 ? [] : withArticle(word),
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
 * Returns a question with related words that name topics: in place of words that no topic has, beside words that topics
 * have. Null if there are none.
 */
export function reworded(
  text: string,
  { having, isInName }: Pick<TopicIndex, 'having' | 'isInName'>,
  related: Related,
): string | null {
  const asked = words(text)
  const named = asked.map(word => {
    const forms = formsOf(word)
    const bare = forms.find(isInName)
    if (bare !== undefined) return bare === word ? null : bare
    const members = forms.map(form => related.get(form)).find(list => list !== undefined) ?? []
    return members
      .filter(isInName)
      .reduce<string | null>(
        (best, other) => (best === null || having(other) < having(best) ? other : best),
        null,
      )
  })
  if (named.every(word => word === null)) return null
  return asked
    .flatMap((word, at) => (having(word) > 0 || named[at] === null ? [word, named[at]] : [named[at]]))
    .filter(word => word !== null && word !== undefined)
    .join(' ')
}
