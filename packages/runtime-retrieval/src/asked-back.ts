import { answer, answering, type Case, type Decision, FOLLOW_UP_WORDS } from './decision.ts'
import type { TopicMatch } from './index/topic-index.ts'
import { words } from './index/words.ts'
import { isOneOf } from './wording.ts'

/**
 * Returns the reply to what was asked back or offered in the turn before; null when the message is something else
 * (RT16).
 */
export function replied(found: Case): Decision | null {
  const { knowledge, memory, asked, matches, rules } = found
  const { yes, no, fillers, choices } = rules.wording
  if (memory.asked.length === 0 && !memory.offered) return null
  if (isOneOf(asked, no, fillers)) return { type: memory.offered ? 'declined' : 'misunderstood' }
  const topics = memory.asked.flatMap(name => knowledge.index.topic(name) ?? [])
  const agreed = isOneOf(asked, yes, fillers)
  if (agreed && memory.offered) return { type: 'person', near: matches }
  const [only, other] = topics
  if (agreed && only !== undefined && other !== undefined) {
    return { type: 'clarify', about: topics, confidence: memory.confidence }
  }
  const chosen = agreed
    ? only
    : (topics.find((_, at) => isOneOf(asked, choices[at] ?? [], fillers)) ?? namedOne(topics, asked))
  return chosen === undefined ? null : answer(found, answering({ topic: chosen, confidence: 1 }))
}

/** Returns the only topic whose name shares words with the visitor's reply. */
function namedOne(
  topics: readonly TopicMatch['topic'][],
  asked: readonly string[],
): TopicMatch['topic'] | undefined {
  if (asked.length > FOLLOW_UP_WORDS) return undefined
  const named = topics.filter(topic => {
    const others = new Set(topics.filter(other => other !== topic).flatMap(({ name }) => words(name)))
    return words(topic.name).some(word => asked.includes(word) && !others.has(word))
  })
  return named.length === 1 ? named[0] : undefined
}
