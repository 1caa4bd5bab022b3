import type { ConversationId } from '@colloquy/core'
import { type RawBuilder, sql } from 'kysely'
import type { Define, Placeholder } from '../database/statements.ts'
import type { Flag } from '../database/tables.ts'
import { createHeads } from './conversation-heads.ts'
import { type Place, placeStatements, type Shared } from './place-statements.ts'
import type { StateParts } from './state-parts.ts'

/** What every write changes, in the conversation's short row. */
type Head = {
  version: number
  sequence: number
  lastEvent: number | null
  lastTurn: number | null
  finished: Flag
  wakeAt: number | null
  /** JSON. */
  changes: string | null
}

/** When a conversation is looked at for waking. */
type Due = { dueAt: number | null; postponed: Flag }

/** The record of a conversation that has finished. */
type RecordColumns = { summary: string; details: string; turns: string | null }

const headStatements = (define: Define) => ({
  head: define<{ id: ConversationId }>()((db, p) =>
    db
      .selectFrom('conversation')
      .innerJoin('conversation_head', 'conversation_head.row', 'conversation.row')
      .select([
        'conversation_head.row',
        'version',
        'sequence',
        'last_event',
        'last_turn',
        'finished',
        'wake_at',
        'due_at',
        'postponed',
        'scope',
        'started_at',
      ])
      .where('id', '=', p('id'))
      .compile(),
  ),
  insertHead: define<Head & { row: number }>()((db, p) =>
    db
      .insertInto('conversation_head')
      .values({
        row: p('row'),
        version: p('version'),
        sequence: p('sequence'),
        last_event: p('lastEvent'),
        last_turn: p('lastTurn'),
        finished: p('finished'),
        wake_at: p('wakeAt'),
        due_at: p('wakeAt'),
        postponed: sql.lit(0),
        claims: sql.lit(0),
        changes: p('changes'),
      })
      .compile(),
  ),
  advance: define<Head & { row: number }>()((db, p) =>
    db
      .updateTable('conversation_head')
      .set({
        version: p('version'),
        sequence: p('sequence'),
        last_event: p('lastEvent'),
        last_turn: p('lastTurn'),
        finished: p('finished'),
        wake_at: p('wakeAt'),
        claims: sql.lit(0),
        changes: p('changes'),
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  // A statement of its own, because setting indexed columns rewrites the indexes even where nothing changes.
  setDue: define<Due & { row: number }>()((db, p) =>
    db
      .updateTable('conversation_head')
      .set({ due_at: p('dueAt'), postponed: p('postponed') })
      .where('row', '=', p('row'))
      .compile(),
  ),
  growVersion: define<{ row: number }>()((db, p) =>
    db
      .updateTable('conversation_head')
      .set({ version: sql<number>`version + 1` })
      .where('row', '=', p('row'))
      .compile(),
  ),
  /** The state of a conversation, in the parts that {@link stateOf} puts together. */
  parts: define<{ row: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .innerJoin('conversation_head', 'conversation_head.row', 'conversation.row')
      .select(['state', 'changes', 'last_turn as lastTurn'])
      .where('conversation.row', '=', p('row'))
      .compile(),
  ),
})

const rowStatements = (define: Define) => ({
  load: define<{ id: ConversationId }>()((db, p) =>
    sql<StateParts & { readonly version: number; readonly pending: string }>`
      select state, changes, version,
        (select json_group_array(event_id order by row) from pending_external_event
         where conversation_id = ${p('id')}) as pending
      from conversation cross join conversation_head on conversation_head.row = conversation.row
      where id = ${p('id')}`.compile(db),
  ),
  version: define<{ id: ConversationId }>()((db, p) =>
    sql<{ readonly version: number }>`
      select version from conversation cross join conversation_head on conversation_head.row = conversation.row
      where id = ${p('id')}`.compile(db),
  ),
  insert: define<Place & Shared & { id: ConversationId; state: string }>()((db, p) =>
    db
      .insertInto('conversation')
      .values({
        // Not the row of a conversation that was removed and whose log is still there.
        row: sql<number>`(select max(
          coalesce((select max(row) from conversation), 0),
          coalesce((select max(conversation) from removed_log), 0)) + 1)`,
        id: p('id'),
        scope: p('scope'),
        listed: p('listed'),
        started_at: p('startedAt'),
        finished_at: p('finishedAt'),
        variant: p('variant'),
        channel: p('channel'),
        language: p('language'),
        to_number: p('toNumber'),
        summary: sql.lit(''),
        details: sql.lit(''),
        state: p('state'),
        shared_id: p('sharedId'),
        shared_at: p('sharedAt'),
      })
      .compile(),
  ),
  setState: define<{ row: number; state: string }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ state: p('state') })
      .where('row', '=', p('row'))
      .compile(),
  ),
  setRecord: define<RecordColumns & { row: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({ summary: p('summary'), details: p('details'), turns: p('turns') })
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
  insertTurn: define<{
    previous: number | null
    record: string
    details: string
    conversation: number
  }>()((db, p) =>
    db
      .insertInto('turn')
      .values({
        previous: p('previous'),
        record: p('record'),
        details: p('details'),
        conversation: p('conversation'),
      })
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
  // The same stretch with its texts, newest first, see BETWEEN_EVENTS. It ends early where they have more bytes.
  stretchTexts: define<{ last: number | null; after: number; bytes: number }>()((db, p) =>
    sql<{ readonly events: string | null; readonly bytes: number | null }>`
      with recursive ${chainTexts(p, sql`${p('last')}`)}
      select group_concat(event, char(30)) as events, sum(octet_length(event)) as bytes from chain`.compile(
      db,
    ),
  ),
  // The end of a log with its texts likewise, where it has at most `most` events; null when it has more.
  tail: define<{ id: ConversationId; after: number; bytes: number; most: number }>()((db, p) =>
    sql<{ readonly sequence: number; readonly version: number; readonly events: string | null }>`
      select sequence, version, case when sequence - ${p('after')} <= ${p('most')} then (
        with recursive ${chainTexts(p, sql`conversation_head.last_event`)}
        select group_concat(event, char(30)) from chain
      ) end as events
      from conversation cross join conversation_head on conversation_head.row = conversation.row
      where id = ${p('id')}`.compile(db),
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
      .updateTable('conversation_head')
      .set({ wake_at: p('wakeAt'), due_at: p('wakeAt'), postponed: sql.lit(0) })
      .where('row', '=', p('row'))
      .compile(),
  ),
  claim: define<{ row: number; wakeAt: number }>()((db, p) =>
    db
      .updateTable('conversation_head')
      .set({
        wake_at: p('wakeAt'),
        due_at: p('wakeAt'),
        postponed: sql.lit(0),
        claims: sql<number>`claims + 1`,
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  /** Those that are found by a moment until now, the earliest first; once none is put off they are due. */
  due: define<{ now: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number; readonly id: ConversationId; readonly claims: number }>`
      select conversation_head.row as row, id, claims
      from conversation_head indexed by conversation_head_due
        cross join conversation on conversation.row = conversation_head.row
      where due_at is not null and due_at <= ${p('now')} order by due_at limit ${p('limit')}`.compile(db),
  ),
  nextDue: define<Record<never, never>>()(db =>
    sql<{ readonly at: number | null }>`
      select min(due_at) as at from conversation_head indexed by conversation_head_due
      where due_at is not null`.compile(db),
  ),
  late: define<{ after: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from conversation_head indexed by conversation_head_due
      where due_at is not null and due_at > ${p('after')} order by due_at desc limit ${p('limit')}`.compile(
      db,
    ),
  ),
  postponedAfter: define<{ after: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from conversation_head indexed by conversation_head_postponed
      where postponed = 1 and wake_at > ${p('after')} limit 1`.compile(db),
  ),
  settleDue: define<{ now: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      update conversation_head set due_at = wake_at, postponed = 0 where row in (
        select row from conversation_head indexed by conversation_head_due
        where due_at is not null and due_at <= ${p('now')} and postponed = 1 limit ${p('limit')}
      ) returning row`.compile(db),
  ),
  settleLate: define<{ after: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      update conversation_head set due_at = wake_at, postponed = 0 where row in (
        select row from conversation_head indexed by conversation_head_postponed
        where postponed = 1 and wake_at > ${p('after')} limit ${p('limit')}
      ) returning row`.compile(db),
  ),
})

/** The statements that write and load conversations, prepared. */
export const conversationStatements = (define: Define) => ({
  ...headStatements(define),
  ...rowStatements(define),
  ...placeStatements(define),
  ...logStatements(define),
  ...timerStatements(define),
})

/** The same, with what was written last; statements that change a row otherwise see to it that it is read again. */
export function withHeads(run: ReturnType<typeof conversationStatements>) {
  const heads = createHeads(run.head)
  const { growVersion, setWake, claim, settleDue, settleLate } = run
  return {
    ...run,
    heads,
    growVersion: heads.changing(growVersion),
    setWake: heads.changing(setWake),
    claim: heads.changing(claim),
    settleDue: heads.changingMany(settleDue),
    settleLate: heads.changingMany(settleLate),
  }
}

/** The prepared statements that write and load conversations. */
export type ConversationStatements = ReturnType<typeof withHeads>
