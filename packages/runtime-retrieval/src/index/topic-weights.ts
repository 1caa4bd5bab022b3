import { FEATURES_A_STEP, FeatureCounter, Vocabulary } from './features.ts'
import { GrowingList } from './growing-list.ts'
import { addWeights, type Postings, SCALE } from './postings.ts'
import { refine } from './refine.ts'

/**
 * Adds to each topic's score how well a question fits what the topic was learnt from: from 0 to about 1.5. `common`
 * words count less.
 */
export type TopicWeights = (
  question: readonly string[],
  scores: Float64Array,
  common: ReadonlySet<string>,
) => void

/** Weights that a question adds up at most, those of its rarest features: a fraction of a millisecond. */
const MOST_ADDED = 60_000
/** Texts that are looked at in one step. */
const TEXTS_A_STEP = 4

/** A text that a topic is learnt from, by its words, and how much it counts. */
export interface LearntText {
  readonly words: readonly string[]
  readonly weight: number
}

/** All texts, one after the other: their words, the start of each, its topic, and its weight. */
interface Texts {
  readonly list: GrowingList
  readonly starts: GrowingList
  readonly owners: GrowingList
  /** In hundredths. */
  readonly amounts: GrowingList
}

/** Collects the texts of the topics, topic by topic, and learns from them. */
export interface TopicWeightsBuilder {
  /** The texts of the next topic. */
  add(texts: readonly LearntText[]): void
  build(): Generator<void, TopicWeights>
}

/**
 * Learns which words and parts of words speak for which topic, from the texts of each topic: a topic's weights are
 * those of its texts in the middle, and refined so that each text finds its own topic first. The same for one topic and
 * for any number of them, but that refining is left out where it would take long.
 */
export function createTopicWeightsBuilder(): TopicWeightsBuilder {
  const vocabulary = new Vocabulary()
  const texts: Texts = {
    list: new GrowingList(),
    starts: new GrowingList(),
    owners: new GrowingList(),
    amounts: new GrowingList(),
  }
  let topics = 0
  return {
    add(learnt) {
      for (const { words, weight } of learnt) {
        texts.starts.push(texts.list.length)
        texts.owners.push(topics)
        texts.amounts.push(Math.round(weight * 100))
        for (const word of words) texts.list.push(vocabulary.learn(word))
      }
      topics += 1
    },
    build: () => build(vocabulary, texts, topics),
  }
}

function* build(vocabulary: Vocabulary, texts: Texts, topics: number): Generator<void, TopicWeights> {
  const { list, starts, owners } = texts
  starts.push(list.length)
  const counter = new FeatureCounter(vocabulary, list.length)
  const having = new Int32Array(counter.size)
  for (let text = 0; text < owners.length; text += 1) {
    counter.countKnown(list, starts.at(text), starts.at(text + 1), false)
    for (let at = 0; at < counter.length; at += 1) {
      const id = counter.ids[at] ?? 0
      having[id] = (having[id] ?? 0) + 1
    }
    counter.clear()
    if (text % TEXTS_A_STEP === 0) yield
  }
  yield* counter.learnRarities(having, owners.length)
  const postings = yield* middles(counter, texts, topics)
  yield* refine({ postings, counter, having, topics, ...texts })
  counter.close()
  return createTopicWeights(counter, postings)
}

/** Apart from the building, which else would stay in memory as long as this. */
function createTopicWeights(counter: FeatureCounter, postings: Postings): TopicWeights {
  const { starts } = postings
  const length = (id: number): number => (starts[id + 1] ?? 0) - (starts[id] ?? 0)
  return (question, scores, common) => {
    counter.count(question, common)
    const order = Array.from({ length: counter.length }, (_, at) => at).sort(
      (a, b) => length(counter.ids[a] ?? 0) - length(counter.ids[b] ?? 0),
    )
    let left = MOST_ADDED
    for (const [rank, at] of order.entries()) {
      const id = counter.ids[at] ?? 0
      left -= length(id)
      if (left < 0 && rank > 0) break
      addWeights(scores, postings, id, counter.values[at] ?? 0)
    }
    counter.clear()
  }
}

/** Returns the weight of a feature over all texts of a topic. Each repetition adds less. */
const shape = (sum: number): number => Math.log(1 + sum / 0.3)

/** Returns the middle of each topic's texts, one long. */
function* middles(
  counter: FeatureCounter,
  { list, starts: begins, owners, amounts }: Texts,
  topics: number,
): Generator<void, Postings> {
  const sums = new Float64Array(counter.size)
  const starts = new Int32Array(counter.size + 1)
  const pairs = new GrowingList()
  const weights = new GrowingList()
  const ends = new GrowingList()
  const touched = new Int32Array(counter.size)
  let touches = 0
  for (let text = 0; text < owners.length; text += 1) {
    counter.countKnown(list, begins.at(text), begins.at(text + 1))
    const amount = amounts.at(text) / 100
    const { ids, values, length } = counter
    for (let at = 0; at < length; at += 1) {
      const id = ids[at] ?? 0
      const sum = sums[id] ?? 0
      if (sum === 0) touched[touches++] = id
      sums[id] = sum + (values[at] ?? 0) * amount
    }
    counter.clear()
    if (text + 1 === owners.length || owners.at(text + 1) !== owners.at(text)) {
      let squares = 0
      for (let at = 0; at < touches; at += 1) {
        const id = touched[at] ?? 0
        const weight = shape(sums[id] ?? 0)
        sums[id] = weight
        squares += weight * weight
      }
      const factor = SCALE / Math.sqrt(squares || 1)
      for (let at = 0; at < touches; at += 1) {
        const id = touched[at] ?? 0
        pairs.push(id)
        weights.push(Math.round((sums[id] ?? 0) * factor))
        starts[id + 1] = (starts[id + 1] ?? 0) + 1
        sums[id] = 0
      }
      ends.push(pairs.length)
      touches = 0
    }
    if (text % TEXTS_A_STEP === 0) yield
  }
  for (let id = 0; id < counter.size; id += 1) {
    starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0)
    if (id % FEATURES_A_STEP === 0) yield
  }
  const next = starts.slice()
  const postings: Postings = {
    starts,
    topics: topics < 2 ** 16 ? new Uint16Array(pairs.length) : new Int32Array(pairs.length),
    weights: new Int16Array(pairs.length),
  }
  let owner = 0
  for (let pair = 0; pair < pairs.length; pair += 1) {
    while (ends.at(owner) <= pair) owner += 1
    const id = pairs.at(pair)
    const entry = next[id] ?? 0
    next[id] = entry + 1
    postings.topics[entry] = owner
    postings.weights[entry] = weights.at(pair)
    if (pair % FEATURES_A_STEP === 0) yield
  }
  return postings
}
