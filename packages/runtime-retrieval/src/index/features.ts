import type { GrowingList } from './growing-list.ts'
import { ngrams } from './words.ts'

/** The weight of the parts of words, compared with the words. */
const PARTS_WEIGHT = 1.1
/** Words of a question that are counted; of a longer one the rarest. */
const MOST_COUNTED = 100
/** The weight of a common word in a question, chosen on one half of `bench/questions`. */
const COMMON_WORD = 0.5

/** Features that are looked at in one step. */
export const FEATURES_A_STEP = 4_096

/** The words of all texts, and the parts of each. */
export class Vocabulary {
  readonly words = new Map<string, number>()
  readonly #parts = new Map<string, number>()
  #partsOf: Int32Array[] = []

  get size(): number {
    return Math.max(this.words.size, this.#parts.size)
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

  /** The parts of a word that was learnt. */
  partsOf(number: number): Int32Array {
    return this.#partsOf[number] ?? NONE
  }

  /** The parts of any word; -1 is one that no topic has. */
  partsIn(word: string): readonly number[] {
    return ngrams(word).map(part => this.#parts.get(part) ?? -1)
  }

  /** Frees the data that only learning needs. */
  close(): void {
    this.#partsOf = []
  }
}

const NONE = new Int32Array()

/**
 * Makes a vector of one text at a time: `ids` and `values` up to `length`, until it is cleared. Features are words
 * (even numbers), parts of words (odd ones), and pairs of neighbours, whose numbers lie behind those and are shared by
 * some.
 */
export class FeatureCounter {
  readonly size: number
  ids = new Int32Array(1_024)
  values = new Float64Array(1_024)
  length = 0
  readonly #vocabulary: Vocabulary
  readonly #pairs: number
  readonly #times: Float32Array
  #rarities = new Float32Array()
  #rarest = 0
  /** Squares of what words and pairs, and what parts, count. */
  readonly #squares = new Float64Array(2)

  constructor(vocabulary: Vocabulary, words: number) {
    this.#vocabulary = vocabulary
    this.#pairs = 2 * vocabulary.size
    this.size = this.#pairs + 2 ** Math.min(17, Math.ceil(Math.log2(words + 2)))
    this.#times = new Float32Array(this.size)
  }

  /**
   * Rare features count more. `having`: how many of the texts have each; a part is in about as many as the words that
   * have it, which is written there.
   */
  *learnRarities(having: Int32Array, texts: number): Generator<void, void> {
    for (let word = 0; word < this.#vocabulary.words.size; word += 1) {
      if (word % FEATURES_A_STEP === 0) yield
      for (const part of this.#vocabulary.partsOf(word)) {
        having[2 * part + 1] = Math.min(texts, (having[2 * part + 1] ?? 0) + (having[2 * word] ?? 0))
      }
    }
    const rarities = new Float32Array(having.length)
    for (let id = 0; id < having.length; id += 1) {
      rarities[id] = Math.log((1 + texts) / (1 + (having[id] ?? 0))) + 1
      if (id % FEATURES_A_STEP === 0) yield
    }
    this.#rarities = rarities
    this.#rarest = Math.log(1 + texts) + 1
  }

  close(): void {
    this.#vocabulary.close()
  }

  /** The vector of learnt words from one place of a list to before another; `whole`: with their parts. */
  countKnown(list: GrowingList, from: number, to: number, whole = true): void {
    for (let at = from; at < to; at += 1) {
      const word = list.at(at)
      this.#add(2 * word)
      if (at > from) this.#add(this.#pair(list.at(at - 1), word))
      if (!whole) continue
      const parts = this.#vocabulary.partsOf(word)
      for (let part = 0; part < parts.length; part += 1) this.#add(2 * (parts[part] ?? 0) + 1)
    }
    this.#weigh()
  }

  /**
   * The vector of any words, of which common ones count less. What no topic has counts in the length: it makes all else
   * count less.
   */
  count(question: readonly string[], common: ReadonlySet<string>): void {
    const { words } = this.#vocabulary
    const list = this.#rarestOf(question)
    for (const [at, text] of list.entries()) {
      const word = words.get(text)
      const before = words.get(list[at - 1] ?? '')
      const times = common.has(text) ? COMMON_WORD : 1
      // "check out" for "checkout".
      const joined = words.get(`${list[at - 1] ?? ''}${text}`)
      if (word === undefined) this.#addUnknown(0, times)
      else this.#add(2 * word, times)
      if (word !== undefined && before !== undefined) this.#add(this.#pair(before, word), times)
      if (at > 0 && joined !== undefined) this.#add(2 * joined, times)
      for (const part of this.#vocabulary.partsIn(text)) {
        if (part < 0) this.#addUnknown(1, times)
        else this.#add(2 * part + 1, times)
      }
    }
    this.#weigh()
  }

  /** Returns the rarest known words of a long text, in their order (IX6), and its first unknown ones. */
  #rarestOf(list: readonly string[]): readonly string[] {
    if (list.length <= MOST_COUNTED) return list
    const { words } = this.#vocabulary
    const known = [...new Set(list)].flatMap(text => {
      const word = words.get(text)
      return word === undefined ? [] : [{ text, rarity: this.#rarities[2 * word] ?? 0 }]
    })
    const rarest = known.sort((a, b) => b.rarity - a.rarity).slice(0, MOST_COUNTED)
    const kept = new Set(rarest.map(({ text }) => text))
    let unknown = 0
    return [...new Set(list)].filter(
      text => kept.has(text) || (!words.has(text) && ++unknown <= MOST_COUNTED),
    )
  }

  clear(): void {
    this.length = 0
  }

  #pair(before: number, word: number): number {
    const mixed = Math.imul(before, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b)
    return this.#pairs + ((mixed >>> 7) & (this.size - this.#pairs - 1))
  }

  #addUnknown(block: 0 | 1, times: number): void {
    this.#squares[block] = (this.#squares[block] ?? 0) + (this.#rarest * times) ** 2
  }

  #add(id: number, more = 1): void {
    const times = this.#times[id] ?? 0
    this.#times[id] = times + more
    if (times > 0) return
    if (this.length === this.ids.length) {
      const ids = new Int32Array(2 * this.length)
      ids.set(this.ids)
      this.ids = ids
      this.values = new Float64Array(2 * this.length)
    }
    this.ids[this.length] = id
    this.length += 1
  }

  #weigh(): void {
    const [squares, pairs] = [this.#squares, this.#pairs]
    for (let at = 0; at < this.length; at += 1) {
      const id = this.ids[at] ?? 0
      const times = this.#times[id] ?? 1
      this.#times[id] = 0
      const value = (times <= 1 ? times : 1 + Math.log(times)) * (this.#rarities[id] ?? 0)
      this.values[at] = value
      const block = id < pairs ? id & 1 : 0
      squares[block] = (squares[block] ?? 0) + value * value
    }
    const wordScale = 1 / Math.sqrt(squares[0] || 1)
    const partScale = PARTS_WEIGHT / Math.sqrt(squares[1] || 1)
    for (let at = 0; at < this.length; at += 1) {
      const id = this.ids[at] ?? 0
      this.values[at] = (this.values[at] ?? 0) * (id < pairs && (id & 1) === 1 ? partScale : wordScale)
    }
    squares.fill(0)
  }
}
