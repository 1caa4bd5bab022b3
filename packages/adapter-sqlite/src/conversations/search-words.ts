import { type TurnTexts, turnWords, type WordCondition } from '@colloquy/core/store'
import { fromJson } from '../database/json.ts'
import { rest } from '../database/lock-waits.ts'
import type { Session } from '../database/session.ts'
import { UNLIMITED } from './conversation-log.ts'
import { AT_ONCE, createFreshWords } from './fresh-words.ts'
import { groupBy } from './intervals/interval-places.ts'
import type { RecordCounts } from './record-counts.ts'
import { createTurnReader, type Sides, sidesOf, type TurnReader } from './turn-reader.ts'
import { collectPostings, HOUR, hourOf } from './word-blocks.ts'
import { SIDES, sidesIn, turnOf, unpackPostings } from './word-postings.ts'
import { createRemoval, type WordRemoval } from './word-removal.ts'
import { prepareWords, type Reach, type WordPlace, type WordRun } from './word-statements.ts'

/** A search reads through the turns that are not indexed yet, but not through more than these. */
const MOST_SCANNED = 256

/**
 * So many turns are indexed together, once a process has written them, even if nothing is searched. Fewer wait for
 * those that follow: turns that share a word share its block, and a search reads through them.
 */
const INDEXED_TOGETHER = 256

/** A write of the index is followed by a pause of this many times its own duration, unless turns are written. */
const REST = 2

/** Behind the last row. */
const NO_END = Number.MAX_SAFE_INTEGER

