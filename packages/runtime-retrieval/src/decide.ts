import type { Memory } from '@colloquy/core/runtime'
import { replied } from './asked-back.ts'
import { severalAnswers, sureAnswer } from './clear-question.ts'
import { CANDIDATES, type Case, type Decision, type DecisionRules, EXACT } from './decision.ts'
import { continued, followed, referred } from './follow-up.ts'
import { words } from './index/words.ts'
import { isEvident } from './is-evident.ts'
import type { Knowledge } from './knowledge.ts'
import { reworded } from './reworded.ts'
import { createSearch } from './search.ts'
import { corrected, foreignSmallTalk, person, smallTalk } from './small-talk.ts'
import { askBack, keyword, secondSearch } from './unclear-question.ts'

/**
 * Confidence from which a topic answers that was found by related words. Chosen on one half of `bench/questions`, and
 * on questions of CLINC150 that no topic covers.
 */
const RELATED_CONFIDENCE = 0.95

/**
 * Decides how to answer a visitor's message, by related words if by its own there is no answer (RT39). Pure: the same
 * knowledge, memory and text give the same decision.
 */
export function decide(knowledge: Knowledge, memory: Memory, text: string, rules: DecisionRules): Decision {
  const decision = decideAs(knowledge, memory, text, rules)
  const asksAboutOne = decision.type === 'clarify' && decision.about.length === 1
  if (decision.type !== 'unknown' && !asksAboutOne) return decision
  const other = reworded(text, knowledge.index, rules.wording.related)
  if (other === null) return decision
  const second = decideAs(knowledge, memory, other, {
    ...rules,
    minConfidence: Math.max(rules.minConfidence, RELATED_CONFIDENCE),
  })
  const isBetter = second.type === 'answer' || (second.type === 'clarify' && decision.type === 'unknown')
  return isBetter ? second : decision
}

function decideAs(knowledge: Knowledge, memory: Memory, text: string, rules: DecisionRules): Decision {
  if (text.trim() === '') return { type: 'silence' }
  const matches = knowledge.index.search(text, CANDIDATES, {
    likeness: rules.likeness,
    commonWords: rules.wording.commonWords,
  })
  const found: Case = {
    knowledge,
    memory,
    text,
    asked: words(text),
    matches,
    rules,
    search: createSearch(knowledge, rules.wording),
  }
  const confidence = matches[0]?.confidence ?? 0
  // Common words are no evidence for a topic.
  const tells = confidence >= EXACT || found.asked.some(word => !rules.wording.commonWords.has(word))
  const sure = tells && confidence >= rules.minConfidence && isEvident(found)
  return (
    replied(found) ??
    (confidence < EXACT ? corrected(found) : null) ??
    (sure ? null : smallTalk(found)) ??
    referred(found) ??
    continued(found) ??
    severalAnswers(found) ??
    (sure ? sureAnswer(found, matches) : null) ??
    person(found) ??
    followed(found) ??
    secondSearch(found) ??
    keyword(found) ??
    foreignSmallTalk(found) ??
    (tells ? askBack(found) : null) ?? { type: 'unknown', near: matches }
  )
}
