import type { ConversationId } from '@colloquy/core'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder } from '../database/statements.ts'
import { type Place, placeStatements } from './place-statements.ts'

/** What every write changes. */
type Body = {
  sequence: number
  lastEvent: number | null
  lastTurn: number | null
  summary: string
  details: string
  state: string
}

const rowStatements = (define: Define) => ({
  head: define<{ id: ConversationId }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select([
        ...([
          'row',
          'version',
          'sequence',
          'last_event',
          'last_turn',
          'wake_at',
          'finished_at',
          'scope',
          'started_at',
        ] as const),
      ])
      .where('id', '=', p('id'))
      .compile(),
  ),
  load: define<{ id: ConversationId }>()((db, p) =>
    sql<{ readonly state: string; readonly version: number; readonly pending: string }>`
      select state, version,
        (select json_group_array(event_id order by row) from pending_external_event
         where conversation_id = ${p('id')}) as pending
      from conversation where id = ${p('id')}`.compile(db),
  ),
  insert: define<Place & Body & { id: ConversationId; wakeAt: number | null; turns: string | null }>()(
    (db, p) =>
      db
        .insertInto('conversation')
        .values({
          // Not the row of a conversation that was removed and whose log is still there.
          row: sql<number>`(select max(
            coalesce((select max(row) from conversation), 0),
            coalesce((select max(conversation) from removed_log), 0)) + 1)`,
          id: p('id'),
          version: 1,
          sequence: p('sequence'),
          last_event: p('lastEvent'),
          last_turn: p('lastTurn'),
          wake_at: p('wakeAt'),
          scope: p('scope'),
          listed: p('listed'),
          started_at: p('startedAt'),
          finished_at: p('finishedAt'),
          span: sql.lit(0),
          variant: p('variant'),
          channel: p('channel'),
          language: p('language'),
          to_number: p('toNumber'),
          summary: p('summary'),
          details: p('details'),
          turns: p('turns'),
          state: p('state'),
          claims: sql.lit(0),
        })
        .compile(),
  ),
  advance: define<Body & { row: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({
        version: sql<number>`version + 1`,
        sequence: p('sequence'),
        last_event: p('lastEvent'),
        last_turn: p('lastTurn'),
        summary: p('summary'),
        details: p('details'),
        state: p('state'),
        claims: sql.lit(0),
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  // A statement of its own, because setting an indexed column rewrites the index even where nothing changes.
  advanceAndWake: define<Body & { row: number; wakeAt: number | null }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({
        version: sql<number>`version + 1`,
        sequence: p('sequence'),
        last_event: p('lastEvent'),
        last_turn: p('lastTurn'),
        wake_at: p('wakeAt'),
        summary: p('summary'),
        details: p('details'),
        state: p('state'),
        claims: sql.lit(0),
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  setTurns: define<{ row: number; turns: string | null }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ turns: p('turns') })
      .where('row', '=', p('row'))
      .compile(),
  ),
  growVersion: define<{ row: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ version: sql<number>`version + 1` })
      .where('row', '=', p('row'))
      .compile(),
  ),
})

/**
 * The rows of a log from `last` back to behind `after`, with their texts: as many as have no more than `bytes` bytes. A
 * row has one row before it, so they come newest first.
 */
const chainTexts = (p: Placeholder<{ after: number; bytes: number }>, last: RawBuilder<unknown>) => sql`
  chain (previous, event, bytes) as (
    select previous, event, ${p('bytes')} - octet_length(event) from event
    where row = ${last} and sequence > ${p('after')} and octet_length(event) <= ${p('bytes')}
    union all
    select event.previous, event.event, chain.bytes - octet_length(event.event) from chain
    cross join event on event.row = chain.previous
    where event.sequence > ${p('after')} and octet_length(event.event) <= chain.bytes
  )`

