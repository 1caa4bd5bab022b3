import { sql } from 'kysely'
import { type Connection, param, query } from './connection.ts'

const text = param<string>
const number = param<number>

/** An event of the log as a row has it. */
export interface EventRow {
  readonly sequence: number
  readonly id: string
  readonly at: number
  readonly type: string
  readonly payload: string
  readonly custom: string | null
  readonly client_event_id: string | null
}

/** A turn as a row has it. */
export interface TurnRow {
  readonly record: string
  readonly details: string
}

/** What changes with every write of a conversation. */
const progress = {
  version: number('version'),
  sequence: number('sequence'),
  last_event: number('lastEvent'),
  last_turn: number('lastTurn'),
  wake_at: number('wakeAt'),
  state: text('state'),
  summary: text('summary'),
  details: text('details'),
}

/** What lists, handoffs and figures select by; written only when it changes. */
const index = {
  account_id: text('accountId'),
  agent_id: text('agentId'),
  environment: text('environment'),
  listed: number('listed'),
  started_at: number('startedAt'),
  finished_at: number('finishedAt'),
  variant_id: text('variantId'),
  variant_name: text('variantName'),
  channel: text('channel'),
  language: text('language'),
  from_number: text('fromNumber'),
  to_number: text('toNumber'),
  handoff_id: text('handoffId'),
  handoff_status: text('handoffStatus'),
  handoff_queue: text('handoffQueue'),
  handoff_since: number('handoffSince'),
  turns: text('turns'),
}

/** Every statement of the conversation store that is prepared once. */
export const prepareConversationStatements = (connection: Connection) => ({
  ...prepareConversations(connection),
  ...prepareLog(connection),
  ...prepareExternalEvents(connection),
})

export type ConversationStatements = ReturnType<typeof prepareConversationStatements>

const prepareConversations = (connection: Connection) => ({
  add: connection.prepare(
    query
      .insertInto('conversations')
      .values({ id: text('id'), ...progress, ...index })
      .onConflict(conflict => conflict.doNothing()),
  ),
  position: connection.prepare(
    query
      .selectFrom('conversations')
      .select(['key', 'version', 'sequence', 'last_event', 'last_turn'])
      .where('id', '=', text('id')),
  ),
  load: connection.prepare(
    query.selectFrom('conversations').select(['version', 'state']).where('id', '=', text('id')),
  ),
  update: connection.prepare(
    query.updateTable('conversations').set(progress).where('key', '=', number('key')),
  ),
  updateWithIndex: connection.prepare(
    query
      .updateTable('conversations')
      .set({ ...progress, ...index })
      .where('key', '=', number('key')),
  ),
  due: connection.prepare(
    query
      .selectFrom('conversations')
      .select(['key', 'id'])
      .where('wake_at', '<=', number('now'))
      .orderBy('wake_at')
      .limit(number('limit')),
  ),
  nextWake: connection.prepare(
    query
      .selectFrom('conversations')
      .select(eb => eb.fn.min('wake_at').as('wake_at'))
      .where('wake_at', 'is not', null),
  ),
  setWake: connection.prepare(
    query
      .updateTable('conversations')
      .set({ wake_at: number('wakeAt') })
      .where('key', '=', number('key')),
  ),
  handoffs: connection.prepare(
    query
      .selectFrom('conversations')
      .select(['id', 'handoff_id', 'handoff_queue', 'handoff_since'])
      .where('account_id', '=', text('accountId'))
      .where('handoff_status', '=', text('status'))
      .orderBy('handoff_since')
      .orderBy('id'),
  ),
  open: connection.prepare(
    query
      .selectFrom('conversations')
      .select('id')
      .where('agent_id', '=', text('agentId'))
      .where('finished_at', 'is', null)
      .orderBy('id'),
  ),
})

const prepareLog = (connection: Connection) => ({
  addEvent: connection.prepare(
    query.insertInto('events').values({
      previous: number('previous'),
      sequence: number('sequence'),
      id: text('id'),
      at: number('at'),
      type: text('type'),
      payload: text('payload'),
      custom: text('custom'),
      client_event_id: text('clientEventId'),
    }),
  ),
  addTurn: connection.prepare(
    query.insertInto('turns').values({
      previous: number('previous'),
      record: text('record'),
      details: text('details'),
    }),
  ),
  addClientEvent: connection.prepare(
    query.insertInto('client_events').values({
      conversation: number('conversation'),
      client_event_id: text('clientEventId'),
      sequence: number('sequence'),
    }),
  ),
  clientEvent: connection.prepare(
    query
      .selectFrom('client_events')
      .select('sequence')
      .where('conversation', '=', number('conversation'))
      .where('client_event_id', '=', text('clientEventId')),
  ),
  // The log is a chain from the newest event back; a walk reads only what it returns.
  events: connection.prepare<EventRow>({
    compile: () =>
      sql<EventRow>`
        WITH RECURSIVE chain AS (
          SELECT * FROM events WHERE key = ${number('last')} AND sequence > ${number('after')}
          UNION ALL
          SELECT events.* FROM chain JOIN events ON events.key = chain.previous
          WHERE events.sequence > ${number('after')}
          LIMIT ${number('limit')}
        )
        SELECT sequence, id, at, type, payload, custom, client_event_id FROM chain ORDER BY sequence`.compile(
        query,
      ),
  }),
  turns: connection.prepare<TurnRow>({
    compile: () =>
      sql<TurnRow>`
        WITH RECURSIVE chain AS (
          SELECT * FROM turns WHERE key = ${number('last')}
          UNION ALL
          SELECT turns.* FROM chain JOIN turns ON turns.key = chain.previous
          LIMIT ${number('limit')}
        )
        SELECT record, details FROM chain ORDER BY key`.compile(query),
  }),
})

const prepareExternalEvents = (connection: Connection) => ({
  expect: connection.prepare(
    query
      .insertInto('external_events')
      .values({
        event_id: text('eventId'),
        conversation_id: text('conversationId'),
        account_id: text('accountId'),
        agent_id: text('agentId'),
      })
      .onConflict(conflict => conflict.doNothing()),
  ),
  externalEvent: connection.prepare(
    query.selectFrom('external_events').selectAll().where('event_id', '=', text('eventId')),
  ),
  keepExternalEvent: connection.prepare(
    query
      .updateTable('external_events')
      .set({
        content_type: text('contentType'),
        body: param<Uint8Array>('body'),
        received_at: number('receivedAt'),
        pending: number('pending'),
      })
      .where('event_id', '=', text('eventId')),
  ),
  lastPending: connection.prepare(
    query
      .selectFrom('external_events')
      .select(eb => eb.fn.max('pending').as('pending'))
      .where('conversation_id', '=', text('conversationId'))
      .where('pending', 'is not', null),
  ),
  pending: connection.prepare(
    query
      .selectFrom('external_events')
      .select('event_id')
      .where('conversation_id', '=', text('conversationId'))
      .where('pending', 'is not', null)
      .orderBy('pending'),
  ),
  handOver: connection.prepare(
    query
      .updateTable('external_events')
      .set({ pending: null })
      .where('event_id', '=', text('eventId'))
      .where('conversation_id', '=', text('conversationId')),
  ),
  wakeForEvent: connection.prepare(
    query
      .updateTable('conversations')
      .set(eb => ({
        version: eb('version', '+', 1),
        wake_at: sql<number>`min(coalesce(wake_at, ${number('at')}), ${number('at')})`,
      }))
      .where('id', '=', text('id')),
  ),
})
