import { buildFeatureSpace } from './features.ts'
import { type TrainingSet, trainMachines } from './linear-model.ts'
import { trainNaiveBayes } from './naive-bayes.ts'
import { sentences } from './passages.ts'
import { createWordIndexBuilder } from './word-index.ts'
import { words } from './words.ts'

/** What a classifier needs to know of a topic. */
export interface TopicTexts {
  readonly name: string
  readonly content: string
  readonly exampleQueries: readonly string[]
}

/** Writes down a score for every topic: about 1 when it surely answers the question, about -1 when it does not. */
export type Classifier = (question: string, scores: Float64Array) => void

/** Topics × characters of examples up to which machines are trained: about a second of work. */
const MOST_WORK = 25_000_000
/** Topics up to which machines are trained; bounds the memory of their weights. */
const MOST_TOPICS = 400
/** Sentences of a topic's content that stand in for missing example queries. */
const MOST_SENTENCES = 8
/**
 * How much the likelihoods of naive Bayes count beside the machines' scores. They know better than those among topics
 * with few examples; the likeliest topic keeps its score, so that the scores mean the same as without them.
 */
const BAYES_WEIGHT = 0.06
/** Examples of nothing at all, so that a question without known words belongs to no topic. */
const EMPTY_EXAMPLES = 20

/**
 * Learns from names and example queries; a topic without example queries is learnt from the sentences of its content.
 */
export function* buildClassifier(topics: readonly TopicTexts[]): Generator<void, Classifier> {
  const examples: (readonly string[])[] = []
  let characters = 0
  for (const topic of topics) {
    const list = examplesOf(topic)
    examples.push(list)
    for (const example of list) characters += example.length
    yield
  }
  if (topics.length > MOST_TOPICS || topics.length * characters > MOST_WORK) return yield* byWords(examples)
  const space = yield* buildFeatureSpace(examples.flat())
  const nothing = Array.from({ length: EMPTY_EXAMPLES }, () => space.vector(''))
  const classes = examples.flatMap((list, topic) => list.map(() => topic))
  const set: TrainingSet = {
    vectors: [...space.vectors, ...nothing],
    classes: Int32Array.from([...classes, ...nothing.map(() => -1)]),
    classCount: topics.length,
    featureCount: space.size,
  }
  const machines = yield* trainMachines(set)
  const bayes = yield* trainNaiveBayes(set)
  return (question, scores) => {
    const vector = space.vector(question)
    const likelihoods = bayes(vector)
    scores.set(machines(vector).map((score, topic) => score + BAYES_WEIGHT * (likelihoods[topic] ?? 0)))
  }
}

/**
 * The texts that a topic is learnt from: its name, then its example queries, or else the first sentences of its
 * content.
 */
export function examplesOf(topic: TopicTexts): readonly string[] {
  if (topic.exampleQueries.length > 0) return [topic.name, ...topic.exampleQueries]
  return [topic.name, ...sentences(topic.content, MOST_SENTENCES)]
}

/** For knowledge bases too large to train on: what share of the question a topic's examples cover. */
function* byWords(examples: readonly (readonly string[])[]): Generator<void, Classifier> {
  const builder = createWordIndexBuilder()
  for (const list of examples) {
    builder.add(words(list.join('\n')))
    yield
  }
  const index = yield* builder.build()
  return (question, scores) => {
    scores.fill(-1)
    index.addCoverage(scores, words(question), 2)
  }
}
