import type { AccountId, AgentId } from '@colloquy/core'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import { type Copied, within } from './copied-table.ts'

type DeletedRow = { readonly id: AgentId; readonly account_id: AccountId; readonly deleted_at: number }

type Ids = { accountIds: readonly string[]; ids: readonly string[] }

const statements = (define: Define) => ({
  after: define<{ accountId: string; id: string; count: number; bytes: number }>(
    'read a page to copy',
  )<DeletedRow>((t, p) =>
    within(
      sql`select id, account_id, deleted_at from ${t('agent_id')}
        where deleted_at is not null and (account_id, id) > (${p('accountId')}::text, ${p('id')}::text)
        order by account_id, id limit ${p('count')}::bigint`,
      sql`account_id, id`,
      p('bytes'),
    ),
  ),
  put: define<Ids & { deletedAt: readonly number[] }>('take copied parts')(
    (t, p) => sql`
    insert into ${t('agent_id')} (account_id, id, deleted_at)
    select * from unnest(${p('accountIds')}::text[], ${p('ids')}::text[], ${p('deletedAt')}::bigint[])
    on conflict (id) do update set account_id = excluded.account_id, deleted_at = excluded.deleted_at`,
  ),
  forget: define<{ ids: readonly string[] }>('drop copied parts')(
    (t, p) => sql`
    update ${t('agent_id')} set deleted_at = null where id = any (${p('ids')}::text[])`,
  ),
  // An id is an account's as long as there is an agent, or was one.
  release: define<{ ids: readonly string[] }>('drop copied parts')(
    (t, p) => sql`
    delete from ${t('agent_id')} where id = any (${p('ids')}::text[]) and deleted_at is null
      and id not in (select id from ${t('agent')})`,
  ),
})

/** Agents that were deleted, as they are copied: their ids' rows remember them. */
export function copiedDeletedAgents(define: Define): Copied<{
  readonly id: AgentId
  readonly accountId: AccountId
  readonly deletedAt: number
}> {
  const run = statements(define)
  return {
    async after(key, bounds) {
      const [accountId = '', id = ''] = key ?? []
      const rows = await run.after.all({ accountId: String(accountId), id: String(id), ...bounds })
      return rows.map(row => ({ id: row.id, accountId: row.account_id, deletedAt: row.deleted_at }))
    },
    async take(agents, on) {
      const [accountIds, ids] = [agents.map(({ accountId }) => accountId), agents.map(({ id }) => id)]
      await run.put.all({ accountIds, ids, deletedAt: agents.map(({ deletedAt }) => deletedAt) }, on)
    },
    async drop(keys, on) {
      const ids = keys.map(([, id]) => String(id))
      await run.forget.all({ ids }, on)
      await run.release.all({ ids }, on)
    },
  }
}
