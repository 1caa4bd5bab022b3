import { PostingLists } from './posting-lists.ts'
import { type Posting, packPostings, turnOf, unpackPostings } from './word-postings.ts'
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
  const first = turnOf(postings[0] ?? 0)
  if (run.insertBlock.run({ ...key, first, turns: packPostings(postings) }).changes > 0) return
  const there = unpackPostings(run.block.get({ ...key, first })?.turns ?? new Uint8Array())
  const joined = new Map([...there, ...postings].map(posting => [turnOf(posting), posting]))
  run.setBlock.run({
    ...key,
    first,
    turns: packPostings([...joined.values()].sort((one, other) => one - other)),
  })
}

/** Words of conversations that began in one hour, and the turns that hold them. */
export class HourWords {
  readonly scope: number
  readonly hour: number
  readonly #lists: PostingLists
  /** The list of each word. */
  readonly #words = new Map<string, number>()

  constructor(scope: number, hour: number, lists: PostingLists) {
    this.scope = scope
    this.hour = hour
    this.#lists = lists
  }

  /** How many they are. */
  get size(): number {
    return this.#words.size
  }

  /** Turns are to be added in the order of their rows; of one turn a word may come again, on any side. */
  add(turn: number, word: string, sides: number): void {
    let list = this.#words.get(word)
    if (list === undefined) {
      list = this.#lists.make()
      this.#words.set(word, list)
    }
    this.#lists.add(list, turn, sides)
  }

  /** In the order of the table, whose pages are then written one after the other. */
  write(run: WordRun): void {
    const blocks = [...this.#words].map(([word, list]) => ({ word: run.hashOf(word), list }))
    blocks.sort((one, other) => Buffer.compare(one.word, other.word))
    for (const { word, list } of blocks)
      writeBlocks(run, { scope: this.scope, hour: this.hour, word }, this.#lists.of(list))
  }
}

/** Words of turns on their way into the index: turns that share a word share its block. */
export interface WordPostings {
  /** The words of the hour in which a conversation began. */
  of(place: WordPlace): HourWords
  /** Adds the words of a turn. Returns how many of them are the first of their hour. */
  add(turn: number, place: WordPlace, sides: Iterable<readonly [word: string, sides: number]>): number
  /** Writes what was added; more may be added then. */
  write(): void
}

/** Collects words of turns. */
export function collectPostings(run: WordRun): WordPostings {
  const hours = new Map<string, HourWords>()
  const lists = new PostingLists()
  let newest: HourWords | null = null

  function of({ scope, startedAt }: WordPlace): HourWords {
    const hour = hourOf(startedAt)
    // Those of most turns, and found without a name for them.
    if (newest?.scope === scope && newest.hour === hour) return newest
    const name = `${scope} ${hour}`
    newest = hours.get(name) ?? new HourWords(scope, hour, lists)
    hours.set(name, newest)
    return newest
  }

  return {
    of,
    add(turn, place, sides) {
      const words = of(place)
      const before = words.size
      for (const [word, some] of sides) words.add(turn, word, some)
      return words.size - before
    },
    write() {
      for (const words of hours.values()) words.write(run)
      hours.clear()
      lists.clear()
      newest = null
    },
  }
}
