import { type Case, EXACT } from './decision.ts'
import { words } from './index/words.ts'
import { subjectOf } from './subject.ts'

/** From here on a word tells one topic from the others: few of them have it (RT38). */
export const RARE = 0.5

/** Returns the words of a topic's name, and neighbours written as one: "wifi" for "Wi Fi". */
export function nameWords(name: string): readonly string[] {
  const list = words(name)
  return [...list, ...list.slice(1).map((word, at) => `${list[at]}${word}`)]
}

/**
 * True when more than letters in common speaks for the best topic: a word of the message's subject, or its meaning.
 * `rare`: a word that few topics have (RT38). A message without a subject has nothing to be compared.
 */
export function isEvident(
  { knowledge, asked, matches: [first], rules }: Case,
  by: 'any' | 'rare' = 'any',
): boolean {
  if (first === undefined) return false
  if (first.confidence >= EXACT || rules.likeness !== undefined) return true
  const subject = subjectOf(asked, rules.wording)
  if (subject.length === 0) return true
  const named = nameWords(first.topic.name).filter(word => !rules.wording.commonWords.has(word))
  const told = [...subject, ...asked.filter(word => /^\d+[a-z]/.test(word) || named.includes(word))]
  const tells = knowledge.index.telling(first.topic.name, told.join(' '))
  return by === 'rare' ? tells >= RARE : tells > 0
}