/** What makes conversations found by the words of their turns. */
export interface SearchWords {
  /** Adds the next turns to the index, within a write; false when all are in it. */
  some(): boolean
  /** Within the write that adds the turn, of which `row` is the row: its words are not indexed yet. */
  wrote(row: number, place: WordPlace, texts: TurnTexts): void
  /** So many turns were written elsewhere, whose words are not indexed yet. */
  added(turns: number): void
  /** A conversation was removed, and its turns will be: what is kept of turns is let go of. */
  forget(): void
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

const sidesOfSome = (sides: Sides, words: readonly string[]): Sides =>
  new Map(words.map(word => [word, sides.get(word) ?? 0]))

/**
 * Reads the next turns, up to that row, and adds them to the index: whole ones but for one that has more words than a
 * write may add. Returns the row up to which all turns are in it then.
 */
function indexStored(run: WordRun, reader: TurnReader, reach: Reach, before: number): number {
  const postings = collectPostings(run)
  let { through, part, words: done } = reach
  let { differentWords, words: all } = AT_ONCE
  const turns = run.turnsBetween.all({ after: through, before, limit: AT_ONCE.turns })
  // Those that were there were removed.
  if (turns.length === 0 && before !== NO_END) through = before - 1
  for (const { turn, record, scope, startedAt } of turns) {
    if (scope !== null && startedAt !== null) {
      const read = reader.read({ turn, record })
      // So long that reading it is enough for a write.
      if (read === null) break
      const { sides } = read
      const begun = part === turn ? done : 0
      const missing = sides.size - begun
      const left = Math.min(differentWords, all)
      if (missing > left && all < AT_ONCE.words) break
      const whole = begun === 0 && missing <= left
      const some = whole ? null : read.words.slice(begun, begun + left)
      const added = some === null ? sides : sidesOfSome(sides, some)
      differentWords -= postings.add(turn, { scope, startedAt }, added)
      all -= some?.length ?? missing
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
  return through
}

/** The turns of an hour that contain every word on the selected side. */
function turnsOfHour(
  run: WordRun,
  place: { readonly scope: number; readonly hour: number },
  unindexed: readonly { readonly turn: number; readonly sides: Sides }[],
  { words, speaker }: WordCondition,
): readonly number[] {
  let found: ReadonlySet<number> | null = null
  for (const word of words) {
    const turns = new Set<number>()
    const take = (turn: number, sides: number): void => {
      if ((sides & SIDES[speaker]) !== 0 && (found === null || found.has(turn))) turns.add(turn)
    }
    for (const block of run.blocks.each({ ...place, word: run.hashOf(word) })) {
      for (const posting of unpackPostings(block.turns)) take(turnOf(posting), sidesIn(posting))
    }
    for (const { turn, sides } of unindexed) take(turn, sides.get(word) ?? 0)
    if (turns.size === 0) return []
    found = turns
  }
  return [...(found ?? [])]
}

/**
 * Keeps the index of words beside the writes that add turns: how far it goes is written with the words, so each turn is
 * indexed once, whichever process does it. Long because all of it shares the statements.
 */
export function createSearchWords(
  { define, onStale, read, write }: Session,
  counts: RecordCounts,
): SearchWords {
  const operation = 'index words of turns'
  const run = prepareWords(define)
  const [indexed, removed] = [createTurnReader(), createTurnReader()]
  const fresh = createFreshWords(run)
  onStale(fresh.forget)
  /** Turns that are not indexed, as far as this process knows. */
  let waiting = 0
  /** A write of the index is on its way; there is a pause after one. */
  let [writing, resting] = [false, false]

  /**
   * Adds the next turns up to that row to the index, if at least `least` of them are not in it. Returns how many are
   * not in it then.
   */
  function indexNext(last: number, least: number): number {
    const reach = run.reach.get({})
    if (reach === undefined) return 0
    const { newest, through, part } = reach
    const left = (after: number): number => Math.max(Math.min(newest, last) - after, 0)
    if (left(through) < least) return left(through)
    fresh.passed(through)
    const batch = part === null && fresh.first === through + 1 ? fresh.take() : null
    if (batch === null) return left(indexStored(run, indexed, reach, fresh.first ?? NO_END))
    batch.postings.write()
    fresh.reuse(batch.postings)
    run.addTurns.run({ after: through, through: batch.last })
    run.setReach.run({ through: batch.last, part: null, words: 0 })
    return left(batch.last)
  }

  const isDue = (): boolean => waiting >= INDEXED_TOGETHER || fresh.isReady

  /** Resolves with how long it took. */
  async function indexOnce(): Promise<number> {
    let took = 0
    await write(operation, () => {
      const began = performance.now()
      // Turns that are written after it may take the next one with them.
      writing = false
      waiting = indexNext(NO_END, fresh.isReady ? 1 : INDEXED_TOGETHER)
      took = performance.now() - began
    })
    return took
  }

  /** One short write after the other: with those that add turns, so that none are left behind, or after a pause. */
  function goOn(): void {
    if (writing || !isDue()) return
    writing = true
    indexOnce().then(goOnLater, () => {
      // What fails here (the file is locked, the store is closed) is left to the next time.
      writing = false
      waiting = 0
    })
  }

  async function goOnLater(took: number): Promise<void> {
    if (writing || resting || !isDue()) return
    resting = true
    await rest(took * REST)
    resting = false
    goOn()
  }

  return {
    some: () => indexNext(NO_END, 1) > 0,
    wrote(row, place, texts) {
      fresh.add(row, place, texts)
      waiting++
      goOn()
    },
    added(turns) {
      waiting += turns
      goOn()
    },
    forget: fresh.forget,
    async caughtUp() {
      const reach = await read(operation, () => run.reach.get({}))
      if (reach === undefined || reach.newest - reach.through <= MOST_SCANNED) return
      for (let left = 1; left > 0; ) left = await write(operation, () => indexNext(reach.newest, 1))
    },
    move(conversation, from, to) {
      if (from.scope === to.scope && hourOf(from.startedAt) === hourOf(to.startedAt)) return
      fresh.forget()
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
      const unindexed = groupBy(
        run.turnsBetween
          .all({ after, before: NO_END, limit: UNLIMITED })
          .filter(one => one.scope === scope)
          .map(({ turn, record, startedAt }) => ({ turn, startedAt, sides: sidesOfRecord(record) })),
        ({ startedAt }) => hourOf(startedAt ?? 0),
      )
      for (const { bucket } of counts.days(scope, from, to)) {
        for (let hour = bucket * 24; hour < (bucket + 1) * 24; hour++) {
          if ((hour + 1) * HOUR <= from || hour * HOUR >= to) continue
          const turns = turnsOfHour(run, { scope, hour }, unindexed.get(hour) ?? [], condition)
          if (turns.length > 0) yield { turns }
        }
      }
    },
  }
}
