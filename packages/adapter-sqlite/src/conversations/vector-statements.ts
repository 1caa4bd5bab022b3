import type { ConversationId } from '@colloquy/core'
import { sql } from 'kysely'
import type { RowRange } from '../database/row-ranges.ts'
import type { Define } from '../database/statements.ts'
import type { Listed } from '../database/tables.ts'

/** An embedder as its row says. */
export interface EmbedderRow {
  readonly row: number
  readonly claim: number
  readonly first: number | null
  readonly last: number | null
  readonly heldUntil: number
}

/** A turn and whose it is. */
export interface TurnRow {
  readonly turn: number
  readonly record: string
  readonly conversation: number
  readonly conversationId: ConversationId
  readonly listed: Listed
}

type Between = { above: number; below: number; limit: number }

const between = (define: Define, order: 'asc' | 'desc') =>
  define<Between>()((db, p) =>
    sql<TurnRow>`
      select turn.row as turn, record, conversation.row as conversation, conversation.id as conversationId, listed
      from turn cross join conversation on conversation.row = turn.conversation
      where turn.row > ${p('above')} and turn.row < ${p('below')}
      order by turn.row ${sql.raw(order)} limit ${p('limit')}`.compile(db),
  )

const embedderStatements = (define: Define) => ({
  embedder: define<{ id: string }>()((db, p) =>
    sql<EmbedderRow>`
      select row, claim, claimed_first as first, claimed_last as last, held_until as heldUntil
      from embedder where id = ${p('id')}`.compile(db),
  ),
  insertEmbedder: define<{ id: string }>()((db, p) =>
    sql`insert into embedder (id, claim, held_until, used_at) values (${p('id')}, 0, 0, 0)`.compile(db),
  ),
  claim: define<{ row: number; first: number; last: number; now: number; until: number }>()((db, p) =>
    sql`update embedder set claim = claim + 1, claimed_first = ${p('first')}, claimed_last = ${p('last')},
      held_until = ${p('until')}, used_at = ${p('now')} where row = ${p('row')}`.compile(db),
  ),
  endClaim: define<{ row: number }>()((db, p) =>
    sql`update embedder set claimed_first = null, claimed_last = null, held_until = 0
      where row = ${p('row')}`.compile(db),
  ),
  /** All of them: one row for each model that a host has tried lately. */
  unusedEmbedders: define<{ except: string; since: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from embedder where id <> ${p('except')} and used_at < ${p('since')}`.compile(db),
  ),
  dropEmbedder: define<{ row: number }>()((db, p) =>
    sql`delete from embedder where row = ${p('row')}`.compile(db),
  ),
  ranges: define<{ embedder: number }>()((db, p) =>
    sql<RowRange>`select first, last from embedded_turns
      where embedder = ${p('embedder')} order by first`.compile(db),
  ),
  dropRanges: define<{ embedder: number }>()((db, p) =>
    sql`delete from embedded_turns where embedder = ${p('embedder')}`.compile(db),
  ),
  insertRange: define<{ embedder: number; first: number; last: number }>()((db, p) =>
    sql`insert into embedded_turns (embedder, first, last)
      values (${p('embedder')}, ${p('first')}, ${p('last')})`.compile(db),
  ),
})

/** The statements that keep vectors of turns, prepared. */
export const vectorStatements = (define: Define) => ({
  ...embedderStatements(define),
  newestBetween: between(define, 'desc'),
  oldestBetween: between(define, 'asc'),
  conversationOf: define<{ turn: number }>()((db, p) =>
    sql<{ readonly conversation: number }>`
      select conversation from turn where row = ${p('turn')}`.compile(db),
  ),
  keep: define<{
    embedder: number
    turn: number
    conversation: number
    user: Uint8Array | null
    agent: Uint8Array | null
  }>()((db, p) =>
    sql`insert or replace into turn_vector (embedder, turn, conversation, user, agent)
      values (${p('embedder')}, ${p('turn')}, ${p('conversation')}, ${p('user')}, ${p('agent')})`.compile(db),
  ),
  vectors: define<{ embedder: number; conversation: number }>()((db, p) =>
    sql<{ readonly user: Uint8Array | null; readonly agent: Uint8Array | null }>`
      select user, agent from turn_vector
      where conversation = ${p('conversation')} and embedder = ${p('embedder')} order by turn`.compile(db),
  ),
  dropVectors: define<{ embedder: number; limit: number }>()((db, p) =>
    sql`delete from turn_vector where row in
      (select row from turn_vector where embedder = ${p('embedder')} limit ${p('limit')})`.compile(db),
  ),
})
