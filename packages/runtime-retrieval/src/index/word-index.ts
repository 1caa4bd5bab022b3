import { lettersOf } from './alike.ts'
import { finish } from './finish.ts'
import { GrowingList } from './growing-list.ts'
import { words } from './words.ts'

/** Scores documents for a question by the words they share. */
export interface WordIndex {
  /**
   * For each document how much of the question it covers, from 0 to 1: rare words count more than common ones, words
   * that no document has count as the rarest.
   */
  coverage(question: readonly string[]): Float64Array
  /**
   * Adds to each document's score its coverage of the question, times `weight`. For a long question it only looks for
   * the rarest words; the others count as if no document had them (IX6).
   */
  addCoverage(scores: Float64Array, question: readonly string[], weight: number): void
  /** Returns the share of the question that one document covers, as in {@link WordIndex.coverage}. */
  coverageOf(document: number, question: readonly string[]): number
  /** All words. */
  readonly words: readonly string[]
  /** Returns the number of documents with the word. */
  having(word: string): number
  /** True when the document has the word. */
  has(document: number, word: string): boolean
  /** Visits the first distinct words of a document, in its order, with the letters of each. */
  visitWords(document: number, most: number, visit: (word: string, letters: number) => void): void
}

/** Collects documents, one after the other; then makes their index. */
export interface WordIndexBuilder {
  /** The next document, by its words. */
  add(words: readonly string[]): void
  build(): Generator<void, WordIndex>
}

/** BM25's saturation and length normalisation. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.5

/** Distinct words of a question that documents are looked through for; the rarest ones tell most and cost least. */
const MOST_WORDS = 32

/** Pairs of a word and a document that are worked out in one step. */
const PAIRS_A_STEP = 4_096

/** Returns a BM25 index of a few texts, made at once. */
export function buildWordIndex(texts: readonly string[]): WordIndex {
  const builder = createWordIndexBuilder()
  for (const text of texts) builder.add(words(text))
  return finish(builder.build())
}

/**
 * Builds a BM25 index whose weights are worked out beforehand, so that a question costs additions alone. All that grows
 * with the documents lies in typed arrays.
 */
export function createWordIndexBuilder(): WordIndexBuilder {
  const counts = new WordCounts()
  return { add: list => counts.add(list), build: () => build(counts) }
}

/** The number of times that each word occurs in each document, document by document. */
class WordCounts {
  readonly numbers = new Map<string, number>()
  /** By word: how many documents have it. */
  readonly having = new GrowingList()
  /** By word: the pair of it that came last. */
  readonly #lastPair = new GrowingList()
  /** One pair for each word of each document: the word, and how often it occurs. */
  readonly pairWords = new GrowingList()
  readonly pairTimes = new GrowingList()
  /** By document: its first pair, and its length in words. */
  readonly starts = new GrowingList()
  readonly lengths = new GrowingList()
  words = 0

  add(list: readonly string[]): void {
    const start = this.pairWords.length
    this.starts.push(start)
    this.lengths.push(list.length)
    this.words += list.length
    for (const word of list) {
      const number = this.#numberOf(word)
      const last = this.#lastPair.at(number)
      if (last >= start) this.pairTimes.add(last, 1)
      else {
        this.#lastPair.set(number, this.pairWords.length)
        this.having.add(number, 1)
        this.pairWords.push(number)
        this.pairTimes.push(1)
      }
    }
  }

  #numberOf(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    const number = this.numbers.size
    this.numbers.set(word, number)
    this.having.push(0)
    this.#lastPair.push(-1)
    return number
  }
}

/** By word number: the documents that have it, ascending, with the weight of each. */
interface Postings {
  readonly numbers: ReadonlyMap<string, number>
  readonly documentCount: number
  readonly rarities: Float64Array
  /** The index at which the documents of each word begin. The next word's begin where they end. */
  readonly starts: Int32Array
  readonly documents: Int32Array
  readonly impacts: Float32Array
  readonly words: readonly string[]
  readonly visitWords: WordIndex['visitWords']
}

