import type { ConversationId } from '@colloquy/core'
import type { HandoffEntry } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import type { Listed } from '../database/tables.ts'

/** The columns of a conversation that lists, handoffs and concurrency select by. */
export interface PlaceColumns {
  readonly scope: number
  readonly listed: Listed
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly variant: number
  readonly channel: string
  readonly language: string | null
  readonly toNumber: string
}

/** {@link PlaceColumns} as parameters of a statement. */
export type Place = { [Name in keyof PlaceColumns]: PlaceColumns[Name] }

/** The integrator's own id of a conversation as parameters of a statement. */
export type Shared = { sharedId: string | null; sharedAt: number | null }

/** A conversation's handoff as parameters of a statement. */
type HandoffColumns = {
  conversation: number
  accountId: string
  handoffId: HandoffEntry['handoffId']
  status: HandoffEntry['status']
  queueName: string
  since: number
}

/** The statements that keep conversations where lists and figures find them, prepared. */
export const placeStatements = (define: Define) => ({
  place: define<{ row: number }>()((db, p) =>
    db
      .selectFrom('conversation')
      .select([
        'scope',
        'listed',
        'started_at as startedAt',
        'finished_at as finishedAt',
        'variant',
        'channel',
        'language',
        'to_number as toNumber',
      ])
      .where('row', '=', p('row'))
      .compile(),
  ),
  setPlace: define<Place & Shared & { row: number }>()((db, p) =>
    db
      .updateTable('conversation')
      .set({
        scope: p('scope'),
        listed: p('listed'),
        started_at: p('startedAt'),
        finished_at: p('finishedAt'),
        variant: p('variant'),
        channel: p('channel'),
        language: p('language'),
        to_number: p('toNumber'),
        shared_id: p('sharedId'),
        shared_at: p('sharedAt'),
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
      select id from conversation indexed by conversation_active
      where finished_at is null and scope in (select row from scope where agent_id = ${p('agentId')})`.compile(
      db,
    ),
  ),
  dropHandoff: define<{ conversation: number }>()((db, p) =>
    db.deleteFrom('handoff').where('conversation', '=', p('conversation')).compile(),
  ),
  setHandoff: define<HandoffColumns>()((db, p) =>
    db
      .updateTable('handoff')
      .set({
        account_id: p('accountId'),
        status: p('status'),
        queue_name: p('queueName'),
        since: p('since'),
      })
      .where('conversation', '=', p('conversation'))
      .where('handoff_id', '=', p('handoffId'))
      .compile(),
  ),
  insertHandoff: define<HandoffColumns & { conversationId: ConversationId }>()((db, p) =>
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
  shared: define<{ accountId: string; agentId: string; sharedId: string }>()((db, p) =>
    sql<{ readonly id: ConversationId }>`
      select id from conversation indexed by conversation_shared
      where shared_id = ${p('sharedId')} and scope in (
        select row from scope where agent_id = ${p('agentId')} and account_id = ${p('accountId')})
      order by shared_at desc limit 1`.compile(db),
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
      .orderBy('row')
      .compile(),
  ),
})
