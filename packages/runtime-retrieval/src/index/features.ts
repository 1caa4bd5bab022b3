import { ngrams, words } from './words.ts'

/** A sparse vector: distinct feature numbers and their values. */
export interface FeatureVector {
  readonly ids: Int32Array
  readonly values: Float32Array
}

/** Turns text into vectors. Fixed once it is made. */
export interface FeatureSpace {
  /** How many features there are; the last one is constant and carries a model's bias. */
  readonly size: number
  readonly vectors: readonly FeatureVector[]
  /**
   * The vector of any text. What the space does not know weighs in the length: unknown words make all known ones count
   * less.
   */
  vector(text: string): FeatureVector
}

/** How much the parts of words count beside the words. */
const NGRAM_WEIGHT = 1.1
/** The value of the constant feature. */
const BIAS = 0.5

/** Feature numbers of one text, words and word pairs apart from parts of words, with repetitions. */
interface Counted {
  readonly words: readonly number[]
  readonly grams: readonly number[]
}

/** Numbers features in the order in which they come; an unknown one is -1 once the space is closed. */
class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #gramsOfWord = new Map<string, readonly number[]>()
  #open = true

  get size(): number {
    return this.#ids.size
  }

  close(): void {
    this.#open = false
    this.#gramsOfWord.clear()
  }

  count(text: string): Counted {
    const list = words(text)
    const ids: number[] = []
    const grams: number[] = []
    for (let index = 0; index < list.length; index += 1) {
      const word = list[index] ?? ''
      ids.push(this.#id(`w${word}`))
      // Without a space, so that "check out" meets "checkout".
      if (index > 0) ids.push(this.#id(`w${list[index - 1]}${word}`))
      for (const gram of this.#grams(word)) grams.push(gram)
    }
    return { words: ids, grams }
  }

  #grams(word: string): readonly number[] {
    const known = this.#gramsOfWord.get(word)
    if (known !== undefined) return known
    const ids = ngrams(word).map(gram => this.#id(`g${gram}`))
    if (this.#open) this.#gramsOfWord.set(word, ids)
    return ids
  }

  #id(feature: string): number {
    const known = this.#ids.get(feature)
    if (known !== undefined) return known
    if (!this.#open) return -1
    const id = this.#ids.size
    this.#ids.set(feature, id)
    return id
  }
}

/** A feature space over these texts: words, pairs of words and parts of words, weighed by how rare they are. */
export function* buildFeatureSpace(texts: readonly string[]): Generator<void, FeatureSpace> {
  const vocabulary = new Vocabulary()
  const counted: Counted[] = []
  for (const text of texts) {
    counted.push(vocabulary.count(text))
    yield
  }
  vocabulary.close()
  const rarity = yield* rarities(counted, vocabulary.size)
  const weights: Weights = { rarity, unknown: Math.log(1 + texts.length) + 1 }
  const bias = vocabulary.size
  const weigh = (one: Counted): FeatureVector => {
    const ids: number[] = []
    const values: number[] = []
    weighBlock(one.words, 1, weights, { ids, values })
    weighBlock(one.grams, NGRAM_WEIGHT, weights, { ids, values })
    ids.push(bias)
    values.push(BIAS)
    return { ids: Int32Array.from(ids), values: Float32Array.from(values) }
  }
  const vectors: FeatureVector[] = []
  for (const one of counted) {
    vectors.push(weigh(one))
    yield
  }
  return {
    size: bias + 1,
    vectors,
    vector: text => weigh(vocabulary.count(text)),
  }
}

/** Inverse document frequency of each feature, smoothed. */
function* rarities(counted: readonly Counted[], size: number): Generator<void, Float32Array> {
  const frequency = new Uint32Array(size)
  const seenIn = new Int32Array(size).fill(-1)
  for (const [document, one] of counted.entries()) {
    for (const block of [one.words, one.grams]) {
      for (const id of block) {
        if (seenIn[id] === document) continue
        seenIn[id] = document
        frequency[id] = (frequency[id] ?? 0) + 1
      }
    }
    yield
  }
  return Float32Array.from(frequency, count => Math.log((1 + counted.length) / (1 + count)) + 1)
}

/** How much features count: each known one, and any unknown one. */
interface Weights {
  readonly rarity: Float32Array
  readonly unknown: number
}

/** Appends a block of features scaled to the length `scale`, unknown ones (-1) included in the length. */
function weighBlock(
  block: readonly number[],
  scale: number,
  { rarity, unknown }: Weights,
  { ids, values }: { readonly ids: number[]; readonly values: number[] },
): void {
  const counts = new Map<number, number>()
  for (const id of block) counts.set(id, (counts.get(id) ?? 0) + 1)
  const unknownCount = counts.get(-1) ?? 0
  let squares = unknownCount * unknown * unknown
  const first = ids.length
  for (const [id, count] of counts) {
    if (id < 0) continue
    const value = (1 + Math.log(count)) * (rarity[id] ?? 0)
    squares += value * value
    ids.push(id)
    values.push(value)
  }
  if (squares === 0) return
  const factor = scale / Math.sqrt(squares)
  for (let index = first; index < values.length; index += 1) values[index] = (values[index] ?? 0) * factor
}