const logStatements = (define: Define) => ({
  insertEvent: define<{ previous: number | null; sequence: number; event: string }>()((db, p) =>
    db
      .insertInto('event')
      .values({ previous: p('previous'), sequence: p('sequence'), event: p('event') })
      .compile(),
  ),
  insertTurn: define<{ previous: number | null; record: string; details: string }>()((db, p) =>
    db
      .insertInto('turn')
      .values({ previous: p('previous'), record: p('record'), details: p('details') })
      .compile(),
  ),
  // Newest first. A chain never changes behind its end, so reading it needs no transaction.
  // Where the chain is between `last` and `after`, newest first; the texts are not read for their lengths.
  stretch: define<{ last: number | null; after: number }>()((db, p) =>
    sql<{ readonly row: number; readonly sequence: number; readonly bytes: number }>`
      with recursive chain (row, previous, sequence, bytes) as (
        select row, previous, sequence, octet_length(event) from event
        where row = ${p('last')} and sequence > ${p('after')}
        union all
        select event.row, event.previous, event.sequence, octet_length(event.event) from chain
        cross join event on event.row = chain.previous where event.sequence > ${p('after')}
      )
      select row, sequence, bytes from chain`.compile(db),
  ),
  eventText: define<{ row: number }>()((db, p) =>
    db.selectFrom('event').select('event').where('row', '=', p('row')).compile(),
  ),
  // The same stretch with its texts, newest first, joined by commas. It ends early where they have more bytes together.
  stretchTexts: define<{ last: number | null; after: number; bytes: number }>()((db, p) =>
    sql<{ readonly events: string | null; readonly bytes: number | null }>`
      with recursive ${chainTexts(p, sql`${p('last')}`)}
      select group_concat(event, ',') as events, sum(octet_length(event)) as bytes from chain`.compile(db),
  ),
  // The end of a log with its texts likewise, where it has at most `most` events; null when it has more.
  tail: define<{ id: ConversationId; after: number; bytes: number; most: number }>()((db, p) =>
    sql<{ readonly sequence: number; readonly events: string | null }>`
      select sequence, case when sequence - ${p('after')} <= ${p('most')} then (
        with recursive ${chainTexts(p, sql`conversation.last_event`)} select group_concat(event, ',') from chain
      ) end as events from conversation where id = ${p('id')}`.compile(db),
  ),
  anchorAfter: define<{ conversation: number; after: number }>()((db, p) =>
    db
      .selectFrom('event_anchor')
      .select(['event', 'sequence'])
      .where('conversation', '=', p('conversation'))
      .where('sequence', '>', p('after'))
      .orderBy('sequence')
      .limit(sql.lit(1))
      .compile(),
  ),
  insertAnchor: define<{ conversation: number; sequence: number; row: number }>()((db, p) =>
    db
      .insertInto('event_anchor')
      .values({ conversation: p('conversation'), sequence: p('sequence'), event: p('row') })
      .compile(),
  ),
  turns: define<{ last: number | null; limit: number }>()((db, p) =>
    sql<{ readonly record: string; readonly details: string }>`
      with recursive chain (previous, record, details) as (
        select previous, record, details from turn where row = ${p('last')}
        union all
        select turn.previous, turn.record, turn.details from chain
        cross join turn on turn.row = chain.previous
      )
      select record, details from chain limit ${p('limit')}`.compile(db),
  ),
  turnRecords: define<{ last: number | null }>()((db, p) =>
    sql<{ readonly record: string }>`
      with recursive chain (previous, record) as (
        select previous, record from turn where row = ${p('last')}
        union all
        select turn.previous, turn.record from chain cross join turn on turn.row = chain.previous
      )
      select record from chain`.compile(db),
  ),
  turnPlaces: define<{ last: number | null }>()((db, p) =>
    sql<{ readonly row: number; readonly bytes: number }>`
      with recursive chain (row, previous, bytes) as (
        select row, previous, octet_length(record) + octet_length(details) from turn where row = ${p('last')}
        union all
        select turn.row, turn.previous, octet_length(turn.record) + octet_length(turn.details)
        from chain cross join turn on turn.row = chain.previous
      )
      select row, bytes from chain`.compile(db),
  ),
  turnText: define<{ row: number }>()((db, p) =>
    db.selectFrom('turn').select(['record', 'details']).where('row', '=', p('row')).compile(),
  ),
  clientEvent: define<{ conversation: number; clientEventId: string }>()((db, p) =>
    db
      .selectFrom('client_event')
      .select('sequence')
      .where('conversation', '=', p('conversation'))
      .where('client_event_id', '=', p('clientEventId'))
      .compile(),
  ),
  insertClientEvent: define<{ conversation: number; clientEventId: string; sequence: number }>()((db, p) =>
    db
      .insertInto('client_event')
      .values({
        conversation: p('conversation'),
        client_event_id: p('clientEventId'),
        sequence: p('sequence'),
      })
      .compile(),
  ),
})

const timerStatements = (define: Define) => ({
  setWake: define<{ row: number; wakeAt: number | null }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ wake_at: p('wakeAt') })
      .where('row', '=', p('row'))
      .compile(),
  ),
  claim: define<{ row: number; wakeAt: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ wake_at: p('wakeAt'), claims: sql<number>`claims + 1` })
      .where('row', '=', p('row'))
      .compile(),
  ),
  due: define<{ now: number; limit: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select(['row', 'id', 'claims'])
      .where('wake_at', 'is not', null)
      .where('wake_at', '<=', p('now'))
      .orderBy('wake_at')
      .limit(p('limit'))
      .compile(),
  ),
  late: define<{ after: number; limit: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select(['row'])
      .where('wake_at', 'is not', null)
      .where('wake_at', '>', p('after'))
      .orderBy('wake_at', 'desc')
      .limit(p('limit'))
      .compile(),
  ),
})

/** The statements that write and load conversations, prepared. */
export const conversationStatements = (define: Define) => ({
  ...rowStatements(define),
  ...placeStatements(define),
  ...logStatements(define),
  ...timerStatements(define),
})

/** The prepared statements that write and load conversations. */
export type ConversationStatements = ReturnType<typeof conversationStatements>
