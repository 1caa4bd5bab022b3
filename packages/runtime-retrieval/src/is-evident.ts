import { type Case, EXACT } from './decision.ts'
import { nameWords } from './evidence.ts'
import { subjectOf } from './subject.ts'

/**
 * True when more than letters in common speaks for the best topic: a word of the message's subject, or its meaning
 * (RT43). `rare`: a word that few topics have (RT44). A message without a subject has nothing to be compared.
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
  const { evidence } = knowledge
  return by === 'rare' ? evidence.sharesRare(first.topic.name, told) : evidence.shares(first.topic.name, told)
}
