import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'

/** Where a conversation's turns stand in the index. */
export interface WordPlace {
  readonly scope: number
  readonly startedAt: number
}

/** A turn of the index. */
export interface IndexedTurn extends WordPlace {
  readonly turn: number
  /** JSON. */
  readonly record: string
}

/** A turn that is not in the index yet; without a place where its conversation was removed. */
interface NewTurn {
  readonly turn: number
  /** JSON. */
  readonly record: string
  readonly conversation: number
  readonly scope: number | null
  readonly startedAt: number | null
}

/** How far the index goes, and which turn is the newest. */
export interface Reach {
  readonly newest: number
  /** All words of the turns up to this row are in it. */
  readonly through: number
  /** The turn of which `words` are in it, and not all; null for no turn. */
  readonly part: number | null
  readonly words: number
}

/** What the postings of a word in conversations that began in an hour are found by. */
export type BlockKey = { scope: number; hour: number; word: Uint8Array }

/** The statements that keep words of turns, prepared. */
export const wordStatements = (define: Define) => ({
  key: define()(db => db.selectFrom('word_key').select('key').compile()),
  /** Says whose turns are in the index. */
  addTurns: define<{ after: number; through: number }>()((db, p) =>
    sql<never>`insert into turn_of (turn, conversation)
      select row, conversation from turn
      where row > ${p('after')} and row <= ${p('through')}`.compile(db),
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
  reach: define()(db =>
    sql<Reach>`
      select through, part, words, (select coalesce(max(row), 0) from turn) as newest
      from indexed_turns where row = 1`.compile(db),
  ),
  setReach: define<{ through: number; part: number | null; words: number }>()((db, p) =>
    sql<never>`update indexed_turns set through = ${p('through')}, part = ${p('part')}, words = ${p('words')}
      where row = 1`.compile(db),
  ),
  /** Without a scope where the conversation was removed. */
  turnsBetween: define<{ after: number; before: number; limit: number }>()((db, p) =>
    sql<NewTurn>`
      select turn.row as turn, record, turn.conversation as conversation, scope, started_at as startedAt
      from turn left join conversation on conversation.row = turn.conversation
      where turn.row > ${p('after')} and turn.row < ${p('before')} order by turn.row limit ${p('limit')}`.compile(
      db,
    ),
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
})

type Statements = ReturnType<typeof wordStatements>

/** The statements, and what stands for a word in the file. */
export interface WordRun extends Statements {
  hashOf(word: string): Uint8Array
}

const HASH_BYTES = 8

/** Words whose hashes a process keeps; then it begins anew. */
const KEPT_HASHES = 10_000

/** Prepares the statements. */
export function prepareWords(define: Define): WordRun {
  const statements = wordStatements(define)
  const hashes = new Map<string, Uint8Array>()
  let key: string | undefined
  const hashOf = (word: string): Uint8Array => {
    const known = hashes.get(word)
    if (known !== undefined) return known
    key ??= Buffer.from(statements.key.get({})?.key ?? []).toString('hex')
    const made = hash('sha256', key + word, 'buffer').subarray(0, HASH_BYTES)
    if (hashes.size >= KEPT_HASHES) hashes.clear()
    hashes.set(word, made)
    return made
  }
  return { ...statements, hashOf }
}
