import type { Embedder } from '../../../packages/core/src/ports/embedder.ts'

/** Words by what they are about; each subject is a direction of its own. */
const SUBJECTS = [
  ['dog', 'puppy', 'hound', 'pet'],
  ['car', 'van', 'vehicle', 'garage'],
  ['breakfast', 'eggs', 'coffee', 'morning'],
] as const

/** Every word that the toy knows. */
export const KNOWN_WORDS: readonly string[] = SUBJECTS.flat()

/** A direction for each text: how often it speaks of each subject, and of anything else. */
export function toyVector(text: string): Float32Array {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  const subjects = SUBJECTS.map(known => words.filter(word => known.some(one => one === word)).length)
  const other = words.length - subjects.reduce((sum, count) => sum + count, 0)
  return Float32Array.from([...subjects, other + 0.25])
}

/** Returns the likeness of two texts according to the toy, computed plainly. */
export function toyLikeness(one: string, other: string): number {
  const [left, right] = [[...toyVector(one)], [...toyVector(other)]]
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right))
}

/** An embedder with a geometry of its own, whose requests can be watched and spoilt. */
export function createToyEmbedder(id = 'toy@1') {
  const asked: (readonly string[])[] = []
  const state: {
    /** In place of the answer. */
    spoil: ((texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>) | null
  } = { spoil: null }
  const embedder: Embedder = {
    id,
    async embed(texts, signal) {
      asked.push([...texts])
      return state.spoil === null ? texts.map(toyVector) : state.spoil(texts, signal)
    },
  }
  return { embedder, asked, state }
}