function* build(counts: WordCounts): Generator<void, WordIndex> {
  const documentCount = counts.starts.length
  const starts = new Int32Array(counts.numbers.size + 1)
  const rarities = new Float64Array(counts.numbers.size)
  const list = [...counts.numbers.keys()]
  const letters = new Int32Array(list.length)
  for (let word = 0; word < rarities.length; word += 1) {
    starts[word + 1] = (starts[word] ?? 0) + counts.having.at(word)
    letters[word] = lettersOf(list[word] ?? '')
    rarities[word] = rarity(documentCount, counts.having.at(word))
    if (word % PAIRS_A_STEP === 0) yield
  }
  const documents = new Int32Array(counts.pairWords.length)
  const impacts = new Float32Array(counts.pairWords.length)
  const averageLength = Math.max(counts.words / Math.max(documentCount, 1), 1)
  const next = starts.slice()
  let document = -1
  let norm = 1
  for (let pair = 0; pair < documents.length; pair += 1) {
    // Documents without words have no pair.
    while (document + 1 < documentCount && counts.starts.at(document + 1) <= pair) {
      document += 1
      norm = 1 - LENGTH_SHARE + LENGTH_SHARE * (counts.lengths.at(document) / averageLength)
    }
    const word = counts.pairWords.at(pair)
    const times = counts.pairTimes.at(pair)
    const posting = next[word] ?? 0
    next[word] = posting + 1
    documents[posting] = document
    const saturated = Math.min(1, (times * (SATURATION + 1)) / (times + SATURATION * norm))
    impacts[posting] = (rarities[word] ?? 0) * saturated
    if (pair % PAIRS_A_STEP === 0) yield
  }
  const visitWords: WordIndex['visitWords'] = (document, most, visit) => {
    const from = counts.starts.at(document)
    const end = document + 1 < documentCount ? counts.starts.at(document + 1) : counts.pairWords.length
    for (let pair = from; pair < Math.min(end, from + most); pair += 1) {
      const word = counts.pairWords.at(pair)
      visit(list[word] ?? '', letters[word] ?? 0)
    }
  }
  return createWordIndex({
    numbers: counts.numbers,
    documentCount,
    rarities,
    starts,
    documents,
    impacts,
    words: list,
    visitWords,
  })
}

function createWordIndex(postings: Postings): WordIndex {
  const { numbers, documentCount, rarities, starts, documents, impacts, visitWords } = postings
  const unknown = rarity(documentCount, 0)
  const postingsOf = (word: string): Int32Array => {
    const number = numbers.get(word)
    return number === undefined
      ? documents.subarray(0, 0)
      : documents.subarray(starts[number], starts[number + 1])
  }
  /** Returns the weight of a question that a document covers completely, and the numbers of the words to look for. */
  const lookFor = (
    question: readonly string[],
  ): { readonly most: number; readonly known: readonly number[] } => {
    let most = 0
    const known: number[] = []
    for (const word of new Set(question)) {
      const number = numbers.get(word)
      most += number === undefined ? unknown : (rarities[number] ?? 0)
      if (number !== undefined) known.push(number)
    }
    if (known.length <= MOST_WORDS) return { most, known }
    known.sort((a, b) => (rarities[b] ?? 0) - (rarities[a] ?? 0) || a - b)
    return { most, known: known.slice(0, MOST_WORDS) }
  }
  const addCoverage: WordIndex['addCoverage'] = (scores, question, weight) => {
    const { most, known } = lookFor(question)
    for (const word of known) addImpacts(scores, postings, word, weight / most)
  }
  return {
    addCoverage,
    coverage(question) {
      const scores = new Float64Array(documentCount)
      addCoverage(scores, question, 1)
      return scores
    },
    coverageOf(document, question) {
      const { most, known } = lookFor(question)
      let covered = 0
      for (const word of known) {
        const posting = postingOf(postings, word, document)
        if (posting !== null) covered += (impacts[posting] ?? 0) / most
      }
      return covered
    },
    having: word => postingsOf(word).length,
    has(document, word) {
      const number = numbers.get(word)
      return number !== undefined && postingOf(postings, number, document) !== null
    },
    words: postings.words,
    visitWords,
  }
}

function addImpacts(scores: Float64Array, postings: Postings, word: number, factor: number): void {
  const { starts, documents, impacts } = postings
  const end = starts[word + 1] ?? 0
  for (let posting = starts[word] ?? 0; posting < end; posting += 1) {
    const document = documents[posting] ?? 0
    scores[document] = (scores[document] ?? 0) + (impacts[posting] ?? 0) * factor
  }
}

/** Returns the position of a document in the list of a word; null if it does not have the word. */
function postingOf({ starts, documents }: Postings, word: number, document: number): number | null {
  const end = starts[word + 1] ?? 0
  let low = starts[word] ?? 0
  let high = end
  while (low < high) {
    const middle = (low + high) >> 1
    if ((documents[middle] ?? 0) < document) low = middle + 1
    else high = middle
  }
  return low < end && documents[low] === document ? low : null
}

function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}
