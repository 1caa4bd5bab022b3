import type { TopicIndex, TopicMatch } from './index/topic-index.ts'
import { words } from './index/words.ts'
import type { Memory } from './memory.ts'

/** How a question is to be answered. `near` are further topics that fit somewhat, best first. */
export type Decision =
  | { readonly type: 'silence' }
  | { readonly type: 'unknown'; readonly near: readonly TopicMatch[] }
  | { readonly type: 'clarify'; readonly first: TopicMatch; readonly second: TopicMatch }
  | {
      readonly type: 'answer'
      readonly topic: TopicMatch['topic']
      readonly confidence: number
      readonly followUp: boolean
      readonly near: readonly TopicMatch[]
    }

/** How a decision is made. */
export interface DecisionRules {
  /** Confidence from which a topic answers. */
  readonly minConfidence: number
  /** Two topics whose scores are no further apart than this are close. */
  readonly closeScore: number
  /** Beginnings of follow-up questions, in lower case. */
  readonly followUps: readonly string[]
  /** How like the text each topic of the index is by its meaning (EB5). @default not known */
  readonly likeness?: Float64Array | undefined
}

/** Topics that are looked at for one question. */
const LOOKED_AT = 4
/** A follow-up question has at most this many words, its beginning included. */
const FOLLOW_UP_WORDS = 5

/** Decides how to answer a visitor's message. Pure: the same index, memory and text give the same decision. */
export function decide(index: TopicIndex, memory: Memory, text: string, rules: DecisionRules): Decision {
  if (text.trim() === '') return { type: 'silence' }
  const matches = index.search(text, LOOKED_AT, rules.likeness)
  const meant = choiceOf(index, memory, text)
  if (meant !== null) return answer(meant, matches, false)
  const [first, second] = matches
  if (first === undefined) return { type: 'unknown', near: [] }
  if (first.confidence >= rules.minConfidence) {
    const close = second !== undefined && first.score - second.score <= rules.closeScore
    if (!close || second.confidence < rules.minConfidence) return answer(first, matches, false)
    // Asked the same again, the better one answers: nobody is asked back twice about one question.
    if (memory.asked.includes(first.topic.name) && memory.asked.includes(second.topic.name)) {
      return answer(first, matches, false)
    }
    return { type: 'clarify', first, second }
  }
  const followed = followedTopic(index, memory, text, rules)
  if (followed !== null) return answer({ topic: followed, confidence: first.confidence }, matches, true)
  return { type: 'unknown', near: matches }
}

function answer(
  match: Pick<TopicMatch, 'topic' | 'confidence'>,
  matches: readonly TopicMatch[],
  followUp: boolean,
): Decision {
  const near = matches.filter(other => other.topic.name !== match.topic.name)
  return { type: 'answer', topic: match.topic, confidence: match.confidence, followUp, near }
}

/** The topic among those asked back about whose name alone shares words with the visitor's reply. */
function choiceOf(
  index: TopicIndex,
  memory: Memory,
  text: string,
): Pick<TopicMatch, 'topic' | 'confidence'> | null {
  const said = new Set(words(text))
  if (said.size > FOLLOW_UP_WORDS) return null
  const shared = memory.asked.map(name => {
    const others = new Set(memory.asked.filter(other => other !== name).flatMap(words))
    return { name, count: words(name).filter(word => said.has(word) && !others.has(word)).length }
  })
  const named = shared.filter(one => one.count > 0)
  const topic = named.length === 1 ? index.topic(named[0]?.name ?? '') : null
  return topic === null ? null : { topic, confidence: 1 }
}

/** The last answer's topic, when the text is a short question that goes on about it. */
function followedTopic(
  index: TopicIndex,
  memory: Memory,
  text: string,
  rules: DecisionRules,
): TopicMatch['topic'] | null {
  const topic = memory.topic === null ? null : index.topic(memory.topic)
  const asked = words(text)
  if (topic === null || asked.length === 0 || asked.length > FOLLOW_UP_WORDS) return null
  const line = `${asked.join(' ')} `
  const begins = rules.followUps.some(beginning => line.startsWith(`${words(beginning).join(' ')} `))
  return begins || index.touches(topic.name, text) ? topic : null
}
