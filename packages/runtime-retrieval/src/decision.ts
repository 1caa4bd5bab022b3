import type { Memory } from '@colloquy/core/runtime'
import { actionsOf } from '@colloquy/core/runtime'
import type { TopicMatch } from './index/topic-index.ts'
import type { Knowledge } from './knowledge.ts'
import type { Search } from './search.ts'
import type { Wording } from './wording.ts'

/** A topic that answers. `followUp`: the message goes on about the topic before. */
export interface Answering {
  readonly topic: TopicMatch['topic']
  readonly confidence: number
  readonly followUp: boolean
}

/** The decision for a message. `near` are further topics that fit somewhat, best first. */
export type Decision =
  | { readonly type: 'silence' }
  | { readonly type: 'small_talk'; readonly says: string }
  /** The visitor declines an offer or a question back, or says that the last answer was wrong. */
  | { readonly type: 'declined' | 'misunderstood' }
  /** The visitor asks for a person. */
  | { readonly type: 'person'; readonly near: readonly TopicMatch[] }
  | { readonly type: 'unknown'; readonly near: readonly TopicMatch[] }
  /** One or two topics to ask back about. */
  | { readonly type: 'clarify'; readonly about: readonly TopicMatch['topic'][]; readonly confidence: number }
  | { readonly type: 'answer'; readonly answers: readonly Answering[]; readonly near: readonly TopicMatch[] }

/** Options of a decision. */
export interface DecisionRules {
  /** Confidence from which a topic answers. */
  readonly minConfidence: number
  /** Two topics are close when their scores differ by at most this. */
  readonly closeScore: number
  /** The similarity in meaning of each topic to the text (EB1). @default not known */
  readonly likeness?: Float64Array | undefined
  readonly wording: Wording
  /** Other languages, in which a visitor may greet. @default none */
  readonly others?: () => readonly Wording[]
}

/** One message, and everything that its decision depends on. */
export interface Case {
  readonly knowledge: Knowledge
  readonly search: Search
  readonly memory: Memory
  readonly text: string
  readonly asked: readonly string[]
  readonly matches: readonly TopicMatch[]
  readonly rules: DecisionRules
}

/** Candidate topics of one question. */
export const CANDIDATES = 4
/** Confidence of a question that is a topic's name or example, at least. */
export const EXACT = 0.999_99
/** Confidence from which another topic is preferred to the current one. */
export const LIKELIER = 0.9
/** A question that only shares words with the topic before counts as a follow-up up to this many words. */
export const FOLLOW_UP_WORDS = 7

/** Returns the decision that these topics answer; other topics that fit somewhat are `near`. */
export function answer(
  { matches }: Pick<Case, 'matches'>,
  ...answers: readonly [Answering, ...Answering[]]
): Extract<Decision, { type: 'answer' }> {
  const names = answers.map(({ topic }) => topic.name)
  return { type: 'answer', answers, near: matches.filter(({ topic }) => !names.includes(topic.name)) }
}

/** A topic that answers a new question. */
export const answering = ({ topic, confidence }: Pick<TopicMatch, 'topic' | 'confidence'>): Answering => ({
  topic,
  confidence,
  followUp: false,
})

/** True for a topic whose actions call a function. */
export const callsFunction = ({ topic }: Pick<TopicMatch, 'topic'>): boolean =>
  actionsOf(topic.actions).some(({ type }) => type === 'function')

/** True for a topic whose actions hand off. */
export const handsOff = ({ topic }: Pick<TopicMatch, 'topic'>): boolean =>
  actionsOf(topic.actions).some(({ type }) => type === 'handoff')
