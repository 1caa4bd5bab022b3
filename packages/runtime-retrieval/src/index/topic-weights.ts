import { GrowingList } from './growing-list.ts'
import { ngrams, words } from './words.ts'

/** Adds to each topic's score how well a question fits what the topic was learnt from: from 0 to about 1.5. */
export type TopicWeights = (question: string, scores: Float64Array) => void

/** How much the parts of words count beside the words. */
const PARTS_WEIGHT = 1.1
/** Weights that a question adds up at most, those of its rarest features: a fraction of a millisecond. */
const MOST_ADDED = 150_000
/** Weights that are added up in refining, all passes together: some tenths of a second. */
const MOST_REFINED = 100_000_000
/** Most passes over all texts in refining, how far a topic should be ahead, and the most by which a weight is moved. */
const PASSES = 10
const AHEAD = 0.5
const MOVE = 0.04
/** Texts, and features, that are looked at in one step. */
const TEXTS_A_STEP = 32
const FEATURES_A_STEP = 4_096

/** A word of a text and its parts; -1 for what no topic has. */
interface Term {
  readonly word: number
  readonly parts: Iterable<number>
}

/**
 * The features of texts: words, parts of words, and neighbours. Words have even numbers, parts odd ones, and pairs of
 * neighbours the numbers behind them, which some of them share.
 */
class Features {
  readonly words = new Map<string, number>()
  readonly #parts = new Map<string, number>()
  /** By word: its parts. */
  readonly #partsOf: Int32Array[] = []

