import type { AgentContent, Background } from '@colloquy/core/runtime'
import { systemBackground } from '@colloquy/core/runtime'
import { nameKeysOf, withoutParticles } from '../word-forms.ts'
import { bestOf } from './best-of.ts'
import { confidenceOf, metBy, telling } from './confidence.ts'
import { createExactTextsBuilder, type ExactTexts } from './exact-texts.ts'
import { sort } from './sort.ts'
import { createTopicWeightsBuilder, type LearntText, type TopicWeights } from './topic-weights.ts'
import { createWordIndexBuilder, type WordIndex } from './word-index.ts'
import { words, wordsOfAll } from './words.ts'

type Topic = AgentContent['topics'][number]

/** A topic that may answer a question. */
export interface TopicMatch {
  readonly topic: Topic
  /** The match score, comparable within one index. */
  readonly score: number
  /** The confidence that this topic answers the question, from 0 to 1. Accept the topic from 0.5 on. */
  readonly confidence: number
}

/** Knowledge about a question in addition to its words. */
export interface KnownOfQuestion {
  /** The likeness of each of the index's topics by its meaning, from -1 to 1 (EB1). @default not known */
  readonly likeness?: Float64Array | undefined
  /** Words that any question in its language has, folded: they count less, and are no evidence. @default none */
  readonly commonWords?: ReadonlySet<string>
}

/**
 * Finds the topics of one revision that answer a question. Fixed once it is built; equal questions get equal answers.
 */
export interface TopicIndex {
  /** The active topics, by name. */
  readonly topics: readonly Topic[]
  /**
   * At most `limit` topics, best first; equally good ones by name. Empty when the question has no words.
   */
  search(question: string, limit: number, known?: KnownOfQuestion): readonly TopicMatch[]
  /** True when the question is the name or an example query of a topic, letter case and signs aside. */
  isExact(question: string): boolean
  /**
   * Returns the weight of the most distinctive word that the question shares with a topic, from 0 to 1. Forms of words
   * and parts of compounds count as well. 0 when they share none.
   */
  telling(topicName: string, question: string): number
  /** The words of all topics. */
  readonly words: Iterable<string>
  /** Returns the number of topics with a word. */
  having(word: string): number
  /** True when a topic's name has a word. */
  isInName(word: string): boolean
  /** Returns a word of a topic's name that is a compound with such an end, or has such a root. */
  nameWordLike(key: string): string | undefined
  /**
   * For each topic named, the share of a text's words that are in its texts, from 0 to 1; words that few topics have
   * count more.
   */
  coverage(text: string, topicNames: readonly string[]): readonly number[]
  topic(name: string): Topic | null
}

/** The largest share that the words of contents add to the classifier's score. */
const CONTENT_WEIGHT = 0.1
/**
 * The weight of similarity in meaning, and the similarity that speaks neither for nor against a topic. Chosen on half
 * of the questions of Banking77 and CLINC150: the largest with which uncovered questions are accepted as seldom as
 * without it (EB1).
 */
const LIKENESS_WEIGHT = 2
const NEUTRAL_LIKENESS = 0.5
/** The score of a question that is a topic's name or one of its example queries, letter case and signs aside. */
const EXACT_SCORE = 4
/** The weight of a topic's name relative to an example, and of a part of its content relative to an example. */
const NAME_WEIGHT = 3
const PART_WEIGHT = 0.4
/** Words of a topic's content that it is learnt from, and those of one part: about a sentence. */
const MOST_LEARNT = 48
const PART = 12
const NO_WORDS: ReadonlySet<string> = new Set()
/** From here on a common word that is in a topic's name tells that topic from others. */
const NAMING = 0.5
/** Matches that are compared, for how far the first stands before the other. */
const RIVALS = 2

/**
 * Builds the index of the active topics beside everything else (IX6); inactive ones do not exist for it.
 * @param background @default that of the process
 */
export function buildTopicIndex(
  topics: readonly Topic[],
  background: Background = systemBackground,
): Promise<TopicIndex> {
  return background.run(build(topics))
}

function* build(all: readonly Topic[]): Generator<void, TopicIndex> {
  const topics = yield* sort(
    all.filter(topic => topic.isActive),
    (a, b) => compareText(a.name, b.name),
  )
  const contentBuilder = createWordIndexBuilder()
  const exactBuilder = createExactTextsBuilder()
  const weightsBuilder = createTopicWeightsBuilder()
  const positions = new Map<string, number>()
  const names = new Set<string>()
  const nameKeys = new Map<string, string>()
  for (const [position, topic] of topics.entries()) {
    positions.set(topic.name, position)
    const [content = [], ...named] = wordsOfAll([topic.content, ...namedTexts(topic)])
    for (const text of named) exactBuilder.add(position, text)
    for (const word of named[0] ?? []) {
      if (!names.has(word)) for (const key of nameKeysOf(word)) nameKeys.set(key, word)
      names.add(word)
    }
    contentBuilder.add([...named.flat(), ...content])
    weightsBuilder.add(learntFrom(named, content))
    yield
  }
  const contents = yield* contentBuilder.build()
  const exact = yield* exactBuilder.build()
  const classify = yield* weightsBuilder.build()
  return createTopicIndex({ topics, positions, names, nameKeys, contents, exact, classify })
}

