import { turnWords, type WordCondition } from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { fromJson } from '../database/json.ts'
import { rest } from '../database/lock-waits.ts'
import type { Session } from '../database/session.ts'
import { createDefine } from '../database/statements.ts'
import { UNLIMITED } from './conversation-log.ts'
import { groupBy } from './intervals/interval-places.ts'
import type { RecordCounts } from './record-counts.ts'
import { createTurnReader, type Sides, sidesOf, type TurnReader } from './turn-reader.ts'
import { collectPostings, HOUR, hourOf } from './word-blocks.ts'
import { SIDES, unpackPostings } from './word-postings.ts'
import { createRemoval, type WordRemoval } from './word-removal.ts'
import { prepareWords, type Reach, type WordPlace, type WordRun } from './word-statements.ts'

/** The most words that one write adds to the index, so that no write is long. */
const WORDS_AT_ONCE = 2_048

/** The most turns that one write adds to it, however few words they have. */
const TURNS_AT_ONCE = 256

/** A search reads through the turns that are not indexed yet, but not through more than these. */
const MOST_SCANNED = 256

/**
 * So many turns are indexed together, once a process has written them, even if nothing is searched. Fewer wait for
 * those that follow: turns that share a word share its block, and a search reads through them.
 */
const INDEXED_TOGETHER = 256

/** Indexing in the background is followed by a pause of this many times its own duration. */
const REST = 2

/** What makes conversations found by the words of their turns. */
export interface SearchWords {
  /** Adds the next turns to the index, within a write; false when all are in it. */
  some(): boolean
  /** So many turns were written, whose words are not indexed yet. */
  added(turns: number): void
  /** Resolves when few of the turns that are written by now are not indexed. */
  caughtUp(): Promise<void>
  /** The conversation, of which it is the row, stands elsewhere in the lists from now on. */
  move(conversation: number, from: WordPlace, to: WordPlace): void
  /** Begins to take turns out of the index. */
  removal(): WordRemoval
  /** The turns that hold the words, for each stretch of time that has some, in order. */
  stretches(
    scope: number,
    condition: WordCondition,
    from: number,
    to: number,
  ): Iterable<{ readonly turns: readonly number[] }>
}

const sidesOfRecord = (record: string): Sides => sidesOf(turnWords({ record: fromJson(record) }))

/** Indexes the turns of a file that has no such index yet. */
export function indexAllTurns(database: Database): void {
  const run = prepareWords(createDefine(database))
  const limit = 1_000
  let after = 0
  for (let turns = run.everyTurn.all({ after, limit }); turns.length > 0; ) {
    const postings = collectPostings(run)
    for (const { turn, record, ...place } of turns) {
      postings.add(turn, place, sidesOfRecord(record))
      after = turn
    }
    postings.write()
    turns = run.everyTurn.all({ after, limit })
  }
}

const sidesOfSome = (sides: Sides, words: readonly string[]): Sides =>
  new Map(words.map(word => [word, sides.get(word) ?? 0]))

/** Adds the next turns to the index, whole ones but for one that has more words than a write may add. */
function indexSome(run: WordRun, reader: TurnReader, reach: Reach): void {
  const postings = collectPostings(run)
  let { through, part, words: done } = reach
  let left = WORDS_AT_ONCE
  for (const { turn, record, scope, startedAt } of run.turnsAfter.all({
    after: through,
    limit: TURNS_AT_ONCE,
  })) {
    if (scope !== null && startedAt !== null) {
      const read = reader.read({ turn, record })
      // So long that reading it is enough for a write.
      if (read === null) break
      const { sides } = read
      const begun = part === turn ? done : 0
      const missing = sides.size - begun
      if (missing > left && left < WORDS_AT_ONCE) break
      const whole = begun === 0 && missing <= left
      const some = whole ? null : read.words.slice(begun, begun + left)
      postings.add(turn, { scope, startedAt }, some === null ? sides : sidesOfSome(sides, some))
      left -= some?.length ?? missing
      if (some !== null && some.length < missing) {
        done = begun + some.length
        part = turn
        break
      }
    }
    through = turn
    part = null
    done = 0
  }
  postings.write()
  run.addTurns.run({ after: reach.through, through })
  run.setReach.run({ through, part, words: part === null ? 0 : done })
}

