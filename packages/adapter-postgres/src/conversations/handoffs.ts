import type { AccountId, ConversationId } from '@colloquy/core'
import type { HandoffEntry, HandoffStore, JoinedWait } from '@colloquy/core/store'
import { claimReach } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Session } from '../database/session.ts'
import type { Define } from '../database/statements.ts'

/** The statements about handoffs and waiting lines. */
const handoffStatements = (define: Define) => ({
  handoffs: define<{ accountId: string; status: string }>('list handoffs')<HandoffEntry>(
    (t, p) => sql`
    select conversation_id as "conversationId", handoff_id as "handoffId", status, queue_name as "queueName", since
    from ${t('handoff')} where account_id = ${p('accountId')} and status = ${p('status')} order by place`,
  ),
  shared: define<{ accountId: string; agentId: string; sharedId: string }>(
    'find a conversation by a shared id',
  )<{
    readonly id: ConversationId
  }>(
    (t, p) => sql`
    select id from ${t('conversation')} where shared_id = ${p('sharedId')} and scope in (
      select row from ${t('scope')} where agent_id = ${p('agentId')} and account_id = ${p('accountId')})
    order by shared_at desc limit 1`,
  ),
  waits: define<{ accountId: string; queueName: string; since: number; limit: number }>(
    'read the waits of a queue',
  )<JoinedWait>(
    (t, p) => sql`
      select joined_at as "joinedAt", waited from ${t('handoff_wait')}
      where account_id = ${p('accountId')} and queue_name = ${p('queueName')} and joined_at >= ${p('since')}::bigint
      order by joined_at desc limit ${p('limit')}::bigint`,
  ),
  nextLine: define<Record<never, never>>('look for the next line')<{ readonly at: number | null }>(
    t => sql`
      select min(coalesce(held_until, 0)) as at
      from (select distinct account_id from ${t('handoff')} where status = 'waiting') as waiting
        left join ${t('waiting_line')} as line on line.account_id = waiting.account_id`,
  ),
  claimLines: define<{ now: number; reach: number; until: number }>('claim waiting lines')<{
    readonly accountId: AccountId
  }>(
    (t, p) => sql`
      insert into ${t('waiting_line')} as line (account_id, held_until)
      select distinct account_id, ${p('until')}::bigint from ${t('handoff')} as h
      where status = 'waiting' and not exists (
        select from ${t('waiting_line')} as held where held.account_id = h.account_id
          and held.held_until > ${p('now')}::bigint and held.held_until <= ${p('reach')}::bigint)
      order by account_id
      on conflict (account_id) do update set held_until = excluded.held_until
      where line.held_until <= ${p('now')}::bigint or line.held_until > ${p('reach')}::bigint
      returning account_id as "accountId"`,
  ),
})

/** Handoffs in PostgreSQL. */
export function handoffMethods({ define }: Session): HandoffStore {
  const run = handoffStatements(define)
  return {
    list: (accountId, status) => run.handoffs.all({ accountId, status }),
    findShared: async (accountId, agentId, sharedId) =>
      (await run.shared.get({ accountId, agentId, sharedId }))?.id ?? null,
    joinedWaits: (accountId, queueName, since, limit) =>
      run.waits.all({ accountId, queueName, since, limit }),
    nextLine: async () => (await run.nextLine.get({}))?.at ?? null,
    claimLines: async (now, until) =>
      (await run.claimLines.all({ now, reach: claimReach(now, until), until })).map(
        ({ accountId }) => accountId,
      ),
  }
}
