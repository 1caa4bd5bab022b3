import type { ConversationId, HandoffEntry } from '@colloquy/core'
import { sql } from 'kysely'
import type { Flag } from './schema.ts'
import type { Define } from './statements.ts'

/** The columns of a conversation that lists, handoffs and concurrency select by. */
export interface PlaceColumns {
  readonly scope: number
  readonly listed: Flag
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly span: number
  readonly variant: number
  readonly channel: string
  readonly language: string | null
  readonly toNumber: string
}

type Place = { [Name in keyof PlaceColumns]: PlaceColumns[Name] }

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
      .select(['row', 'version', 'sequence', 'last_event', 'last_turn', 'wake_at', 'finished_at'])
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
          span: p('span'),
          variant: p('variant'),
          channel: p('channel'),
          language: p('language'),
          to_number: p('toNumber'),
          summary: p('summary'),
          details: p('details'),
          turns: p('turns'),
          state: p('state'),
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

const placeStatements = (define: Define) => ({
  place: define<{ row: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select(['scope', 'listed', 'started_at as startedAt'])
      .where('row', '=', p('row'))
      .compile(),
  ),
  setPlace: define<Place & { row: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({
        scope: p('scope'),
        listed: p('listed'),
        started_at: p('startedAt'),
        finished_at: p('finishedAt'),
        span: p('span'),
        variant: p('variant'),
        channel: p('channel'),
        language: p('language'),
        to_number: p('toNumber'),
      })
      .where('row', '=', p('row'))
      .compile(),
  ),
  scope: define<{ accountId: string; agentId: string; environment: string }>()((db, p) =>
    db
      .selectFrom('scope')
      .select('row')
      .where('agent_id', '=', p('agentId'))
      .where('account_id', '=', p('accountId'))
      .where('environment', '=', p('environment'))
      .compile(),
  ),
  insertScope: define<{ accountId: string; agentId: string; environment: string }>()((db, p) =>
    db
      .insertInto('scope')
      .values({ account_id: p('accountId'), agent_id: p('agentId'), environment: p('environment') })
      .compile(),
  ),
  variant: define<{ key: string }>()((db, p) =>
    db.selectFrom('variant').select('row').where('key', '=', p('key')).compile(),
  ),
  variantNames: define<{ row: number }>()((db, p) =>
    db.selectFrom('variant').select(['id', 'name']).where('row', '=', p('row')).compile(),
  ),
  insertVariant: define<{ key: string; id: string | null; name: string | null }>()((db, p) =>
    db
      .insertInto('variant')
      .values({ key: p('key'), id: p('id'), name: p('name') })
      .compile(),
  ),
  open: define<{ agentId: string }>()((db, p) =>
    sql<{ readonly id: ConversationId }>`
      select id from conversation indexed by conversation_open
      where finished_at is null and scope in (select row from scope where agent_id = ${p('agentId')})`.compile(
      db,
    ),
  ),
  dropHandoff: define<{ conversation: number }>()((db, p) =>
    db.deleteFrom('handoff').where('conversation', '=', p('conversation')).compile(),
  ),
  insertHandoff: define<{
    conversation: number
    conversationId: ConversationId
    accountId: string
    handoffId: HandoffEntry['handoffId']
    status: HandoffEntry['status']
    queueName: string
    since: number
  }>()((db, p) =>
    db
      .insertInto('handoff')
      .values({
        conversation: p('conversation'),
        conversation_id: p('conversationId'),
        account_id: p('accountId'),
        handoff_id: p('handoffId'),
        status: p('status'),
        queue_name: p('queueName'),
        since: p('since'),
      })
      .compile(),
  ),
  handoffs: define<{ accountId: string; status: HandoffEntry['status'] }>()((db, p) =>
    db
      .selectFrom('handoff')
      .select([
        'conversation_id as conversationId',
        'handoff_id as handoffId',
        'status',
        'queue_name as queueName',
        'since',
      ])
      .where('account_id', '=', p('accountId'))
      .where('status', '=', p('status'))
      .orderBy('since')
      .orderBy('conversation_id')
      .compile(),
  ),
})

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
  events: define<{ id: ConversationId; after: number; limit: number }>()((db, p) =>
    sql<{ readonly sequence: number; readonly event: string }>`
      with recursive chain (previous, sequence, event) as (
        select previous, sequence, event from event
        where row = (select last_event from conversation where id = ${p('id')}) and sequence > ${p('after')}
        union all
        select event.previous, event.sequence, event.event from chain
        cross join event on event.row = chain.previous where event.sequence > ${p('after')}
      )
      select sequence, event from chain limit ${p('limit')}`.compile(db),
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
  due: define<{ now: number; limit: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select(['row', 'id'])
      .where('wake_at', 'is not', null)
      .where('wake_at', '<=', p('now'))
      .orderBy('wake_at')
      .limit(p('limit'))
      .compile(),
  ),
  nextWake: define()(db =>
    db
      .selectFrom('conversation')
      .select('wake_at')
      .where('wake_at', 'is not', null)
      .orderBy('wake_at')
      .limit(sql.lit(1))
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
