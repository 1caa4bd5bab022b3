import { hash } from 'node:crypto'
import { type TurnWords, turnWords, type WordCondition } from '@colloquy/core/store'
import type { Database } from 'better-sqlite3'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import { createDefine, type Define } from '../database/statements.ts'
import { type NewTurn, UNLIMITED } from './conversation-log.ts'
import { groupBy } from './intervals/interval-places.ts'
import type { RecordCounts } from './record-counts.ts'
import { type Posting, packPostings, SIDES, unpackPostings } from './word-postings.ts'

const HOUR = 3_600_000

/** Number of loose words of a scope from which they are packed; a search scans the loose ones. */
const LOOSE_WORDS = 4_096

/** Number of turns of a scope from which they are packed, however few words they have. */
const LOOSE_TURNS = 512

/** The most words that one write packs, so that no write is long. */
const PACKED_AT_ONCE = 2 * LOOSE_WORDS

/** Where a conversation's turns stand in the index. */
export interface WordPlace {
  readonly scope: number
  readonly startedAt: number
}

/** A turn that is to be taken out of the index. */
export interface IndexedTurn extends WordPlace {
  readonly turn: number
  /** JSON. */
  readonly record: string
}

type LooseWords = {
  readonly turn: number
  readonly hour: number
  readonly user: string
  readonly agent: string
}

type BlockKey = { scope: number; hour: number; word: Uint8Array }

const hourOf = (time: number): number => Math.floor(time / HOUR)

/** The statements that keep words of turns, prepared. */
export const wordStatements = (define: Define) => ({
  key: define()(db => db.selectFrom('word_key').select('key').compile()),
  addTurn: define<{ turn: number; conversation: number }>()((db, p) =>
    db
      .insertInto('turn_of')
      .values({ turn: p('turn'), conversation: p('conversation') })
      .compile(),
  ),
  addLoose: define<LooseWords & { scope: number; words: number }>()((db, p) =>
    sql`insert or replace into loose_words (turn, scope, hour, words, user, agent)
      values (${p('turn')}, ${p('scope')}, ${p('hour')}, ${p('words')}, ${p('user')}, ${p('agent')})`.compile(
      db,
    ),
  ),
  dropLoose: define<{ turn: number }>()((db, p) =>
    db.deleteFrom('loose_words').where('turn', '=', p('turn')).compile(),
  ),
  looseSums: define<{ scope: number }>()((db, p) =>
    sql<{ readonly turns: number; readonly words: number }>`
      select count(*) as turns, coalesce(sum(words), 0) as words
      from loose_words indexed by loose_words_of where scope = ${p('scope')}`.compile(db),
  ),
  loose: define<{ scope: number; limit: number }>()((db, p) =>
    sql<LooseWords>`
      select turn, hour, user, agent from loose_words indexed by loose_words_of
      where scope = ${p('scope')} order by turn limit ${p('limit')}`.compile(db),
  ),
  insertBlock: define<BlockKey & { first: number; turns: Uint8Array }>()((db, p) =>
    sql`insert or ignore into word_block (scope, hour, word, first, turns)
      values (${p('scope')}, ${p('hour')}, ${p('word')}, ${p('first')}, ${p('turns')})`.compile(db),
  ),
  setBlock: define<BlockKey & { first: number; turns: Uint8Array }>()((db, p) =>
    db
      .updateTable('word_block')
      .set({ turns: p('turns') })
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .where('first', '=', p('first'))
      .compile(),
  ),
  dropBlock: define<BlockKey & { first: number }>()((db, p) =>
    db
      .deleteFrom('word_block')
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .where('first', '=', p('first'))
      .compile(),
  ),
  /** Drops a block that holds exactly this. */
  dropSame: define<BlockKey & { first: number; turns: Uint8Array }>()((db, p) =>
    db
      .deleteFrom('word_block')
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .where('first', '=', p('first'))
      .where('turns', '=', p('turns'))
      .compile(),
  ),
  block: define<BlockKey & { first: number }>()((db, p) =>
    db
      .selectFrom('word_block')
      .select('turns')
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .where('first', '=', p('first'))
      .compile(),
  ),
  /** Those that may hold the turn, the likeliest first. */
  blocksUntil: define<BlockKey & { turn: number }>()((db, p) =>
    db
      .selectFrom('word_block')
      .select(['first', 'turns'])
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .where('first', '<=', p('turn'))
      .orderBy('first', 'desc')
      .compile(),
  ),
  blocks: define<BlockKey>()((db, p) =>
    db
      .selectFrom('word_block')
      .select('turns')
      .where('scope', '=', p('scope'))
      .where('hour', '=', p('hour'))
      .where('word', '=', p('word'))
      .compile(),
  ),
  turnsOf: define<{ conversation: number }>()((db, p) =>
    sql<{ readonly turn: number; readonly record: string }>`
      with recursive chain (row, previous, record) as (
        select row, previous, record from turn
        where row = (select last_turn from conversation_head where row = ${p('conversation')})
        union all
        select turn.row, turn.previous, turn.record from chain cross join turn on turn.row = chain.previous
      )
      select row as turn, record from chain`.compile(db),
  ),
  everyTurn: define<{ after: number; limit: number }>()((db, p) =>
    sql<IndexedTurn>`
      select turn.row as turn, record, scope, started_at as startedAt
      from turn cross join turn_of on turn_of.turn = turn.row
        cross join conversation on conversation.row = turn_of.conversation
      where turn.row > ${p('after')} order by turn.row limit ${p('limit')}`.compile(db),
  ),
})

