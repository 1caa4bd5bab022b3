import { GrowingList } from './growing-list.ts'

/** Finds the owners of a text with exactly these words, ignoring letter case and punctuation. */
export interface ExactTexts {
  /** Owners that may have such a text, each once, ascending. Includes all that have one, and almost never others. */
  mayHave(words: readonly string[]): readonly number[]
}

/** Collects texts, then builds the table to find them. */
export interface ExactTextsBuilder {
  /** A text of `owner`, by its words. */
  add(owner: number, words: readonly string[]): void
  build(): Generator<void, ExactTexts>
}

/** Texts that are put into the table in one step. */
const TEXTS_A_STEP = 4_096

/** Stores eight bytes for each text, however long it is: its owner and a hash of its words. */
export function createExactTextsBuilder(): ExactTextsBuilder {
  const owners = new GrowingList()
  const hashes = new GrowingList()
  return {
    add(owner, words) {
      owners.push(owner)
      hashes.push(hashOf(words))
    },
    *build() {
      // A table twice as large as necessary, so that collisions are rare. Zero is empty.
      const mask = 2 ** Math.ceil(Math.log2(2 * owners.length + 1)) - 1
      const table = new Int32Array(mask + 1)
      for (let text = 0; text < owners.length; text += 1) {
        let slot = hashes.at(text) & mask
        while (table[slot] !== 0) slot = (slot + 1) & mask
        table[slot] = text + 1
        if (text % TEXTS_A_STEP === 0) yield
      }
      return {
        mayHave(words) {
          const hash = hashOf(words)
          const found = new Set<number>()
          for (let slot = hash & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
            const text = (table[slot] ?? 0) - 1
            if (hashes.at(text) === hash) found.add(owners.at(text))
          }
          return [...found].sort((a, b) => a - b)
        },
      }
    },
  }
}

/** FNV-1a over the code units, with a sign between words. */
function hashOf(words: readonly string[]): number {
  let hash = 0x811c9dc5
  for (const word of words) {
    for (let index = 0; index < word.length; index += 1) {
      hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
    }
    hash = Math.imul(hash ^ 0x20, 0x01000193)
  }
  return hash
}
