import type { ConversationScope, RemovalStep, RemovalStore } from '@colloquy/core/store'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define, Tables } from '../database/statements.ts'
import { droppedWith } from '../documents/owned.ts'
import { keeping, type OutboxParameters, outboxOf } from '../outbox/outbox-keeper.ts'
import type { Places } from './conversation-place.ts'

/** Events and turns that one step removes at most; a conversation that has more has a step of its own. */
const ROWS_OF_A_STEP = 5_000

/** How often a removal looks again at a conversation that is written meanwhile. */
const LOOKS = 10

/**
 * Removes everything that is stored about the conversations that `gone` holds by row and id, whose heads are locked.
 * Event ids that they wait for go with their heads.
 */
export const removing = (t: Tables): RawBuilder<unknown> => {
  const byRow = (name: string, table: Parameters<Tables>[0], column = 'conversation') => sql`
    ${sql.ref(name)} as (delete from ${t(table)} where ${sql.ref(column)} in (select row from gone))`
  return sql.join([
    byRow('gone_events', 'event'),
    byRow('gone_client_events', 'client_event'),
    byRow('gone_turns', 'turn'),
    byRow('gone_vectors', 'turn_vector'),
    byRow('gone_timers', 'conversation_timer'),
    byRow('gone_handoffs', 'handoff'),
    byRow('gone_conversations', 'conversation', 'row'),
    byRow('gone_heads', 'conversation_head', 'row'),
    droppedWith(t, 'log', sql`select id from gone`),
  ])
}

/**
 * The same, with what replays hold of them and the calls that they were. A copy that takes the place of an earlier one
 * leaves that.
 */
const erasing = (t: Tables): RawBuilder<unknown> => sql`${removing(t)},
  ${droppedWith(t, 'conversation', sql`select id from gone`)}`

type Whose = { accountId: string; agentId: string; id: string }

/**
 * A conversation that was written since the statement began is left alone, as its version tells: rows would stay that
 * the statement does not see.
 */
const removalStatements = (define: Define) => ({
  scopes: define('list the scopes of conversations')<ConversationScope>(
    t => sql`
    select account_id as "accountId", agent_id as "agentId", environment from ${t('scope')}`,
  ),
  removeFinished: define<{ scope: number; before: number; limit: number }>('remove finished conversations')<{
    readonly found: number
    readonly removed: number
  }>(
    (t, p) => sql`
    with found as materialized (
      select c.row, c.finished_at, c.id, h.version, h.sequence + h.turns as rows
      from ${t('conversation')} as c join ${t('conversation_head')} as h on h.row = c.row
      where c.scope = ${p('scope')}::int and c.finished_at < ${p('before')}::bigint
        and not exists (select from ${t('conversation_timer')} where conversation = c.row)
      order by c.finished_at, c.id limit ${p('limit')}::bigint + 1
    ), measured as (
      select row, version, row_number() over step as place, sum(rows) over step as rows
      from found window step as (order by finished_at, id)
    ), gone as (
      select h.row, h.id from ${t('conversation_head')} as h join measured on measured.row = h.row
      where h.version = measured.version and measured.place <= ${p('limit')}::bigint
        and (measured.place = 1 or measured.rows <= ${sql.lit(ROWS_OF_A_STEP)})
      order by h.row for update of h skip locked
    ), ${erasing(t)}
    select (select count(*) from found) as found, (select count(*) from gone) as removed`,
  ),
  remove: define<Whose & OutboxParameters>('remove a conversation')<{
    readonly there: boolean
    readonly over: boolean
    readonly removed: boolean
  }>(
    (t, p) => sql`
    with found as materialized (
      select c.row, h.version, c.finished_at is not null
        and not exists (select from ${t('conversation_timer')} where conversation = c.row) as over
      from ${t('conversation_head')} as h join ${t('conversation')} as c on c.row = h.row
      where h.id = ${p('id')} and c.scope in
        (select row from ${t('scope')} where agent_id = ${p('agentId')} and account_id = ${p('accountId')})
    ), gone as (
      select h.row, h.id from ${t('conversation_head')} as h join found on found.row = h.row
      where found.over and h.version = found.version for update of h
    ), ${erasing(t)}, done (write) as (select 1 from gone), ${keeping(t, p)}
    select exists (select from found) as there, exists (select from found where over) as over,
      exists (select from gone) as removed`,
  ),
})

/** The port's methods that remove conversations. */
export function removalMethods({ define }: Session, places: Places): RemovalStore {
  const run = removalStatements(define)
  return {
    scopes: () => run.scopes.all({}),
    async removeFinished({ accountId, agentId, environment }, before, limit): Promise<RemovalStep> {
      const scope = await places.find({ accountId, agentId, environment })
      if (scope === null) return { removed: 0, more: false }
      const { found = 0, removed = 0 } = (await run.removeFinished.get({ scope, before, limit })) ?? {}
      return { removed, more: found > removed }
    },
    async remove(accountId, agentId, id, outbox) {
      const parameters = { accountId, agentId, id, ...outboxOf(outbox) }
      for (let look = 0; look < LOOKS; look++) {
        const step = await run.remove.get(parameters)
        if (step?.removed) return 'removed'
        if (!step?.there) return 'missing'
        if (!step.over) return 'in_progress'
        // It was written in between: whether it is over still is seen now.
      }
      return 'in_progress'
    },
  }
}
