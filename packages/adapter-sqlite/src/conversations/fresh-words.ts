import { type TurnTexts, textWords } from '@colloquy/core/store'
import { collectPostings, type WordPostings } from './word-blocks.ts'
import { SIDES } from './word-postings.ts'
import type { WordPlace, WordRun } from './word-statements.ts'

/** The most that one write adds to the index, so that no write is long. */
export const AT_ONCE = {
  turns: 256,
  /** Each of them has a block to write. */
  differentWords: 2_048,
  words: 8_192,
}

/** So many batches are kept; the turns after them are read when it is their turn. */
const MOST_BATCHES = 8

/** Longer texts are read when it is their turn: to tell their words apart is the work of a write. */
const MOST_CHARACTERS = 8_192

/** Words of turns whose rows follow one another, ready to be written. */
interface Batch {
  readonly first: number
  last: number
  readonly postings: WordPostings
  /** What it has room for. */
  differentWords: number
  words: number
}

/** The words of turns that this process has just written, so that the index need not read them. */
export interface FreshWords {
  /** Within the write that adds the turn, of which `row` is the row. */
  add(row: number, place: WordPlace, texts: TurnTexts): void
  /** True when as many words wait as one write adds. */
  readonly isReady: boolean
  /** The turns up to that row are in the index. */
  passed(row: number): void
  /** The row of the first turn whose words are kept; null for none. */
  readonly first: number | null
  /** Within a write: lets go of the words of that turn and of those that follow it, for them to be written. */
  take(): Pick<Batch, 'last' | 'postings'> | null
  /** What was taken is written: the next batch may use its room. */
  reuse(postings: WordPostings): void
  /** What is kept may not be in the store any more, or stands elsewhere. */
  forget(): void
}

/** Keeps words in batches of a write each. Where a turn is missing, or too much is kept, it begins anew after those. */
export function createFreshWords(run: WordRun): FreshWords {
  let batches: Batch[] = []
  /** What a batch was collected in that is written. */
  let spare: WordPostings | null = null

  /** The batch that the turn goes to; null where it has to be read. */
  function batchFor(row: number, words: number): Batch | null {
    const newest = batches.at(-1)
    if (newest !== undefined && row !== newest.last + 1) return null
    const isFull =
      newest === undefined ||
      row - newest.first >= AT_ONCE.turns ||
      words > Math.min(newest.differentWords, newest.words)
    if (!isFull) return newest
    if (batches.length === MOST_BATCHES || words > AT_ONCE.differentWords) return null
    const { differentWords, words: all } = AT_ONCE
    const postings = spare ?? collectPostings(run)
    spare = null
    const batch = { first: row, last: row, postings, differentWords, words: all }
    batches.push(batch)
    return batch
  }

  return {
    add(row, place, texts) {
      if (texts.user.length + texts.agent.length > MOST_CHARACTERS) return
      const { user, agent } = textWords(texts)
      // A word that is said again is counted again: a batch may end sooner than it must.
      const most = user.length + agent.length
      const batch = batchFor(row, most)
      if (batch === null) return
      const words = batch.postings.of(place)
      const before = words.size
      for (const word of user) words.add(row, word, SIDES.user)
      for (const word of agent) words.add(row, word, SIDES.agent)
      batch.differentWords -= words.size - before
      batch.words -= most
      batch.last = row
    },
    get isReady() {
      return batches.length > 1
    },
    passed(row) {
      while (batches[0] !== undefined && batches[0].first <= row) batches.shift()
    },
    get first() {
      return batches[0]?.first ?? null
    },
    take: () => batches.shift() ?? null,
    reuse(postings) {
      spare = postings
    },
    forget() {
      batches = []
    },
  }
}
