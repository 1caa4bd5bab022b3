import { words } from './words.ts'

/** Scores documents for a question by the words they share. */
export interface WordIndex {
  /**
   * For each document how much of the question it covers, from 0 to 1: rare words count more than common ones, words that
   * no document has count as the rarest.
   */
  coverage(question: readonly string[]): Float64Array
}

/** BM25's saturation and length normalisation. */
const SATURATION = 1.2
const LENGTH_SHARE = 0.5

/** The documents that have a word, and how strongly. */
interface Postings {
  readonly documents: Uint32Array
  readonly impacts: Float32Array
}

/** A BM25 index whose weights are worked out beforehand, so that a question costs additions alone. */
export function buildWordIndex(texts: readonly string[]): WordIndex {
  const { counts, lengths } = countWords(texts)
  const averageLength = Math.max(
    lengths.reduce((sum, length) => sum + length, 0) / Math.max(texts.length, 1),
    1,
  )
  const rarest = rarity(texts.length, 0)
  const known = new Map<string, { readonly rarity: number; readonly postings: Postings }>()
  for (const [word, pairs] of counts) {
    const count = pairs.length / 2
    const weight = rarity(texts.length, count)
    const documents = new Uint32Array(count)
    const impacts = new Float32Array(count)
    for (let index = 0; index < count; index += 1) {
      const document = pairs[2 * index] ?? 0
      const times = pairs[2 * index + 1] ?? 0
      const norm = 1 - LENGTH_SHARE + LENGTH_SHARE * ((lengths[document] ?? 0) / averageLength)
      documents[index] = document
      impacts[index] = weight * Math.min(1, (times * (SATURATION + 1)) / (times + SATURATION * norm))
    }
    known.set(word, { rarity: weight, postings: { documents, impacts } })
  }
  return {
    coverage(question) {
      const scores = new Float64Array(texts.length)
      let most = 0
      for (const word of new Set(question)) {
        const entry = known.get(word)
        most += entry?.rarity ?? rarest
        if (entry !== undefined) addPostings(scores, entry.postings)
      }
      return most === 0 ? scores : scores.map(score => score / most)
    },
  }
}

function rarity(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}

function addPostings(scores: Float64Array, postings: Postings): void {
  const { documents, impacts } = postings
  for (let index = 0; index < documents.length; index += 1) {
    const document = documents[index] ?? 0
    scores[document] = (scores[document] ?? 0) + (impacts[index] ?? 0)
  }
}

/** For each word the documents that have it and how often, one after the other; and the documents' lengths in words. */
function countWords(texts: readonly string[]): {
  readonly counts: ReadonlyMap<string, readonly number[]>
  readonly lengths: readonly number[]
} {
  const counts = new Map<string, number[]>()
  const lengths = texts.map((text, document) => {
    const list = words(text)
    for (const word of list) {
      const pairs = counts.get(word)
      if (pairs === undefined) counts.set(word, [document, 1])
      else if (pairs[pairs.length - 2] === document)
        pairs[pairs.length - 1] = (pairs[pairs.length - 1] ?? 0) + 1
      else pairs.push(document, 1)
    }
    return list.length
  })
  return { counts, lengths }
}