  /** The first number of pairs. */
  get pairs(): number {
    return 2 * Math.max(this.words.size, this.#parts.size)
  }

  /** The number of a word, which is made known. */
  learn(word: string): number {
    const known = this.words.get(word)
    if (known !== undefined) return known
    const number = this.words.size
    this.words.set(word, number)
    const parts = ngrams(word).map(part => {
      const seen = this.#parts.get(part)
      if (seen !== undefined) return seen
      this.#parts.set(part, this.#parts.size)
      return this.#parts.size - 1
    })
    this.#partsOf.push(Int32Array.from(parts))
    return number
  }

  partsOf(number: number): Int32Array {
    return this.#partsOf[number] ?? NONE
  }

  /** The features of a question; -1 is one that no topic has. */
  *of(list: readonly string[]): Generator<Term> {
    for (const [at, word] of list.entries()) {
      const number = this.words.get(word) ?? -1
      const parts = number < 0 ? ngrams(word).map(part => this.#parts.get(part) ?? -1) : this.partsOf(number)
      yield { word: number, parts }
      // "check out" for "checkout".
      const joined = at > 0 ? this.words.get(`${list[at - 1]}${word}`) : undefined
      if (joined !== undefined) yield { word: joined, parts: [] }
    }
  }
}

const NONE = new Int32Array()

/** A text that a topic is learnt from, and how much it counts. */
export interface LearntText {
  readonly text: string
  readonly weight: number
}

/** Distinct features of a text and how much each counts in it. */
interface Vector {
  readonly ids: readonly number[]
  readonly values: readonly number[]
}

/** Postings: by feature, the topics that have it, ascending, with their weights. */
interface Postings {
  readonly starts: Int32Array
  readonly topics: Int32Array
  readonly weights: Float32Array
}

/**
 * Learns which words and parts of words speak for which topic, from the texts of each topic: a topic's weights are those
 * of its texts in the middle, and refined so that each text finds its own topic first. The same for one topic and for
 * any number of them, but that refining stops where it would take long.
 */
export function* buildTopicWeights(topics: Iterable<readonly LearntText[]>): Generator<void, TopicWeights> {
  const features = new Features()
  /** The words of all texts, one after the other; where each text begins, and whose it is. */
  const list = new GrowingList()
  const starts = new GrowingList()
  const owners = new GrowingList()
  const amounts = new GrowingList()
  let topicCount = 0
  for (const texts of topics) {
    for (const { text, weight } of texts) {
      starts.push(list.length)
      amounts.push(Math.round(weight * 100))
      owners.push(topicCount)
      for (const word of words(text)) list.push(features.learn(word))
    }
    topicCount += 1
    yield
  }
  const textCount = owners.length
  starts.push(list.length)
  const size = features.pairs + pairNumbers(list.length)
  const termsOf = (text: number): readonly Term[] =>
    Array.from({ length: starts.at(text + 1) - starts.at(text) }, (_, at) => {
      const word = list.at(starts.at(text) + at)
      return { word, parts: features.partsOf(word) }
    })
  const count = createCounter(features.pairs, size)
  const having = new Int32Array(size)
  for (let text = 0; text < textCount; text += 1) {
    for (const id of count(termsOf(text)).ids) having[id] = (having[id] ?? 0) + 1
    if (text % TEXTS_A_STEP === 0) yield
  }
  const rarity = Float32Array.from(having, one => Math.log((1 + textCount) / (1 + one)) + 1)
  const weigh = createWeighing(features.pairs, rarity, Math.log(1 + textCount) + 1)
  const vectorOf = (text: number): Vector => weigh(count(termsOf(text)))
  const postings = yield* middles({ size, textCount, owners, amounts, vectorOf })
  const cost = having.reduce(
    (sum, one, id) => sum + one * ((postings.starts[id + 1] ?? 0) - (postings.starts[id] ?? 0)),
    textCount * topicCount,
  )
  const passes = Math.min(PASSES, Math.floor(MOST_REFINED / cost))
  yield* refine(postings, { topics: topicCount, passes }, { textCount, owners, amounts, vectorOf })
  return (question, scores) => {
    const { ids, values } = weigh(count(features.of(words(question))))
    const { starts } = postings
    const length = (id: number): number => (starts[id + 1] ?? 0) - (starts[id] ?? 0)
    const order = ids.map((_, at) => at).sort((a, b) => length(ids[a] ?? 0) - length(ids[b] ?? 0))
    let left = MOST_ADDED
    for (const at of order) {
      const id = ids[at] ?? 0
      left -= length(id)
      if (left < 0 && at !== order[0]) break
      addWeights(scores, postings, id, values[at] ?? 0)
    }
  }
}

/** How many numbers pairs have: a power of two. */
const pairNumbers = (words: number): number => 2 ** Math.min(19, Math.ceil(Math.log2(words + 2)))

/** Distinct features and how often each comes; of unknown words and parts only how many there are. */
interface Counted {
  readonly ids: readonly number[]
  readonly times: readonly number[]
  readonly unknown: readonly [words: number, parts: number]
}

/** Counts the features of one text at a time. */
function createCounter(pairs: number, size: number): (terms: Iterable<Term>) => Counted {
  const times = new Int32Array(size)
  return terms => {
    const ids: number[] = []
    const unknown: [number, number] = [0, 0]
    const add = (id: number): void => {
      if (times[id] === 0) ids.push(id)
      times[id] = (times[id] ?? 0) + 1
    }
    let before = -1
    for (const { word, parts } of terms) {
      if (word < 0) unknown[0] += 1
      else {
        add(2 * word)
        if (before >= 0)
          add(
            pairs + (((Math.imul(before, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b)) >>> 7) % (size - pairs)),
          )
      }
      before = word
      for (const part of parts) {
        if (part < 0) unknown[1] += 1
        else add(2 * part + 1)
      }
    }
    const counted = { ids, times: ids.map(id => times[id] ?? 0), unknown }
    for (const id of ids) times[id] = 0
    return counted
  }
}

/** Makes vectors of which words and pairs together count 1 and the parts `PARTS_WEIGHT`, unknown ones included. */
function createWeighing(pairs: number, rarity: Float32Array, rarest: number): (counted: Counted) => Vector {
  return ({ ids, times, unknown }) => {
    const squares = unknown.map(number => number * rarest * rarest)
    const blockOf = (id: number): number => (id < pairs ? id & 1 : 0)
    const values = ids.map((id, at) => {
      const value = (1 + Math.log(times[at] ?? 1)) * (rarity[id] ?? 0)
      squares[blockOf(id)] = (squares[blockOf(id)] ?? 0) + value * value
      return value
    })
    const scales = [1 / Math.sqrt(squares[0] || 1), PARTS_WEIGHT / Math.sqrt(squares[1] || 1)]
    return { ids, values: values.map((value, at) => value * (scales[blockOf(ids[at] ?? 0)] ?? 0)) }
  }
}

/** The texts that are learnt from. */
interface Learnt {
  readonly textCount: number
  readonly owners: GrowingList
  /** How much each text counts, in hundredths. */
  readonly amounts: GrowingList
  vectorOf(text: number): Vector
}

/** The middle of each topic's texts, one long. */
function* middles({
  size,
  textCount,
  owners,
  amounts,
  vectorOf,
}: Learnt & { readonly size: number }): Generator<void, Postings> {
  const sums = new Float64Array(size)
  const having = new Int32Array(size + 1)
  const pairs = new GrowingList()
  const shares = new GrowingList()
  const ends = new GrowingList()
  let touched: number[] = []
  for (let text = 0; text < textCount; text += 1) {
    const { ids, values } = vectorOf(text)
    for (const [at, id] of ids.entries()) {
      if (sums[id] === 0) touched.push(id)
      sums[id] = (sums[id] ?? 0) + ((values[at] ?? 0) * amounts.at(text)) / 100
    }
    if (text + 1 === textCount || owners.at(text + 1) !== owners.at(text)) {
      const length = touched.reduce((sum, id) => sum + shape(sums[id] ?? 0) ** 2, 0) || 1
      for (const id of touched) {
        pairs.push(id)
        shares.push(Math.round((shape(sums[id] ?? 0) / Math.sqrt(length)) * PRECISION))
        having[id + 1] = (having[id + 1] ?? 0) + 1
        sums[id] = 0
      }
      ends.push(pairs.length)
      touched = []
    }
    if (text % TEXTS_A_STEP === 0) yield
  }
  const starts = having
  for (let id = 0; id < size; id += 1) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0)
  const next = starts.slice()
  const topics = new Int32Array(pairs.length)
  const weights = new Float32Array(pairs.length)
  let owner = 0
  for (let pair = 0; pair < pairs.length; pair += 1) {
    while (ends.at(owner) <= pair) owner += 1
    const id = pairs.at(pair)
    const entry = next[id] ?? 0
    next[id] = entry + 1
    topics[entry] = owner
    weights[entry] = shares.at(pair) / PRECISION
    if (pair % FEATURES_A_STEP === 0) yield
  }
  return { starts, topics, weights }
}

/** Weights are kept as whole numbers of this part while they are collected. */
const PRECISION = 2 ** 24

/** How much a topic's texts together say of a feature: saying it again adds less and less. */
const shape = (sum: number): number => Math.log(1 + sum / 0.3)

/** Moves weights until each text finds its own topic well ahead of all others (a perceptron with a margin). */
function* refine(
  postings: Postings,
  { topics: count, passes }: { readonly topics: number; readonly passes: number },
  { textCount, owners, vectorOf }: Learnt,
): Generator<void, void> {
  const order = mixedOrder(textCount)
  const scores = new Float64Array(count)
  for (let pass = 0; pass < passes; pass += 1) {
    let moved = false
    for (const text of order) {
      const { ids, values } = vectorOf(text)
      scores.fill(0)
      for (const [at, id] of ids.entries()) addWeights(scores, postings, id, values[at] ?? 0)
      yield
      const own = owners.at(text)
      const other = bestBut(scores, own)
      const lack = AHEAD - ((scores[own] ?? 0) - (scores[other] ?? 0))
      if (other < 0 || lack <= 0) continue
      moved = true
      const step = Math.min(MOVE, lack / 2)
      for (const [at, id] of ids.entries()) {
        move(postings, id, own, step * (values[at] ?? 0))
        move(postings, id, other, -step * (values[at] ?? 0))
      }
    }
    if (!moved) return
  }
}

/** Adds the weights of a feature to the scores of the topics that have it, times `value`. */
function addWeights(
  scores: Float64Array,
  { starts, topics, weights }: Postings,
  id: number,
  value: number,
): void {
  const end = starts[id + 1] ?? 0
  for (let entry = starts[id] ?? 0; entry < end; entry += 1) {
    const topic = topics[entry] ?? 0
    scores[topic] = (scores[topic] ?? 0) + value * (weights[entry] ?? 0)
  }
}

function bestBut(scores: Float64Array, but: number): number {
  let best = -1
  for (let topic = 0; topic < scores.length; topic += 1) {
    if (topic !== but && (best < 0 || (scores[topic] ?? 0) > (scores[best] ?? 0))) best = topic
  }
  return best
}

/** Moves the weight of a feature for a topic that has it. */
function move({ starts, topics, weights }: Postings, id: number, topic: number, by: number): void {
  let low = starts[id] ?? 0
  const end = starts[id + 1] ?? 0
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if ((topics[middle] ?? 0) < topic) low = middle + 1
    else high = middle
  }
  if (low < end && topics[low] === topic) weights[low] = (weights[low] ?? 0) + by
}

/** All numbers below `count` in a fixed order that mixes them, so that no topic comes as one block. */
function mixedOrder(count: number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, index) => index)
  let seed = 12_345
  for (let index = count - 1; index > 0; index -= 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    const other = seed % (index + 1)
    const held = order[index] ?? 0
    order[index] = order[other] ?? 0
    order[other] = held
  }
  return order
}