type Statements = ReturnType<typeof wordStatements>

/** The statements, and what stands for a word in the file. */
interface Run extends Statements {
  hashOf(word: string): Uint8Array
}

const HASH_BYTES = 8

function prepare(define: Define): Run {
  const statements = wordStatements(define)
  let key: string | undefined
  const hashOf = (word: string) => {
    key ??= Buffer.from(statements.key.get({})?.key ?? []).toString('hex')
    return hash('sha256', key + word, 'buffer').subarray(0, HASH_BYTES)
  }
  return { ...statements, hashOf }
}

type Sides = ReadonlyMap<string, number>

/** The different words of a turn, as they come in it, and on which sides they are. */
function sidesInText({ user, agent }: TurnWords): Sides {
  const sides = new Map<string, number>()
  for (const word of user) sides.set(word, SIDES.user)
  for (const word of agent) sides.set(word, (sides.get(word) ?? 0) + SIDES.agent)
  return sides
}

/** The different words of a turn, in order, and on which sides they are. */
function sidesOf(words: TurnWords): Sides {
  const sides = sidesInText(words)
  // Words alone are sorted three times as fast as pairs.
  return new Map([...sides.keys()].sort().map(word => [word, sides.get(word) ?? 0]))
}

const split = (words: string): readonly string[] => (words === '' ? [] : words.split(' '))

const looseSides = ({ user, agent }: LooseWords) => sidesOf({ user: split(user), agent: split(agent) })

const wordsWith = (sides: readonly (readonly [string, number])[], side: number): string =>
  sides
    .filter(([, found]) => (found & side) !== 0)
    .map(([word]) => word)
    .join(' ')

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

