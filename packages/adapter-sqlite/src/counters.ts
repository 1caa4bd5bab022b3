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

const counterStatements = (define: Define) => ({
  addCount: define<CounterRow>()((db, p) =>
    sql<never>`
      insert into counter (account_id, name, minute, agent_id, value, count)
      values (${p('account_id')}, ${p('name')}, ${p('minute')}, ${p('agent_id')}, ${p('value')}, ${p('count')})
      on conflict (account_id, name, minute, agent_id, value) do update set count = count + excluded.count`.compile(
      db,
    ),
  ),
  sums: define<{ accountId: AccountId; agentId: AgentId | null; name: string; from: number }>()((db, p) =>
    sql<ValueCount>`
      select value, sum(count) as count from counter
      where account_id = ${p('accountId')} and name = ${p('name')} and minute >= ${p('from')}
        and (${p('agentId')} is null or agent_id = ${p('agentId')})
      group by value order by value`.compile(db),
  ),
  oldCounts: define<{ before: number; limit: number }>()((db, p) =>
    sql<CounterRow>`
      select * from counter indexed by counter_by_minute where minute < ${p('before')}
      order by minute limit ${p('limit')}`.compile(db),
  ),
  dropCount: define<{
    account_id: AccountId
    name: string
    minute: number
    agent_id: AgentId
    value: number
  }>()((db, p) =>
    sql<never>`
      delete from counter where account_id = ${p('account_id')} and name = ${p('name')} and minute = ${p('minute')}
        and agent_id = ${p('agent_id')} and value = ${p('value')}`.compile(db),
  ),
})

/** What is removed with an agent. */
export const countersBesideStatements = (define: Define) => ({
  dropCountsOf: define<{ id: AgentId }>()((db, p) =>
    sql<never>`
      delete from counter where agent_id = ${p('id')}
        and account_id = (select account_id from agent where id = ${p('id')})`.compile(db),
  ),
})

/** Counters in SQLite. */
export function counterMethods({ define, read, write }: Session): CounterStore {
  const run = counterStatements(define)
  return {
    async add(counts) {
      const rows = counts.map(fromCount)
      if (rows.length === 0) return
      await write('add to counters', () => {
        for (const row of rows) run.addCount.run(row)
      })
    },
    sum: ({ accountId, agentId = null, name, from }) =>
      read('read counters', () => run.sums.all({ accountId, agentId, name, from })),
    async forget(before, limit) {
      const operation = 'forget counters'
      // Most looks find nothing, and need not wait for the lock that writes need.
      const some = await read(operation, () => run.oldCounts.get({ before, limit: 1 }) !== undefined)
      if (!some) return 0
      return write(operation, () => {
        const old = run.oldCounts.all({ before, limit })
        for (const row of old) run.dropCount.run(row)
        return old.length
      })
    },
  }
}
