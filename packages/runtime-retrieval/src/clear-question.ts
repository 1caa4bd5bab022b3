import {
  type Answering,
  answer,
  answering,
  type Case,
  callsFunction,
  type Decision,
  EXACT,
  handsOff,
} from './decision.ts'
import { alike } from './index/alike.ts'
import type { TopicMatch } from './index/topic-index.ts'
import { nameWords } from './is-evident.ts'
import { person } from './small-talk.ts'
import { questionsIn, subjectOf } from './subject.ts'

/** The most questions of one message that are answered. */
const MOST_ANSWERS = 3

const SENTENCE_ENDS = /[.?!;\n]+/

/**
 * Answers several questions in one message, each of which a different topic clearly answers; never calls functions
 * (RT36).
 */
export function severalAnswers(found: Case): Decision | null {
  const { text, matches, rules, search } = found
  if ((matches[0]?.confidence ?? 0) >= EXACT) return null
  const questions = questionsIn(text, SENTENCE_ENDS, rules.wording)
  if (questions.length < 2) return null
  const clear = (1 + rules.minConfidence) / 2
  const byName = new Map<string, Answering>()
  for (const question of questions) {
    const [best] = search(question)
    if (
      best !== undefined &&
      best.confidence >= clear &&
      isOwnQuestion(found, question, best) &&
      !byName.has(best.topic.name)
    ) {
      byName.set(best.topic.name, answering(best))
    }
  }
  const answers = [...byName.values()]
  const [only] = answers
  const unclear = (matches[0]?.confidence ?? 0) < clear
  if (answers.length === 1 && only !== undefined && unclear && !callsFunction(only))
    return answer(found, only)
  if (answers.length < 2 || answers.some(callsFunction)) return null
  const ordered = [...answers.filter(one => !handsOff(one)), ...answers.filter(handsOff).slice(0, 1)]
  const [first, ...others] = ordered.slice(0, MOST_ANSWERS)
  return first === undefined ? null : answer(found, first, ...others)
}

/**
 * True when a part of a message is a question of its own: it names its topic, or says more than one word of it. "In the
 * garden" belongs to the question before.
 */
const isOwnQuestion = ({ rules }: Case, question: readonly string[], { topic }: TopicMatch): boolean => {
  const subject = subjectOf(question, rules.wording)
  const named = nameWords(topic.name)
  return subject.length > 1 || subject.some(word => named.some(one => alike(one, word) > 0))
}

/**
 * Returns the answer of a topic that fits. Asks back when two topics are close, and when an unclear topic would act
 * (RT16, RT16).
 */
export function sureAnswer(found: Case, [first, second]: readonly TopicMatch[]): Decision | null {
  const { memory, rules } = found
  if (first === undefined) return null
  const clear = first.confidence >= (1 + rules.minConfidence) / 2
  const asksForOne = clear ? null : person(found)
  if (asksForOne !== null) return asksForOne
  const wasAsked = (match: TopicMatch): boolean => memory.asked.includes(match.topic.name)
  const close =
    second !== undefined &&
    first.score - second.score <= rules.closeScore &&
    second.confidence >= rules.minConfidence
  // The better topic answers a repeated question: no visitor is asked twice to clarify the same question.
  if (close && !(wasAsked(first) && wasAsked(second))) {
    return { type: 'clarify', about: [first.topic, second.topic], confidence: first.confidence }
  }
  if (!clear && (callsFunction(first) || handsOff(first))) {
    return { type: 'clarify', about: [first.topic], confidence: first.confidence }
  }
  return answer(found, answering(first))
}
