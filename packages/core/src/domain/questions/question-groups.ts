import { wordsOf } from '../conversation/turn-words.ts'
import { dot } from '../unit-vectors.ts'

/** A question of a visitor that the agent did not answer. */
export interface Question {
  readonly text: string
  /** The public id of its conversation. */
  readonly conversationId: string
  /** Milliseconds since the epoch: when the conversation began. */
  readonly startedAt: number
}

/** Questions about the same (WN2). */
export interface QuestionGroup {
  readonly count: number
  /** Up to three of them in different words, the newest first. */
  readonly examples: readonly Question[]
}

/** Examples of a group. */
const EXAMPLES = 3
/** The least share of words in common, by weight, of questions about the same. */
const ALIKE = 0.5
/** The least likeness of the vectors of such questions. */
const LIKE = 0.8

/** A group while it is made. */
interface Growing {
  readonly words: ReadonlySet<string>
  readonly vector: Float32Array | null
  readonly examples: Question[]
  /** The texts of its examples, without differences that do not matter. */
  readonly texts: Set<string>
  count: number
}

const keyOf = (text: string): string => wordsOf(text).join(' ')

/** Returns the weight of a word: the rarer it is among the questions, the more it says. */
export function wordWeights(texts: readonly string[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return word => Math.log(1 + texts.length / (counts.get(word) ?? 1))
}

/** Groups questions as they come, the newest first. */
export class QuestionGroups {
  readonly #weightOf: (word: string) => number
  readonly #groups: Growing[] = []
  /** The groups whose first question has a word. */
  readonly #byWord = new Map<string, Growing[]>()

  constructor(weightOf: (word: string) => number) {
    this.#weightOf = weightOf
  }

  /** Adds a question to the group that it is most like, or begins another one. */
  add(question: Question, vector: Float32Array | null): void {
    const words = new Set(wordsOf(question.text))
    if (words.size === 0) return
    const group = this.#nearest(words, vector) ?? this.#begin(words, vector)
    group.count++
    const key = keyOf(question.text)
    if (group.examples.length === EXAMPLES || group.texts.has(key)) return
    group.texts.add(key)
    group.examples.push(question)
  }

  /** The number of groups. */
  get count(): number {
    return this.#groups.length
  }

  /** The largest groups after the first `offset`, those of the newest questions first among equal ones. */
  largest(most: number, offset = 0): readonly QuestionGroup[] {
    return this.#groups
      .toSorted((one, other) => other.count - one.count)
      .slice(offset, offset + most)
      .map(({ count, examples }) => ({ count, examples }))
  }

  #begin(words: ReadonlySet<string>, vector: Float32Array | null): Growing {
    const group: Growing = { words, vector, examples: [], texts: new Set(), count: 0 }
    this.#groups.push(group)
    for (const word of words) {
      const known = this.#byWord.get(word)
      if (known === undefined) this.#byWord.set(word, [group])
      else known.push(group)
    }
    return group
  }

  #nearest(words: ReadonlySet<string>, vector: Float32Array | null): Growing | null {
    return this.#byMeaning(vector) ?? this.#byWords(words)
  }

  #byMeaning(vector: Float32Array | null): Growing | null {
    if (vector === null) return null
    let [best, likeness] = [null as Growing | null, LIKE]
    for (const group of this.#groups) {
      const found = group.vector === null ? 0 : dot(vector, group.vector)
      if (found >= likeness) [best, likeness] = [group, found]
    }
    return best
  }

  #byWords(words: ReadonlySet<string>): Growing | null {
    const shared = new Map<Growing, number>()
    for (const word of words)
      for (const group of this.#byWord.get(word) ?? [])
        shared.set(group, (shared.get(group) ?? 0) + this.#weightOf(word))
    const own = this.#weigh(words)
    let [best, share] = [null as Growing | null, ALIKE]
    for (const [group, weight] of shared) {
      const found = weight / (own + this.#weigh(group.words) - weight)
      if (found >= share && (best === null || found > share)) [best, share] = [group, found]
    }
    return best
  }

  #weigh(words: ReadonlySet<string>): number {
    let sum = 0
    for (const word of words) sum += this.#weightOf(word)
    return sum
  }
}
