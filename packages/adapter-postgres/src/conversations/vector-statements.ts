import type { ConversationId } from '@colloquy/core'
import { sql } from 'kysely'
import type { RowRange } from '../database/row-ranges.ts'
import type { Define } from '../database/statements.ts'
import { type Conditions, holds } from './records.ts'

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
  readonly conversationId: ConversationId
  readonly listed: boolean
}

type Between = { above: number; below: number; limit: number }

const between = (define: Define, order: 'asc' | 'desc') =>
  define<Between>('claim turns to embed')<TurnRow>(
    (t, p) => sql`
    select turn.row as turn, turn.record, c.id as "conversationId", c.listed
    from ${t('turn')} as turn join ${t('conversation')} as c on c.row = turn.conversation
    where turn.row > ${p('above')}::bigint and turn.row < ${p('below')}::bigint
    order by turn.row ${sql.raw(order)} limit ${p('limit')}::bigint`,
  )

const embedderStatements = (define: Define) => ({
  embedder: define<{ id: string }>('claim turns to embed')<EmbedderRow>(
    (t, p) => sql`
    select row, claim, claimed_first as first, claimed_last as last, held_until as "heldUntil"
    from ${t('embedder')} where id = ${p('id')}`,
  ),
  /** What two that claim at once wait for. */
  lockedEmbedder: define<{ id: string }>('claim turns to embed')<EmbedderRow>(
    (t, p) => sql`
    insert into ${t('embedder')} (id, claim, held_until, used_at) values (${p('id')}, 0, 0, 0)
    on conflict (id) do update set id = excluded.id
    returning row, claim, claimed_first as first, claimed_last as last, held_until as "heldUntil"`,
  ),
  heldEmbedder: define<{ id: string; claim: number }>('keep vectors of turns')<
    RowRange & { readonly row: number }
  >(
    (t, p) => sql`
    select row, claimed_first as first, claimed_last as last from ${t('embedder')}
    where id = ${p('id')} and claim = ${p('claim')}::bigint and claimed_first is not null and claimed_last is not null
    for update`,
  ),
  claim: define<{ row: number; first: number; last: number; now: number; until: number }>(
    'claim turns to embed',
  )(
    (t, p) => sql`
    update ${t('embedder')} set claim = claim + 1, claimed_first = ${p('first')}::bigint, claimed_last = ${p('last')}::bigint,
      held_until = ${p('until')}::bigint, used_at = ${p('now')}::bigint where row = ${p('row')}::bigint`,
  ),
  endClaim: define<{ row: number }>('give turns back')(
    (t, p) => sql`
    update ${t('embedder')} set claimed_first = null, claimed_last = null, held_until = 0 where row = ${p('row')}::bigint`,
  ),
  /** All of them: one row for each model that a host has tried lately. */
  unusedEmbedders: define<{ except: string; since: number }>('remove vectors of turns')<{
    readonly row: number
  }>(
    (t, p) => sql`
    select row from ${t('embedder')} where id <> ${p('except')} and used_at < ${p('since')}::bigint order by row for update`,
  ),
  dropEmbedder: define<{ row: number }>('remove vectors of turns')(
    (t, p) => sql`
    delete from ${t('embedder')} where row = ${p('row')}::bigint`,
  ),
  ranges: define<{ embedder: number }>('claim turns to embed')<RowRange>(
    (t, p) => sql`
    select first, last from ${t('embedded_turns')} where embedder = ${p('embedder')}::bigint order by first`,
  ),
  dropRanges: define<{ embedder: number }>('keep vectors of turns')(
    (t, p) => sql`
    delete from ${t('embedded_turns')} where embedder = ${p('embedder')}::bigint`,
  ),
  insertRanges: define<{ embedder: number; firsts: readonly number[]; lasts: readonly number[] }>(
    'keep vectors of turns',
  )(
    (t, p) => sql`
      insert into ${t('embedded_turns')} (embedder, first, last)
      select ${p('embedder')}::bigint, first, last from unnest(${p('firsts')}::bigint[], ${p('lasts')}::bigint[]) as r (first, last)`,
  ),
})

/** The statements that keep vectors of turns. */
export const vectorStatements = (define: Define) => ({
  ...embedderStatements(define),
  newestBetween: between(define, 'desc'),
  oldestBetween: between(define, 'asc'),
  lastTurn: define('claim turns to embed')<{ readonly last: number }>(
    t => sql`
    select last_value as last from ${t('turn_row_seq')}`,
  ),
  /** Transactions, other than this one, that may write turns which nobody sees yet. */
  writers: define('claim turns to embed')<{ readonly writer: string }>(
    t => sql`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and relation = (select tableoid from ${t('turn')} limit 1)`,
  ),
  keep: define<{
    embedder: number
    first: number
    last: number
    turns: readonly number[]
    users: readonly (Uint8Array | null)[]
    agents: readonly (Uint8Array | null)[]
  }>('keep vectors of turns')(
    (t, p) => sql`
    insert into ${t('turn_vector')} (embedder, turn, conversation, "user", agent)
    select ${p('embedder')}::bigint, v.turn, turn.conversation, v."user", v.agent
    from unnest(${p('turns')}::bigint[], ${p('users')}::bytea[], ${p('agents')}::bytea[]) as v (turn, "user", agent)
    join ${t('turn')} as turn on turn.row = v.turn
    join ${t('conversation_head')} as h on h.row = turn.conversation
    where v.turn between ${p('first')}::bigint and ${p('last')}::bigint
    order by h.row for key share of h
    on conflict (embedder, turn) do update set "user" = excluded."user", agent = excluded.agent`,
  ),
  next: define<Conditions & { embedder: string; limit: number }>('read vectors of turns')<{
    readonly id: ConversationId
    readonly startedAt: number
    readonly users: readonly (string | null)[]
    readonly agents: readonly (string | null)[]
    readonly found: number
  }>(
    (t, p) => sql`
    with places as (
      select c.row, c.started_at, c.id from ${t('conversation')} as c where ${holds(t, p)}
      order by c.started_at, c.id limit ${p('limit')}::bigint + 1
    ), told as (
      select places.*, (select count(*) from ${t('turn_vector')} as v
        where v.conversation = places.row and v.embedder = (select row from ${t('embedder')} where id = ${p('embedder')})) as turns,
        row_number() over (order by started_at, id) as place, count(*) over () as found
      from places
    ), measured as (
      select *, sum(turns) over (order by place) as so_far from told
    )
    select id, started_at as "startedAt", found,
      array(select encode("user", 'hex') from ${t('turn_vector')} as v where v.conversation = measured.row
        and v.embedder = (select row from ${t('embedder')} where id = ${p('embedder')}) order by v.turn) as users,
      array(select encode(agent, 'hex') from ${t('turn_vector')} as v where v.conversation = measured.row
        and v.embedder = (select row from ${t('embedder')} where id = ${p('embedder')}) order by v.turn) as agents
    from measured where place <= ${p('limit')}::bigint and (place = 1 or so_far <= ${p('limit')}::bigint) order by place`,
  ),
  dropVectors: define<{ embedder: number; limit: number }>('remove vectors of turns')(
    (t, p) => sql`
    delete from ${t('turn_vector')} where embedder = ${p('embedder')}::bigint and turn in
      (select turn from ${t('turn_vector')} where embedder = ${p('embedder')}::bigint limit ${p('limit')}::bigint) returning 1`,
  ),
})