/** What makes conversations found by the words of their turns. */
export interface SearchWords {
  /** Indexes turns of a conversation that were added in these rows. */
  add(conversation: number, place: WordPlace, rows: readonly number[], turns: readonly NewTurn[]): void
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

function keepLoose(
  run: Run,
  turn: number,
  { scope, hour }: { readonly scope: number; readonly hour: number },
  sides: readonly [string, number][],
) {
  if (sides.length === 0) {
    run.dropLoose.run({ turn })
    return
  }
  const [user, agent] = [wordsWith(sides, SIDES.user), wordsWith(sides, SIDES.agent)]
  run.addLoose.run({ turn, scope, hour, words: sides.length, user, agent })
}

/** The most turns in a block when it is written: removing one rewrites its block. */
const TURNS_OF_A_BLOCK = 64

function writeBlocks(run: Run, key: BlockKey, postings: readonly Posting[]): void {
  for (let from = 0; from < postings.length; from += TURNS_OF_A_BLOCK) {
    writeBlock(run, key, postings.slice(from, from + TURNS_OF_A_BLOCK))
  }
}

function writeBlock(run: Run, key: BlockKey, postings: readonly Posting[]): void {
  const first = postings[0]?.turn ?? 0
  if (run.insertBlock.run({ ...key, first, turns: packPostings(postings) }).changes > 0) return
  const there = unpackPostings(run.block.get({ ...key, first })?.turns ?? new Uint8Array())
  const joined = new Map([...there, ...postings].map(posting => [posting.turn, posting]))
  const sorted = [...joined.values()].sort((one, other) => one.turn - other.turn)
  run.setBlock.run({ ...key, first, turns: packPostings(sorted) })
}

/** Packs the oldest loose words of a scope. */
function packSome(run: Run, scope: number): void {
  const hours = new Map<number, Map<string, Posting[]>>()
  let left = PACKED_AT_ONCE
  for (const loose of run.loose.all({ scope, limit: LOOSE_TURNS })) {
    const sides = [...looseSides(loose)]
    const packed = sides.slice(0, left)
    const words = hours.get(loose.hour) ?? new Map<string, Posting[]>()
    hours.set(loose.hour, words)
    for (const [word, side] of packed) {
      const postings = words.get(word) ?? []
      postings.push({ turn: loose.turn, sides: side })
      words.set(word, postings)
    }
    keepLoose(run, loose.turn, { scope, hour: loose.hour }, sides.slice(packed.length))
    left -= packed.length
    if (left === 0) break
  }
  for (const [hour, words] of hours) {
    const blocks = [...words].map(([word, postings]) => ({ word: run.hashOf(word), postings }))
    // In the order of the table, whose pages are then written one after the other.
    blocks.sort((one, other) => Buffer.compare(one.word, other.word))
    for (const { word, postings } of blocks) writeBlocks(run, { scope, hour, word }, postings)
  }
}

function packWhereMany(run: Run, scope: number): void {
  const loose = run.looseSums.get({ scope })
  if (loose !== undefined && (loose.words >= LOOSE_WORDS || loose.turns >= LOOSE_TURNS)) packSome(run, scope)
}

function addTurn(run: Run, turn: number, { scope, startedAt }: WordPlace, words: TurnWords): void {
  const sides = [...sidesOf(words)]
  if (sides.length > 0) keepLoose(run, turn, { scope, hour: hourOf(startedAt) }, sides)
}

/** Takes turns out of a block, and those that it held out of the wanted ones. */
function removeFrom(
  run: Run,
  key: BlockKey,
  { first, turns }: { readonly first: number; readonly turns: Uint8Array },
  wanted: Set<number>,
): void {
  const postings = unpackPostings(turns)
  const kept = postings.filter(({ turn }) => !wanted.has(turn))
  for (const { turn } of postings) wanted.delete(turn)
  if (kept.length === postings.length) return
  if (kept.length === 0) run.dropBlock.run({ ...key, first })
  else run.setBlock.run({ ...key, first, turns: packPostings(kept) })
}

/** Takes turns out of the postings of a word. */
function removePostings(run: Run, key: BlockKey, turns: ReadonlyMap<number, number>): void {
  const wanted = new Set(turns.keys())
  for (const [turn, sides] of turns) {
    if (!wanted.has(turn)) continue
    // Most blocks hold one turn: to drop them so is half the work.
    if (run.dropSame.run({ ...key, first: turn, turns: packPostings([{ turn, sides }]) }).changes > 0) {
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

/** Words of a text that is longer are told apart in one write, put in order in the next, and taken out after that. */
const LONG_RECORD = 32_768

/** The words of a turn, in order, and the sides of each. */
interface ReadTurn {
  readonly words: readonly string[]
  readonly sides: ReadonlyMap<string, number>
}

/** Reads the words of turns of which some are taken out in one write and some in the next. */
interface TurnReader {
  /** Null when the turn is so long that reading it is enough for a write; asked again it goes on. */
  read(turn: Pick<IndexedTurn, 'turn' | 'record'>): ReadTurn | null
  /** The turn that was read last is not asked for again. */
  forget(): void
}

/**
 * Keeps the words of the turn that was read last: tens of thousands take longer to be told apart than to be taken out.
 */
function createTurnReader(longRecord: number): TurnReader {
  let last: {
    readonly turn: number
    readonly record: string
    readonly sides: Sides
    words: string[] | null
  } | null = null
  return {
    read({ turn, record }) {
      const isLong = record.length > longRecord
      if (last?.turn !== turn || last.record !== record) {
        last = { turn, record, sides: sidesInText(turnWords({ record: fromJson(record) })), words: null }
        if (isLong) return null
      }
      const { sides, words } = last
      if (words !== null) return { sides, words }
      last.words = [...sides.keys()].sort()
      return isLong ? null : { sides, words: last.words }
    },
    forget() {
      last = null
    },
  }
}

/** Takes turns out of the index, word by word, so that a block of which many go is written once. */
function createRemoval(run: Run, reader: TurnReader): WordRemoval {
  const places = new Map<
    string,
    { readonly scope: number; readonly hour: number; readonly words: WordsOfTurns }
  >()

  return {
    remove({ turn, scope, startedAt, record }, done, units) {
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
      run.dropLoose.run({ turn })
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

/** Indexes the turns of a file that has no such index yet. */
export function indexAllTurns(database: Database): void {
  const run = prepare(createDefine(database))
  const limit = 1_000
  let after = 0
  for (let turns = run.everyTurn.all({ after, limit }); turns.length > 0; ) {
    for (const { turn, record, scope, startedAt } of turns) {
      addTurn(run, turn, { scope, startedAt }, turnWords({ record: fromJson(record) }))
      packWhereMany(run, scope)
      after = turn
    }
    turns = run.everyTurn.all({ after, limit })
  }
}

/** The turns of an hour that contain every word on the selected side. */
function turnsOfHour(
  run: Run,
  place: { readonly scope: number; readonly hour: number },
  loose: readonly { readonly turn: number; readonly sides: ReadonlyMap<string, number> }[],
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
    for (const { turn, sides } of loose) take(turn, sides.get(word) ?? 0)
    if (turns.size === 0) return []
    found = turns
  }
  return [...(found ?? [])]
}

/** Keeps the index of words in the transaction that writes the turns. */
export function createSearchWords(define: Define, counts: RecordCounts): SearchWords {
  const run = prepare(define)
  const reader = createTurnReader(LONG_RECORD)

  return {
    add(conversation, place, rows, turns) {
      for (const [index, turn] of rows.entries()) {
        run.addTurn.run({ turn, conversation })
        addTurn(run, turn, place, turns[index]?.words ?? { user: [], agent: [] })
      }
      if (rows.length > 0) packWhereMany(run, place.scope)
    },
    move(conversation, from, to) {
      if (from.scope === to.scope && hourOf(from.startedAt) === hourOf(to.startedAt)) return
      const turns = run.turnsOf.all({ conversation })
      const removal = createRemoval(run, createTurnReader(Number.POSITIVE_INFINITY))
      for (const turn of turns) removal.remove({ ...from, ...turn }, 0, Number.MAX_SAFE_INTEGER)
      removal.finish()
      for (const { turn, record } of turns) addTurn(run, turn, to, turnWords({ record: fromJson(record) }))
      packWhereMany(run, to.scope)
    },
    removal: () => createRemoval(run, reader),
    *stretches(scope, condition, from, to) {
      const all = run.loose.all({ scope, limit: UNLIMITED })
      const loose = groupBy(
        all.map(one => ({ ...one, sides: looseSides(one) })),
        ({ hour }) => hour,
      )
      for (const { bucket } of counts.days(scope, from, to)) {
        for (let hour = bucket * 24; hour < (bucket + 1) * 24; hour++) {
          if ((hour + 1) * HOUR <= from || hour * HOUR >= to) continue
          const turns = turnsOfHour(run, { scope, hour }, loose.get(hour) ?? [], condition)
          if (turns.length > 0) yield { turns }
        }
      }
    },
  }
}
