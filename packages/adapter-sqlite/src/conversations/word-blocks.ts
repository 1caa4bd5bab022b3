import { numberOf, type Posting, packPostings, postingOf, unpackPostings } from './word-postings.ts'
import type { BlockKey, WordPlace, WordRun } from './word-statements.ts'

/** Words are kept by the hour in which conversations began, in milliseconds. */
export const HOUR = 3_600_000

/** The hour of a moment, since the epoch. */
export const hourOf = (time: number): number => Math.floor(time / HOUR)

/** The most turns in a block when it is written: removing one rewrites its block. */
const TURNS_OF_A_BLOCK = 64

function writeBlocks(run: WordRun, key: BlockKey, postings: readonly Posting[]): void {
  for (let from = 0; from < postings.length; from += TURNS_OF_A_BLOCK) {
    writeBlock(run, key, postings.slice(from, from + TURNS_OF_A_BLOCK))
  }
}

function writeBlock(run: WordRun, key: BlockKey, postings: readonly Posting[]): void {
  const first = postings[0]?.turn ?? 0
  if (run.insertBlock.run({ ...key, first, turns: packPostings(postings) }).changes > 0) return
  const there = unpackPostings(run.block.get({ ...key, first })?.turns ?? new Uint8Array())
  const joined = new Map([...there, ...postings].map(posting => [posting.turn, posting]))
  const sorted = [...joined.values()].sort((one, other) => one.turn - other.turn)
  run.setBlock.run({ ...key, first, turns: packPostings(sorted) })
}

/** Words of turns on their way into the index: turns that share a word share its block. */
export interface WordPostings {
  /** Returns how many of the words are the first of their place. */
  add(turn: number, place: WordPlace, sides: Iterable<readonly [word: string, sides: number]>): number
  /** Writes what was added, in the order of the table, whose pages are then written one after the other. */
  write(): void
}

/** Collects words of turns. Turns are to be added in the order of their rows. */
export function collectPostings(run: WordRun): WordPostings {
  const places = new Map<string, { scope: number; hour: number; words: Map<string, number[]> }>()
  return {
    add(turn, { scope, startedAt }, sides) {
      const hour = hourOf(startedAt)
      const name = `${scope} ${hour}`
      const place = places.get(name) ?? { scope, hour, words: new Map<string, number[]>() }
      places.set(name, place)
      const before = place.words.size
      for (const [word, side] of sides) {
        const postings = place.words.get(word)
        if (postings === undefined) place.words.set(word, [numberOf(turn, side)])
        else postings.push(numberOf(turn, side))
      }
      return place.words.size - before
    },
    write() {
      for (const { scope, hour, words } of places.values()) {
        const blocks = [...words].map(([word, postings]) => ({
          word: run.hashOf(word),
          postings: postings.map(postingOf),
        }))
        blocks.sort((one, other) => Buffer.compare(one.word, other.word))
        for (const { word, postings } of blocks) writeBlocks(run, { scope, hour, word }, postings)
      }
      places.clear()
    },
  }
}
