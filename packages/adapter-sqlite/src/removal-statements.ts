import type { AccountId, AgentId, ConversationId, ConversationScope } from '@colloquy/core'
import { sql } from 'kysely'
import type { PlaceColumns } from './place-statements.ts'
import type { Flag } from './schema.ts'
import type { Define } from './statements.ts'

/** What has to be known of a conversation to remove it. */
export interface Removable extends PlaceColumns {
  readonly row: number
  readonly id: ConversationId
  readonly lastEvent: number | null
  readonly lastTurn: number | null
}

const columns = sql`conversation.row as row, conversation.id as id, scope, listed, started_at as startedAt,
  finished_at as finishedAt, variant, channel, language, to_number as toNumber, last_event as lastEvent, last_turn as lastTurn`

/** Deletes a chain from its last row on. */
const dropChain = (define: Define, table: 'event' | 'turn') =>
  define<{ last: number | null }>()((db, p) => {
    const chained = sql.table(table)
    return sql`
      delete from ${chained} where row in (
        with recursive chain (row, previous) as (
          select row, previous from ${chained} where row = ${p('last')}
          union all
          select link.row, link.previous from chain cross join ${chained} as link on link.row = chain.previous
        )
        select row from chain)`.compile(db)
  })

/** The statements that find what is to be removed and remove it, prepared. */
export const removalStatements = (define: Define) => ({
  scopes: define()(db =>
    sql<ConversationScope>`
      select account_id as accountId, agent_id as agentId, environment from scope`.compile(db),
  ),
  over: define<{ scope: number; before: number; limit: number }>()((db, p) =>
    sql<Removable>`
      select ${columns} from conversation indexed by conversation_over
      where scope = ${p('scope')} and finished_at < ${p('before')} and wake_at is null
      order by finished_at limit ${p('limit')}`.compile(db),
  ),
  one: define<{ id: ConversationId; accountId: AccountId; agentId: AgentId }>()((db, p) =>
    sql<Removable & { readonly over: Flag }>`
      select ${columns}, finished_at is not null and wake_at is null as over
      from conversation join scope on scope.row = conversation.scope
      where conversation.id = ${p('id')} and agent_id = ${p('agentId')} and account_id = ${p('accountId')}`.compile(
      db,
    ),
  ),
  dropConversation: define<{ row: number }>()((db, p) =>
    db.deleteFrom('conversation').where('row', '=', p('row')).compile(),
  ),
  dropEvents: dropChain(define, 'event'),
  dropTurns: dropChain(define, 'turn'),
  dropClientEvents: define<{ conversation: number }>()((db, p) =>
    db.deleteFrom('client_event').where('conversation', '=', p('conversation')).compile(),
  ),
  dropAnchors: define<{ conversation: number }>()((db, p) =>
    db.deleteFrom('event_anchor').where('conversation', '=', p('conversation')).compile(),
  ),
  dropExternalEvents: define<{ id: ConversationId }>()((db, p) =>
    db.deleteFrom('external_event').where('conversation_id', '=', p('id')).compile(),
  ),
  dropPendingEvents: define<{ id: ConversationId }>()((db, p) =>
    db.deleteFrom('pending_external_event').where('conversation_id', '=', p('id')).compile(),
  ),
})
