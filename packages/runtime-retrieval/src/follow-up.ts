import { answer, type Case, type Decision, EXACT, FOLLOW_UP_WORDS, LIKELIER } from './decision.ts'
import type { TopicMatch } from './index/topic-index.ts'
import { asksForAspect, subjectOf } from './subject.ts'
import { lengthAt } from './wording.ts'

/** The length of a long question that begins as a follow-up does, or names no subject. */
const LONG_FOLLOW_UP_WORDS = 10
/**
 * A question for an aspect of what is spoken of has at most this many words when nothing in it refers to that: "what's
 * the price?"
 */
const ASPECT_WORDS = 3
/** A word that tells no more than this is in about a third of the topics, or in more. */
const COMMON = 0.3

/** A short question about the topic before that names nothing else: "when does it close?" (RT16). */
export function referred(found: Case): Decision | null {
  const { asked, matches, rules } = found
  const topic = topicBefore(found, LONG_FOLLOW_UP_WORDS)
  if (topic === null || (matches[0]?.confidence ?? 0) >= EXACT) return null
  const { references } = rules.wording
  const refers =
    asked.some(word => references.has(word)) ||
    (asked.length <= ASPECT_WORDS && asksForAspect(asked, rules.wording))
  if (!refers || subjectOf(asked, rules.wording).length > 0) return null
  return answer(found, { topic, confidence: matches[0]?.confidence ?? 0, followUp: true })
}

/**
 * A short question whose whole subject is in the topic before, while no other topic is far likelier: "do you do vegan?"
 * (RT16).
 */
export function continued(found: Case): Decision | null {
  const { knowledge, asked, matches, rules } = found
  const topic = topicBefore(found, FOLLOW_UP_WORDS)
  const confidence = matches[0]?.confidence ?? 0
  if (topic === null || confidence >= EXACT) return null
  // "And cats?" asks for a part of what fits as a whole.
  if (matches[0]?.topic.name === topic.name && lengthAt(asked, 0, rules.wording.followUps) > 0)
    return answer(found, { topic, confidence, followUp: true })
  if (confidence >= LIKELIER || matches[0]?.topic.name === topic.name) return null
  const subject = subjectOf(asked, rules.wording)
  if (subject.length === 0 || !subject.every(word => knowledge.index.telling(topic.name, word) > COMMON))
    return null
  return answer(found, { topic, confidence, followUp: true })
}

/** Returns the last answer's topic, when the message is short enough to go on about it. */
function topicBefore({ knowledge, memory, asked }: Case, most: number): TopicMatch['topic'] | null {
  if (memory.topic === null || asked.length === 0 || asked.length > most) return null
  return knowledge.index.topic(memory.topic)
}

/** A short question that no topic fits for sure, and that goes on about the one before (RT16). */
export function followed(found: Case): Decision | null {
  const { knowledge, asked, matches, rules } = found
  const topic = topicBefore(found, LONG_FOLLOW_UP_WORDS)
  if (topic === null) return null
  const { followUps } = rules.wording
  const subject = subjectOf(asked, rules.wording).join(' ')
  const begins = lengthAt(asked, 0, followUps) > 0
  const bare = asked.length > 1 && !asked.some(word => /^\d/.test(word))
  const touches = (): boolean =>
    (begins || asked.length <= FOLLOW_UP_WORDS) && knowledge.index.telling(topic.name, subject) > COMMON
  const goesOn =
    subject === ''
      ? begins || bare || asksForAspect(asked, rules.wording)
      : touches() || (begins && !others(found, subject))
  if (!goesOn) return null
  return answer(found, { topic, confidence: matches[0]?.confidence ?? 0, followUp: true })
}

/** True when other topics that fit somewhat speak of a subject. */
const others = ({ knowledge, memory, matches }: Case, subject: string): boolean => {
  const names = matches.map(({ topic }) => topic.name).filter(name => name !== memory.topic)
  return knowledge.index.coverage(subject, names).some(share => share > 0)
}
