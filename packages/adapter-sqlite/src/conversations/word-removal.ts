import type { TurnReader } from './turn-reader.ts'
import { hourOf } from './word-blocks.ts'
import { packPostings, postingOf, turnOf, unpackPostings } from './word-postings.ts'
import type { BlockKey, IndexedTurn, WordRun } from './word-statements.ts'

/** For each word the turns that held it, and on which sides. */
type WordsOfTurns = Map<string, Map<number, number>>

/** Turns that go out of the index in one write. */
export interface WordRemoval {
  /**
   * Takes words of a turn out, in their order, those before `done` being out already: `units` at most, of which each
   * word is one; to read a long turn, at first, is all of them. Returns how many are out then, whether that is all, and
   * the units that it took.
   */
  remove(
    turn: IndexedTurn,
    done: number,
    units: number,
  ): { readonly done: number; readonly all: boolean; readonly took: number }
  /** Writes what {@link remove} was called for; nothing is out before. */
  finish(): void
}

/** Takes turns out of a block, and those that it held out of the wanted ones. */
function removeFrom(
  run: WordRun,
  key: BlockKey,
  { first, turns }: { readonly first: number; readonly turns: Uint8Array },
  wanted: Set<number>,
): void {
  const postings = unpackPostings(turns)
  const kept = postings.filter(posting => !wanted.has(turnOf(posting)))
  for (const posting of postings) wanted.delete(turnOf(posting))
  if (kept.length === postings.length) return
  if (kept.length === 0) run.dropBlock.run({ ...key, first })
  else run.setBlock.run({ ...key, first, turns: packPostings(kept) })
}

/** Takes turns out of the postings of a word. */
function removePostings(run: WordRun, key: BlockKey, turns: ReadonlyMap<number, number>): void {
  const wanted = new Set(turns.keys())
  for (const [turn, sides] of turns) {
    if (!wanted.has(turn)) continue
    // Most blocks hold one turn: to drop them so is half the work.
    if (
      run.dropSame.run({ ...key, first: turn, turns: packPostings([postingOf(turn, sides)]) }).changes > 0
    ) {
      wanted.delete(turn)
      continue
    }
    const nearest = run.blocksUntil.get({ ...key, turn })
    if (nearest === undefined) continue
    removeFrom(run, key, nearest, wanted)
    // A turn that was moved may be in a block that begins before another one.
    if (wanted.has(turn))
      for (const block of run.blocksUntil.all({ ...key, turn })) removeFrom(run, key, block, wanted)
  }
}

/** Takes turns out of the index, word by word, so that a block of which many go is written once. */
export function createRemoval(run: WordRun, reader: TurnReader): WordRemoval {
  const places = new Map<
    string,
    { readonly scope: number; readonly hour: number; readonly words: WordsOfTurns }
  >()
  let reach: ReturnType<WordRun['reach']['get']>

  return {
    remove({ turn, scope, startedAt, record }, done, units) {
      // Read once: it follows the rows that go, and those were indexed.
      reach ??= run.reach.get({})
      if (turn > (reach?.through ?? 0) && turn !== reach?.part) return { done, all: true, took: 0 }
      const read = reader.read({ turn, record })
      if (read === null) return { done, all: false, took: units }
      const { words, sides } = read
      const end = Math.min(done + units, words.length)
      const all = end === words.length
      if (all) reader.forget()
      const hour = hourOf(startedAt)
      const name = `${scope} ${hour}`
      const place = places.get(name) ?? { scope, hour, words: new Map() }
      places.set(name, place)
      for (const word of words.slice(done, end)) {
        const turns = place.words.get(word) ?? new Map<number, number>()
        place.words.set(word, turns.set(turn, sides.get(word) ?? 0))
      }
      return { done: end, all, took: end - done }
    },
    finish() {
      for (const { scope, hour, words } of places.values()) {
        for (const [word, turns] of words) removePostings(run, { scope, hour, word: run.hashOf(word) }, turns)
      }
      places.clear()
    },
  }
}
