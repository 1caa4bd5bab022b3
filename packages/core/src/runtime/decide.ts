import { actionsOf } from './expansions.ts'
import type { TopicMatch } from './index/topic-index.ts'
import { words } from './index/words.ts'
import type { Knowledge } from './knowledge.ts'
import type { Memory } from './memory.ts'
import { asksForAspect, asksForPerson, questionsIn, subjectOf } from './subject.ts'
import { isOneOf, lengthAt, type Wording } from './wording.ts'

/** A topic that is to answer. `followUp`: because the topic before is still spoken of. */
export interface Answering {
  readonly topic: TopicMatch['topic']
  readonly confidence: number
  readonly followUp: boolean
}

/** How a message is to be answered. `near` are further topics that fit somewhat, best first. */
export type Decision =
  | { readonly type: 'silence' }
  | { readonly type: 'small_talk'; readonly says: string }
  /** What was offered or asked back about is not wanted, or the answer before was wrong. */
  | { readonly type: 'declined' | 'misunderstood' }
  /** A person is asked for. */
  | { readonly type: 'person'; readonly near: readonly TopicMatch[] }
  | { readonly type: 'unknown'; readonly near: readonly TopicMatch[] }
  /** One or two topics to ask back about. */
  | { readonly type: 'clarify'; readonly about: readonly TopicMatch['topic'][]; readonly confidence: number }
  | { readonly type: 'answer'; readonly answers: readonly Answering[]; readonly near: readonly TopicMatch[] }

/** How a decision is made. */
export interface DecisionRules {
  /** Confidence from which a topic answers. */
  readonly minConfidence: number
  /** Two topics whose scores are no further apart than this are close. */
  readonly closeScore: number
  /** How like the text each topic of the index is by its meaning (EB5). @default not known */
  readonly likeness?: Float64Array | undefined
  readonly wording: Wording
}

/** One message, and what it is decided by. */
interface Case {
  readonly knowledge: Knowledge
  readonly memory: Memory
  readonly text: string
  readonly asked: readonly string[]
  readonly matches: readonly TopicMatch[]
  readonly rules: DecisionRules
}

/** Topics that are looked at for one question. */
const LOOKED_AT = 4
/** A question that only shares words with the topic before goes on about it up to so many words. */
const FOLLOW_UP_WORDS = 7
/** The same of a question that begins as a follow-up does, or names no subject. */
const LONG_FOLLOW_UP_WORDS = 10
/** Confidence of a question that is a topic's name or example, at least. */
const EXACT = 0.999_99
/** A question for an aspect of what is spoken of has at most this many words when nothing in it refers to that: "what's the price?" */
const ASPECT_WORDS = 3
/** Confidence from which another topic is preferred to the one that is spoken of. */
const LIKELIER = 0.9
/** Share of the confidence that a topic needs to answer from which it is worth asking back about. */
const WORTH_ASKING = 0.85
/** Shorter words name no topic by themselves, and of a long message no more than so many are looked at. */
const KEYWORD_LENGTH = 4
const MOST_KEYWORDS = 8
/** Questions of one message that are answered. */
const MOST_ANSWERS = 3

const SENTENCE_ENDS = /[.?!;\n]+/
const CLAUSE_ENDS = /[.?!;,:\n–—()]+/

/** Decides how to answer a visitor's message. Pure: the same knowledge, memory and text give the same decision. */
export function decide(knowledge: Knowledge, memory: Memory, text: string, rules: DecisionRules): Decision {
  if (text.trim() === '') return { type: 'silence' }
  const matches = knowledge.index.search(text, LOOKED_AT, rules.likeness)
  const found: Case = { knowledge, memory, text, asked: words(text), matches, rules }
  const confidence = matches[0]?.confidence ?? 0
  // Words that any message has are no reason to believe a topic.
  const tells = confidence >= EXACT || found.asked.some(word => !rules.wording.commonWords.has(word))
  const sure = tells && confidence >= rules.minConfidence
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
    secondLook(found) ??
    keyword(found) ??
    (tells ? askBack(found) : null) ?? { type: 'unknown', near: matches }
  )
}

