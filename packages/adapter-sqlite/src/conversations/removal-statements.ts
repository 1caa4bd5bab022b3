import type { AccountId, AgentId, ConversationId } from '@colloquy/core'
import type { ConversationScope } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define, Parameters } from '../database/statements.ts'
import type { Flag } from '../database/tables.ts'
import type { PlaceColumns } from './place-statements.ts'

/** What has to be known of a conversation to remove it. */
export interface Removable extends PlaceColumns {
  readonly row: number
  readonly id: ConversationId
  readonly lastEvent: number | null
  readonly lastTurn: number | null
  /** How long its texts are. */
  readonly bytes: number
}

const columns = sql`conversation.row as row, conversation.id as id, scope, listed, started_at as startedAt,
  finished_at as finishedAt, variant, channel, language, to_number as toNumber, last_event as lastEvent, last_turn as lastTurn,
  octet_length(state) + octet_length(summary) + octet_length(details) + coalesce(octet_length(turns), 0)
    + coalesce(octet_length(changes), 0) as bytes`

/** What is left of a removed conversation's log. */
export interface RemovedLog {
  /** The row that the conversation had. */
  readonly conversation: number
  readonly scope: number
  readonly startedAt: number
  readonly lastEvent: number | null
  readonly lastTurn: number | null
  /** How many words of the last turn are out of the index already. */
  readonly words: number
  /** The conversation's, while external events or webhook events of it are left. */
  readonly id: ConversationId | null
}

/** The statements that erase the logs of removed conversations row by row. */
const erasureStatements = (define: Define) => ({
  keepLog: define<Omit<{ [Name in keyof RemovedLog]: RemovedLog[Name] }, 'words'>>()((db, p) =>
    sql`insert into removed_log (conversation, scope, started_at, last_event, last_turn, words, id)
      values (${p('conversation')}, ${p('scope')}, ${p('startedAt')}, ${p('lastEvent')}, ${p('lastTurn')}, 0,
        ${p('id')})`.compile(db),
  ),
  removedLog: define()(db =>
    sql<RemovedLog>`
      select conversation, scope, started_at as startedAt, last_event as lastEvent, last_turn as lastTurn, words, id
      from removed_log order by conversation limit 1`.compile(db),
  ),
  setLog: define<Pick<RemovedLog, 'conversation' | 'lastEvent' | 'lastTurn' | 'words' | 'id'> & Parameters>()(
    (db, p) =>
      sql`update removed_log
        set last_event = ${p('lastEvent')}, last_turn = ${p('lastTurn')}, words = ${p('words')}, id = ${p('id')}
        where conversation = ${p('conversation')}`.compile(db),
  ),
  removedLogOf: define<{ id: ConversationId }>()((db, p) =>
    db.selectFrom('removed_log').select('conversation').where('id', '=', p('id')).compile(),
  ),
  forgetId: define<{ id: ConversationId }>()((db, p) =>
    db.updateTable('removed_log').set({ id: null }).where('id', '=', p('id')).compile(),
  ),
  dropLog: define<{ conversation: number }>()((db, p) =>
    db.deleteFrom('removed_log').where('conversation', '=', p('conversation')).compile(),
  ),
  turn: define<{ row: number }>()((db, p) =>
    sql<{ readonly previous: number | null; readonly record: string; readonly bytes: number }>`
      select previous, record, octet_length(record) + octet_length(details) + coalesce(
        (select sum(coalesce(octet_length(user), 0) + coalesce(octet_length(agent), 0))
         from turn_vector where turn = turn.row), 0) as bytes
      from turn where row = ${p('row')}`.compile(db),
  ),
  dropTurn: define<{ row: number }>()((db, p) => db.deleteFrom('turn').where('row', '=', p('row')).compile()),
  event: define<{ row: number }>()((db, p) =>
    sql<{ readonly previous: number | null; readonly bytes: number }>`
      select previous, octet_length(event) as bytes from event where row = ${p('row')}`.compile(db),
  ),
  dropEvent: define<{ row: number }>()((db, p) =>
    db.deleteFrom('event').where('row', '=', p('row')).compile(),
  ),
  dropClientEvents: define<{ conversation: number; limit: number }>()((db, p) =>
    sql`delete from client_event where conversation = ${p('conversation')} and client_event_id in
      (select client_event_id from client_event where conversation = ${p('conversation')}
       limit ${p('limit')})`.compile(db),
  ),
  dropAnchors: define<{ conversation: number; limit: number }>()((db, p) =>
    sql`delete from event_anchor where conversation = ${p('conversation')} and sequence in
      (select sequence from event_anchor where conversation = ${p('conversation')}
       limit ${p('limit')})`.compile(db),
  ),
})

/** The statements that find what is to be removed and remove it, prepared. */
export const removalStatements = (define: Define) => ({
  ...erasureStatements(define),
  scopes: define()(db =>
    sql<ConversationScope>`
      select account_id as accountId, agent_id as agentId, environment from scope`.compile(db),
  ),
  over: define<{ scope: number; before: number; limit: number }>()((db, p) =>
    sql<Removable>`
      select ${columns} from conversation indexed by conversation_over
        cross join conversation_head on conversation_head.row = conversation.row
      where scope = ${p('scope')} and finished_at < ${p('before')} and wake_at is null
      order by finished_at limit ${p('limit')}`.compile(db),
  ),
  one: define<{ id: ConversationId; accountId: AccountId; agentId: AgentId }>()((db, p) =>
    sql<Removable & { readonly over: Flag }>`
      select ${columns}, finished_at is not null and wake_at is null as over
      from conversation join scope on scope.row = conversation.scope
        join conversation_head on conversation_head.row = conversation.row
      where conversation.id = ${p('id')} and agent_id = ${p('agentId')} and account_id = ${p('accountId')}`.compile(
      db,
    ),
  ),
  /** Whoever has it, in whatever state. */
  any: define<{ id: ConversationId }>()((db, p) =>
    sql<Removable>`
      select ${columns} from conversation
        join conversation_head on conversation_head.row = conversation.row
      where conversation.id = ${p('id')}`.compile(db),
  ),
  dropConversation: define<{ row: number }>()((db, p) =>
    db.deleteFrom('conversation').where('row', '=', p('row')).compile(),
  ),
  dropHead: define<{ row: number }>()((db, p) =>
    db.deleteFrom('conversation_head').where('row', '=', p('row')).compile(),
  ),
  externalEventsOf: define<{ id: ConversationId; limit: number }>()((db, p) =>
    sql<{ readonly eventId: string; readonly bytes: number }>`
      select event_id as eventId, coalesce(octet_length(body), 0) as bytes from external_event
      where conversation_id = ${p('id')} limit ${p('limit')}`.compile(db),
  ),
  dropExternalEvent: define<{ eventId: string }>()((db, p) =>
    db.deleteFrom('external_event').where('event_id', '=', p('eventId')).compile(),
  ),
  dropPendingEvent: define<{ eventId: string }>()((db, p) =>
    db.deleteFrom('pending_external_event').where('event_id', '=', p('eventId')).compile(),
  ),
  dropPendingEvents: define<{ id: ConversationId }>()((db, p) =>
    db.deleteFrom('pending_external_event').where('conversation_id', '=', p('id')).compile(),
  ),
})
