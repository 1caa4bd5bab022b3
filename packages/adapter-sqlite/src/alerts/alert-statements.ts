import type { AccountId, AgentId, AlertRule, AlertRuleId } from '@colloquy/core'
import type { Count, ValueCount } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import type { Flag } from '../database/tables.ts'

/** A rule's row, as it is written. */
export type AlertRuleRow = {
  id: AlertRuleId
  account_id: AccountId
  agent_id: AgentId | null
  enabled: Flag
  version: number
  created_at: number
  rule: string
}

/** A counter's row. */
export type CounterRow = {
  account_id: AccountId
  name: Count['name']
  minute: number
  agent_id: AgentId
  value: number
  count: number
}

export const toRule = ({ rule }: Pick<AlertRuleRow, 'rule'>): AlertRule => fromJson(rule)

export const fromRule = (rule: AlertRule): AlertRuleRow => ({
  id: rule.id,
  account_id: rule.accountId,
  agent_id: rule.agentId,
  enabled: rule.enabled ? 1 : 0,
  version: rule.version,
  created_at: rule.createdAt,
  rule: JSON.stringify(rule),
})

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

const ruleStatements = (define: Define) => ({
  insertRule: define<AlertRuleRow & { limit: number }>()((db, p) =>
    sql<never>`
      insert into alert_rule (id, account_id, agent_id, enabled, version, created_at, rule)
      select ${p('id')}, ${p('account_id')}, ${p('agent_id')}, ${p('enabled')}, ${p('version')}, ${p('created_at')},
        ${p('rule')}
      where (select count(*) from alert_rule where account_id = ${p('account_id')}) < ${p('limit')}`.compile(
      db,
    ),
  ),
  rule: define<{ id: AlertRuleId }>()((db, p) =>
    db.selectFrom('alert_rule').select(['account_id', 'rule']).where('id', '=', p('id')).compile(),
  ),
  rules: define<{ accountId: AccountId }>()((db, p) =>
    db
      .selectFrom('alert_rule')
      .select('rule')
      .where('account_id', '=', p('accountId'))
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  ),
  updateRule: define<AlertRuleRow & { expectedVersion: number }>()((db, p) =>
    db
      .updateTable('alert_rule')
      .set({
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        enabled: p('enabled'),
        version: p('version'),
        created_at: p('created_at'),
        rule: p('rule'),
      })
      .where('id', '=', p('id'))
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
  deleteRule: define<{ accountId: AccountId; id: AlertRuleId; expectedVersion: number }>()((db, p) =>
    db
      .deleteFrom('alert_rule')
      .where('id', '=', p('id'))
      .where('account_id', '=', p('accountId'))
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
  freeAccounts: define<{ now: number; reach: number }>()((db, p) =>
    sql<{ readonly accountId: AccountId }>`
      select distinct account_id as accountId from alert_rule where enabled = 1 and not exists (
        select 1 from alert_line
        where alert_line.account_id = alert_rule.account_id and held_until > ${p('now')}
          and held_until <= ${p('reach')}
      )`.compile(db),
  ),
  holdAccount: define<{ accountId: AccountId; until: number }>()((db, p) =>
    sql<never>`
      insert into alert_line (account_id, held_until) values (${p('accountId')}, ${p('until')})
      on conflict (account_id) do update set held_until = excluded.held_until`.compile(db),
  ),
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
export const agentAlertStatements = (define: Define) => ({
  dropRulesOf: define<{ id: AgentId }>()((db, p) =>
    db.deleteFrom('alert_rule').where('agent_id', '=', p('id')).compile(),
  ),
  dropCountsOf: define<{ accountId: AccountId; id: AgentId }>()((db, p) =>
    db
      .deleteFrom('counter')
      .where('account_id', '=', p('accountId'))
      .where('agent_id', '=', p('id'))
      .compile(),
  ),
})

/** The statements about alerts, prepared. */
export const alertStatements = (define: Define) => ({
  ...ruleStatements(define),
  ...counterStatements(define),
})

/** The prepared statements. */
export type AlertStatements = ReturnType<typeof alertStatements>