function answer(
  { matches }: Pick<Case, 'matches'>,
  ...answers: readonly [Answering, ...Answering[]]
): Extract<Decision, { type: 'answer' }> {
  const names = answers.map(({ topic }) => topic.name)
  return { type: 'answer', answers, near: matches.filter(({ topic }) => !names.includes(topic.name)) }
}

const answering = ({ topic, confidence }: Pick<TopicMatch, 'topic' | 'confidence'>): Answering => ({
  topic,
  confidence,
  followUp: false,
})

const callsFunction = ({ topic }: Pick<TopicMatch, 'topic'>): boolean =>
  actionsOf(topic.actions).some(({ type }) => type === 'function')

const handsOff = ({ topic }: Pick<TopicMatch, 'topic'>): boolean =>
  actionsOf(topic.actions).some(({ type }) => type === 'handoff')

/** The reply to what was asked back or offered in the turn before; null when the message is something else (RT16, RT34). */
function replied(found: Case): Decision | null {
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

/** The topic whose name alone shares words with the visitor's reply. */
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

/** A message that asks for a person and for nothing else (RT40). */
const person = ({ asked, matches, rules }: Case): Decision | null =>
  asksForPerson(asked, rules.wording) ? { type: 'person', near: matches } : null

/** The word that the answer before was wrong; null for other messages (RT35). */
function corrected({ asked, rules }: Case): Decision | null {
  const { corrections, fillers, no } = rules.wording
  return isOneOf(asked, corrections, [...fillers, ...no]) ? { type: 'misunderstood' } : null
}

/** Greetings, thanks and the like, and signs alone; null for other messages (RT35). */
function smallTalk({ asked, rules }: Case): Decision | null {
  const { phrases, smallTalk: kinds, fillers } = rules.wording
  if (asked.length === 0) return { type: 'small_talk', says: phrases.silence }
  let last: { readonly kind: number; readonly says: string } | null = null
  for (let at = 0; at < asked.length; ) {
    const lengths = kinds.map(({ to }) => lengthAt(asked, at, to))
    const length = Math.max(0, ...lengths)
    const step = length > 0 ? length : lengthAt(asked, at, fillers)
    if (step === 0) return null
    at += step
    // The last kind that it holds: "Hello, how are you?", "Bye and thanks".
    const kind = length > 0 ? lengths.lastIndexOf(length) : -1
    const says = kinds[kind]?.says
    if (says !== undefined && kind > (last?.kind ?? -1)) last = { kind, says }
  }
  return last === null ? null : { type: 'small_talk', says: last.says }
}

/** A short question that speaks of what was spoken of before and names nothing else: "when does it close?" (RT17). */
function referred(found: Case): Decision | null {
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

/** A short question all of whose subject the topic before speaks of, while no other topic is far likelier: "do you do vegan?" (RT17). */
function continued(found: Case): Decision | null {
  const { knowledge, asked, matches, rules } = found
  const topic = topicBefore(found, FOLLOW_UP_WORDS)
  const confidence = matches[0]?.confidence ?? 0
  if (topic === null || confidence >= LIKELIER || matches[0]?.topic.name === topic.name) return null
  const subject = subjectOf(asked, rules.wording)
  if (subject.length === 0 || !subject.every(word => knowledge.index.touches(topic.name, word))) return null
  return answer(found, { topic, confidence, followUp: true })
}

/** The last answer's topic, when the message is short enough to go on about it. */
function topicBefore({ knowledge, memory, asked }: Case, most: number): TopicMatch['topic'] | null {
  if (memory.topic === null || asked.length === 0 || asked.length > most) return null
  return knowledge.index.topic(memory.topic)
}

/** Several questions in one message, each of which a topic of its own clearly answers; functions are called for none of them (RT36). */
function severalAnswers(found: Case): Decision | null {
  const { knowledge, text, matches, rules } = found
  if ((matches[0]?.confidence ?? 0) >= EXACT) return null
  const questions = questionsIn(text, SENTENCE_ENDS, rules.wording)
  if (questions.length < 2) return null
  const clear = (1 + rules.minConfidence) / 2
  const byName = new Map<string, Answering>()
  for (const question of questions) {
    const [best] = knowledge.index.search(question.join(' '), 1)
    if (best !== undefined && best.confidence >= clear && !byName.has(best.topic.name)) {
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

/** The answer of a topic that fits; two that are close are asked back about, and one that would act without being clearly meant (RT16, RT37). */
function sureAnswer(found: Case, [first, second]: readonly TopicMatch[]): Decision | null {
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
  // Asked the same again, the better one answers: nobody is asked back twice about one question.
  if (close && !(wasAsked(first) && wasAsked(second))) {
    return { type: 'clarify', about: [first.topic, second.topic], confidence: first.confidence }
  }
  if (!clear && (callsFunction(first) || handsOff(first))) {
    return { type: 'clarify', about: [first.topic], confidence: first.confidence }
  }
  return answer(found, answering(first))
}

/** A short question that no topic fits for sure, and that goes on about the one before (RT17). */
function followed(found: Case): Decision | null {
  const { knowledge, asked, matches, rules } = found
  const topic = topicBefore(found, LONG_FOLLOW_UP_WORDS)
  if (topic === null) return null
  const { followUps } = rules.wording
  const subject = subjectOf(asked, rules.wording).join(' ')
  const begins = lengthAt(asked, 0, followUps) > 0
  const bare = asked.length > 1 && !asked.some(word => /^\d/.test(word))
  const touches = (): boolean =>
    (begins || asked.length <= FOLLOW_UP_WORDS) && knowledge.index.touches(topic.name, subject)
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

/** Looks again with typing errors corrected, then at each clause alone; null when no topic fits then either (RT38). */
function secondLook(found: Case): Decision | null {
  const { knowledge, text, rules } = found
  const corrected = knowledge.correct(text)
  if (corrected !== null) {
    const matches = knowledge.index.search(corrected, LOOKED_AT)
    if ((matches[0]?.confidence ?? 0) >= rules.minConfidence) {
      return sureAnswer({ ...found, matches }, matches)
    }
  }
  const clauses = questionsIn(text, CLAUSE_ENDS, rules.wording)
  if (clauses.length < 2) return null
  const looked = clauses.map(clause => knowledge.index.search(clause.join(' '), LOOKED_AT))
  const [best] = looked.sort((a, b) => (b[0]?.confidence ?? 0) - (a[0]?.confidence ?? 0))
  if (best === undefined || (best[0]?.confidence ?? 0) < rules.minConfidence) return null
  return sureAnswer({ ...found, matches: best }, best)
}

/** Asks back about the topics, at most two, that single words of a message clearly name (RT39). */
function keyword({ knowledge, memory, asked, rules }: Case): Decision | null {
  const subject = subjectOf(asked, rules.wording).filter(word => word.length >= KEYWORD_LENGTH)
  const named = subject.slice(0, MOST_KEYWORDS).flatMap(word => {
    const matches = knowledge.index.search(word, LOOKED_AT)
    const names = matches.map(({ topic }) => topic.name)
    // A word that many topics have names none of them.
    const having = knowledge.index.coverage(word, names).filter(share => share > 0).length
    return having > 2 ? [] : matches.slice(0, 1)
  })
  const clear = named
    .filter(({ topic, confidence }) => confidence >= LIKELIER && !memory.asked.includes(topic.name))
    .sort((a, b) => b.confidence - a.confidence)
  const about = [...new Set(clear.map(({ topic }) => topic))].slice(0, 2)
  return about.length === 0 ? null : { type: 'clarify', about, confidence: clear[0]?.confidence ?? 0 }
}

/** Asks back about a topic that nearly fits, once (RT39). */
function askBack({ memory, matches: [first], rules }: Case): Decision | null {
  if (first === undefined || first.confidence < WORTH_ASKING * rules.minConfidence) return null
  if (memory.asked.includes(first.topic.name)) return null
  return { type: 'clarify', about: [first.topic], confidence: first.confidence }
}