/** The turns of an hour that contain every word on the selected side. */
function turnsOfHour(
  run: WordRun,
  place: { readonly scope: number; readonly hour: number },
  fresh: readonly { readonly turn: number; readonly sides: Sides }[],
  { words, speaker }: WordCondition,
): readonly number[] {
  let found: ReadonlySet<number> | null = null
  for (const word of words) {
    const turns = new Set<number>()
    const take = (turn: number, sides: number): void => {
      if ((sides & SIDES[speaker]) !== 0 && (found === null || found.has(turn))) turns.add(turn)
    }
    for (const block of run.blocks.each({ ...place, word: run.hashOf(word) })) {
      for (const { turn, sides } of unpackPostings(block.turns)) take(turn, sides)
    }
    for (const { turn, sides } of fresh) take(turn, sides.get(word) ?? 0)
    if (turns.size === 0) return []
    found = turns
  }
  return [...(found ?? [])]
}

/**
 * Keeps the index of words beside the writes that add turns: how far it goes is written with the words, so each turn is
 * indexed once, whichever process does it. Long because all of it shares the statements.
 */
export function createSearchWords({ define, read, write }: Session, counts: RecordCounts): SearchWords {
  const operation = 'index words of turns'
  const run = prepareWords(define)
  const [indexed, removed] = [createTurnReader(), createTurnReader()]
  let waiting = 0
  let indexing = false

  /**
   * Adds the next turns up to that row to the index, if at least `least` of them are not in it. Returns how many were
   * not.
   */
  function indexNext(last: number, least: number): number {
    const reach = run.reach.get({})
    const left = reach === undefined ? 0 : Math.max(Math.min(reach.newest, last) - reach.through, 0)
    if (reach !== undefined && left >= least) indexSome(run, indexed, reach)
    return left
  }

  /**
   * Short writes, each followed by a pause, until fewer than `least` of the turns up to that row are not indexed.
   * Resolves with how many those are.
   */
  async function indexUntil(
    last: number,
    least: number,
    pause: (took: number) => Promise<void>,
  ): Promise<number> {
    for (;;) {
      let took = 0
      const left = await write(operation, () => {
        const began = performance.now()
        const found = indexNext(last, least)
        took = performance.now() - began
        return found
      })
      if (left < least) return left
      await pause(took)
    }
  }

  function start(): void {
    indexing = true
    const ended = (left: number): void => {
      indexing = false
      waiting = left
    }
    // What fails here (the file is locked, the store is closed) is left to the next time.
    indexUntil(Number.MAX_SAFE_INTEGER, INDEXED_TOGETHER, took => rest(took * REST)).then(ended, () =>
      ended(0),
    )
  }

  return {
    some: () => indexNext(Number.MAX_SAFE_INTEGER, 1) > 0,
    added(turns) {
      waiting += turns
      if (waiting >= INDEXED_TOGETHER && !indexing) start()
    },
    async caughtUp() {
      const reach = await read(operation, () => run.reach.get({}))
      if (reach === undefined || reach.newest - reach.through <= MOST_SCANNED) return
      await indexUntil(reach.newest, 1, async () => {})
    },
    move(conversation, from, to) {
      if (from.scope === to.scope && hourOf(from.startedAt) === hourOf(to.startedAt)) return
      const reach = run.reach.get({})
      const { through = 0, part = null, words = 0 } = reach ?? {}
      const turns = run.turnsOf.all({ conversation }).filter(({ turn }) => turn <= through || turn === part)
      const removal = createRemoval(run, createTurnReader(Number.POSITIVE_INFINITY))
      const postings = collectPostings(run)
      for (const turn of turns) removal.remove({ ...from, ...turn }, 0, Number.MAX_SAFE_INTEGER)
      removal.finish()
      for (const { turn, record } of turns.toReversed()) {
        const sides = [...sidesOfRecord(record)]
        postings.add(turn, to, turn === part ? sides.slice(0, words) : sides)
      }
      postings.write()
    },
    removal: () => createRemoval(run, removed),
    *stretches(scope, condition, from, to) {
      const after = run.reach.get({})?.through ?? 0
      const fresh = groupBy(
        run.turnsAfter
          .all({ after, limit: UNLIMITED })
          .filter(one => one.scope === scope)
          .map(({ turn, record, startedAt }) => ({ turn, startedAt, sides: sidesOfRecord(record) })),
        ({ startedAt }) => hourOf(startedAt ?? 0),
      )
      for (const { bucket } of counts.days(scope, from, to)) {
        for (let hour = bucket * 24; hour < (bucket + 1) * 24; hour++) {
          if ((hour + 1) * HOUR <= from || hour * HOUR >= to) continue
          const turns = turnsOfHour(run, { scope, hour }, fresh.get(hour) ?? [], condition)
          if (turns.length > 0) yield { turns }
        }
      }
    },
  }
}
