import type { AccountId, AgentId } from '@colloquy/core'
import type { Count, CounterStore, ValueCount } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Session } from './database/session.ts'
import type { Define } from './database/statements.ts'

/** A counter's row. */
export type CounterRow = {
  account_id: AccountId
  name: Count['name']
  minute: number
  agent_id: AgentId
  value: number
  count: number
}

export const toCount = (row: CounterRow): Count => ({
  accountId: row.account_id,
  agentId: row.agent_id === '' ? null : row.agent_id,
  name: row.name,
  minute: row.minute,
  value: row.value,
  count: row.count,
})

export const fromCount = (count: Count): CounterRow => ({
  account_id: count.accountId,
  name: count.name,
  minute: count.minute,
  agent_id: count.agentId ?? '',
  value: count.value,
  count: count.count,
})

/** Counters as lists, one value for each. */
type CounterColumns = {
  accounts: readonly string[]
  names: readonly string[]
  minutes: readonly number[]
  agents: readonly string[]
  values: readonly number[]
  counts: readonly number[]
}

const counterColumns = (rows: readonly CounterRow[]): CounterColumns => ({
  accounts: rows.map(row => row.account_id),
  names: rows.map(row => row.name),
  minutes: rows.map(row => row.minute),
  agents: rows.map(row => row.agent_id),
  values: rows.map(row => row.value),
  counts: rows.map(row => row.count),
})

const counterStatements = (define: Define) => ({
  // In the order of the key, so that two that add at once do not wait for each other in a circle.
  add: define<CounterColumns>('add to counters')(
    (t, p) => sql`
    insert into ${t('counter')} as counter (account_id, name, minute, agent_id, value, count)
    select account_id, name, minute, agent_id, value, sum(count)
    from unnest(${p('accounts')}::text[], ${p('names')}::text[], ${p('minutes')}::bigint[], ${p('agents')}::text[],
      ${p('values')}::bigint[], ${p('counts')}::bigint[]) as c (account_id, name, minute, agent_id, value, count)
    group by account_id, name, minute, agent_id, value
    order by account_id collate "C", name collate "C", minute, agent_id collate "C", value
    on conflict (account_id, name, minute, agent_id, value) do update set count = counter.count + excluded.count`,
  ),
  sums: define<{ accountId: string; agentId: string | null; name: string; from: number }>(
    'read counters',
  )<ValueCount>(
    (t, p) => sql`
    select value, sum(count)::bigint as count from ${t('counter')}
    where account_id = ${p('accountId')} and name = ${p('name')} and minute >= ${p('from')}::bigint
      and (${p('agentId')}::text is null or agent_id = ${p('agentId')})
    group by value order by value`,
  ),
  forget: define<{ before: number; limit: number }>('forget counters')(
    (t, p) => sql`
    delete from ${t('counter')} where (account_id, name, minute, agent_id, value) in (
      select account_id, name, minute, agent_id, value from ${t('counter')} where minute < ${p('before')}::bigint
      order by minute limit ${p('limit')}::bigint for update skip locked
    ) returning 1`,
  ),
})

/** Counters in PostgreSQL. */
export function counterMethods({ define }: Session): CounterStore {
  const run = counterStatements(define)
  return {
    async add(counts) {
      if (counts.length > 0) await run.add.all(counterColumns(counts.map(fromCount)))
    },
    sum: ({ accountId, agentId = null, name, from }) => run.sums.all({ accountId, agentId, name, from }),
    forget: async (before, limit) => (await run.forget.all({ before, limit })).length,
  }
}
