import type { TopicIndex } from './index/topic-index.ts'
import { words } from './index/words.ts'
import { joinedVerbs } from './separable.ts'
import { beginningsOf, formsOf, keysOf, rootsOf, withArticle } from './word-forms.ts'

/** Words that may be meant by a word, folded as an index does. */
export type Related = ReadonlyMap<string, readonly string[]>

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
      for (const key of keysOf(word)) {
        const others = related.get(key) ?? new Set()
        for (const other of members) if (other !== word) others.add(other)
        related.set(key, others)
      }
    }
  }
  return new Map([...related].map(([word, others]) => [word, [...others]]))
}

/** Knowledge to say a question in other words by. */
interface Rewording {
  readonly index: Pick<TopicIndex, 'having' | 'isInName' | 'nameWordLike'>
  readonly related: Related
  /** True to guess more: by beginnings of words, and for words that name a topic themselves. */
  readonly broad: boolean
}

/**
 * Returns a word by which a topic's name says what a word means: of several the one that the fewest topics have. If it
 * may guess, another form of the word comes beside it. Null if none does, or the word itself.
 */
function namedBy(word: string, { index, related, broad }: Rewording): string | null {
  const inName = (text: string): readonly string[] => {
    const parts = text.split(' ')
    const like = broad ? index.nameWordLike(text) : undefined
    return parts.every(index.isInName) ? parts : like === undefined ? [] : [like]
  }
  const forms = broad ? [...formsOf(word), ...beginningsOf(word), ...rootsOf(word)] : formsOf(word)
  const own = word.split(' ')
  const bare = forms
    .map(inName)
    .find(list => list.length > 0)
    ?.join(' ')
  if (bare !== undefined && !broad) return bare === word ? null : bare
  const members = forms.map(form => related.get(form)).find(list => list !== undefined) ?? []
  const other = members
    .flatMap(inName)
    .filter(one => !own.includes(one))
    .reduce<string | undefined>(
      (best, other) => (best === undefined || index.having(other) < index.having(best) ? other : best),
      undefined,
    )
  const all = [bare === word ? undefined : bare, other].filter(one => one !== undefined)
  return all.length === 0 ? null : [...new Set(all)].join(' ')
}

/**
 * Returns a question with related words that name topics: in place of words that no topic has, beside words that topics
 * have. Null if there are none.
 * @param broad True for whoever judges what is found: it guesses more
 */
export function reworded(
  text: string,
  index: Pick<TopicIndex, 'having' | 'isInName' | 'nameWordLike'>,
  related: Related,
  broad = false,
): string | null {
  const asked = words(text)
  const said: string[] = []
  let found = false
  for (let at = 0; at < asked.length; ) {
    // The longest run that has a related word: the dictionary may have cut a group's word into several.
    let length = Math.min(LONGEST, asked.length - at) + 1
    let named: string | null = null
    while (named === null && length > 1) {
      length -= 1
      named = namedBy(asked.slice(at, at + length).join(' '), { index, related, broad })
    }
    for (const word of asked.slice(at, at + length)) {
      if (named === null || index.having(word) > 0) said.push(word)
    }
    if (named !== null) said.push(named)
    found ||= named !== null
    at += length
  }
  for (const verb of joinedVerbs(text)) {
    const named = namedBy(verb, { index, related, broad: true }) ?? (index.having(verb) > 0 ? verb : null)
    if (named === null) continue
    if (!said.includes(named)) said.push(named)
    found = true
  }
  return found ? said.join(' ') : null
}
