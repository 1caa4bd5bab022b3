import { sureAnswer } from './clear-question.ts'
import { type Case, type Decision, LIKELIER } from './decision.ts'
import { words } from './index/words.ts'
import { isEvident, nameWords, RARE } from './is-evident.ts'
import { questionsIn, subjectOf } from './subject.ts'

/** A topic with this share of the confidence needed to answer is worth asking back about. */
const WORTH_ASKING = 0.85
/** A shorter word alone does not name a topic, and only the first `MOST_KEYWORDS` words of a message are considered. */
const KEYWORD_LENGTH = 4
/** The minimum for words in a topic's name, such as "PUK". */
const SHORTEST_NAME = 3
const MOST_KEYWORDS = 8

const CLAUSE_ENDS = /[.?!;,:\n–—()]+/

/** Searches again with typing errors corrected, then for each clause alone; null when still no topic fits (RT38). */
export function secondSearch(found: Case): Decision | null {
  const { knowledge, text, rules, search } = found
  const corrected = knowledge.correct(text, word => rules.wording.related.has(word))
  if (corrected !== null) {
    const matches = search(words(corrected))
    if ((matches[0]?.confidence ?? 0) >= rules.minConfidence) {
      return sureAnswer({ ...found, matches }, matches)
    }
  }
  const clauses = questionsIn(text, CLAUSE_ENDS, rules.wording)
  if (clauses.length < 2) return null
  const results = clauses.map(search)
  const [best] = results.sort((a, b) => (b[0]?.confidence ?? 0) - (a[0]?.confidence ?? 0))
  if (best === undefined || (best[0]?.confidence ?? 0) < rules.minConfidence) return null
  return sureAnswer({ ...found, matches: best }, best)
}

/**
 * Asks back about the topics, at most two, that single words of a message clearly name (RT38). A word that is in no
 * name counts when the topics have all the others: what else is asked for may be what matters (RT38).
 */
export function keyword({ knowledge, search, memory, asked, rules }: Case): Decision | null {
  const subject = subjectOf(asked, rules.wording)
  const knownAll = subject.every(word => knowledge.index.having(word) > 0)
  const long = subject.filter(word => word.length >= SHORTEST_NAME).slice(0, MOST_KEYWORDS)
  const named = long.flatMap(word => {
    const matches = search([word])
    const inName = matches.filter(
      ({ topic }) =>
        nameWords(topic.name).includes(word) && knowledge.index.telling(topic.name, word) >= RARE,
    )
    if (inName.length > 0) return inName.length > 2 ? [] : inName
    const likely = knownAll && word.length >= KEYWORD_LENGTH && (matches[0]?.confidence ?? 0) >= LIKELIER
    return likely ? matches.slice(0, 1) : []
  })
  const clear = named.filter(({ topic }) => !memory.asked.includes(topic.name))
  const about = [
    ...new Set(clear.sort((a, b) => b.confidence - a.confidence).map(({ topic }) => topic)),
  ].slice(0, 2)
  return about.length === 0 ? null : { type: 'clarify', about, confidence: clear[0]?.confidence ?? 0 }
}

/** Asks back about a topic that nearly fits, or two that are close and together do, once (RT38). */
export function askBack(found: Case): Decision | null {
  const { memory, rules } = found
  const [first, second] = found.matches
  if (first === undefined || !isEvident(found, 'rare')) return null
  const { confidence } = first
  const close = second !== undefined && first.score - second.score <= rules.closeScore
  const both = close && confidence + second.confidence >= rules.minConfidence
  if (!both && confidence < WORTH_ASKING * rules.minConfidence) return null
  const about = both ? [first.topic, second.topic] : [first.topic]
  if (about.some(({ name }) => memory.asked.includes(name))) return null
  return { type: 'clarify', about, confidence }
}