/** The parts of an index. Topics are sorted by name. */
interface TopicIndexParts {
  readonly topics: readonly Topic[]
  readonly positions: ReadonlyMap<string, number>
  /** The words of their names. */
  readonly names: ReadonlySet<string>
  /** These by the ends of compounds, and by roots. */
  readonly nameKeys: ReadonlyMap<string, string>
  readonly contents: WordIndex
  readonly exact: ExactTexts
  readonly classify: TopicWeights
}

function createTopicIndex(parts: TopicIndexParts): TopicIndex {
  const { topics, positions, names, nameKeys, contents, exact, classify } = parts
  // One for all questions: a large array per question would keep the garbage collector busy. Searches never overlap.
  const scores = new Float64Array(topics.length)
  const topicAt = (name: string): Topic | null => topics[positions.get(name) ?? -1] ?? null
  /** "Late" is common, and names "Late check-out" all the same. */
  const namesFew = (word: string): boolean =>
    names.has(word) && telling(contents, topics.length, word) >= NAMING
  const owners = (asked: readonly string[]): readonly number[] => {
    const line = asked.join(' ')
    return exact.mayHave(asked).filter(position => {
      const topic = topics[position]
      return topic !== undefined && namedTexts(topic).some(text => words(text).join(' ') === line)
    })
  }
  return {
    topics,
    search(question, limit, { likeness, commonWords = NO_WORDS } = {}) {
      const written = topics.length === 0 ? [] : words(question)
      if (written.length === 0) return []
      const asked = written.map(word => withoutParticles(word, one => names.has(one)))
      scores.fill(0)
      const common = new Set(asked.filter(word => commonWords.has(word) && !namesFew(word)))
      const heavy = asked.filter(word => !common.has(word))
      classify(asked, scores, common)
      contents.addCoverage(scores, asked, CONTENT_WEIGHT)
      if (likeness !== undefined) addLikeness(scores, likeness)
      for (const position of owners(written)) scores[position] = EXACT_SCORE
      const best = bestOf(scores, Math.max(limit, RIVALS))
      const scoreAt = (rank: number): number => scores[best[rank] ?? -1] ?? 0
      // No topic is believed more than one that fits better.
      let confidence = 1
      return best.slice(0, limit).flatMap((position, rank) => {
        const topic = topics[position]
        const score = scoreAt(rank)
        if (topic === undefined) return []
        if (score < EXACT_SCORE) {
          const met = metBy(contents, topics.length, {
            ...{ position, name: words(topic.name) },
            asked: heavy.length === 0 ? asked : heavy,
          })
          const like = likeness?.[position]
          // With meanings known, a word alone is little evidence.
          const most = like === undefined ? met.most : 0.2 * met.most + metByMeaning(like)
          const ahead = rank === 0 ? score - scoreAt(1) : 0
          confidence = Math.min(confidence, confidenceOf(ahead, score, { ...met, most }))
        }
        return [{ topic, score, confidence }]
      })
    },
    isExact: question => owners(words(question)).length > 0,
    telling(topicName, question) {
      const position = positions.get(topicName)
      const asked = words(question)
      return position === undefined ? 0 : metBy(contents, topics.length, { position, name: [], asked }).most
    },
    words: contents.words,
    having: contents.having,
    isInName: word => names.has(word),
    nameWordLike: key => nameKeys.get(key),
    coverage(text, topicNames) {
      const asked = words(text)
      return topicNames.map(name => {
        const position = positions.get(name)
        return position === undefined ? 0 : contents.coverageOf(position, asked)
      })
    },
    topic: topicAt,
  }
}

/** Returns the weight of a similarity in meaning as evidence: about 1 for the same meaning, negative when it is low. */
const metByMeaning = (likeness: number): number => 2.4 * (likeness - 0.35)

function addLikeness(scores: Float64Array, likeness: Float64Array): void {
  for (let position = 0; position < scores.length; position += 1) {
    const likes = (likeness[position] ?? NEUTRAL_LIKENESS) - NEUTRAL_LIKENESS
    scores[position] = (scores[position] ?? 0) + LIKENESS_WEIGHT * likes
  }
}

/**
 * Returns the texts from which a topic is learnt: its name, its examples, and the beginning of its content in parts
 * (RT10).
 */
function learntFrom(
  [name = [], ...examples]: readonly (readonly string[])[],
  content: readonly string[],
): readonly LearntText[] {
  const parts = Array.from({ length: Math.ceil(Math.min(content.length, MOST_LEARNT) / PART) }, (_, at) =>
    content.slice(at * PART, (at + 1) * PART),
  )
  return [
    { words: name, weight: NAME_WEIGHT },
    ...examples.map(words => ({ words, weight: 1 })),
    ...parts.map(words => ({ words, weight: examples.length > 0 ? PART_WEIGHT : 1 })),
  ]
}

/** Returns the texts that name a topic: a question that is one of them belongs to it (RT10). */
const namedTexts = (topic: Topic): readonly string[] => [topic.name, ...topic.exampleQueries]

/** Compares by code units: the same on every machine. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
