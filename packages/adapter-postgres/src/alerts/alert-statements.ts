import type { AccountId, AgentId, AlertRule, AlertRuleId } from '@colloquy/core'
import type { Count, ValueCount } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJson } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import { ANSWER, type Done, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'

/** A rule's row, as it is written. */
export type AlertRuleRow = {
  id: AlertRuleId
  account_id: AccountId
  agent_id: AgentId | null
  enabled: boolean
  version: number
  created_at: number
  /** JSON of the whole rule. */
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
  enabled: rule.enabled,
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

/** Counters as lists, one value for each. */
type CounterColumns = {
  accounts: readonly string[]
  names: readonly string[]
  minutes: readonly number[]
  agents: readonly string[]
  values: readonly number[]
  counts: readonly number[]
}

export const counterColumns = (rows: readonly CounterRow[]): CounterColumns => ({
  accounts: rows.map(row => row.account_id),
  names: rows.map(row => row.name),
  minutes: rows.map(row => row.minute),
  agents: rows.map(row => row.agent_id),
  values: rows.map(row => row.value),
  counts: rows.map(row => row.count),
})

const ruleStatements = (define: Define) => ({
  // The account's row is what two wait for that add one at once: the second counts the first.
  insertRule: define<AlertRuleRow & { limit: number } & OutboxParameters>('create an alert rule')<{
    readonly done: boolean
    readonly taken: boolean
  }>(
    (t, p) => sql`
    with free as (
      select 1 where not exists (select from ${t('alert_rule')} where id = ${p('id')}) and ${p('limit')}::int > 0
    ), counted as (
      insert into ${t('alert_account')} as account (account_id, rules, held_until)
      select ${p('account_id')}::text, 1, 0 from free
      on conflict (account_id) do update set rules = account.rules + 1 where account.rules < ${p('limit')}::int
      returning 1
    ), added as (
      insert into ${t('alert_rule')} (id, account_id, agent_id, enabled, version, created_at, rule)
      select ${p('id')}::text, ${p('account_id')}::text, ${p('agent_id')}::text, ${p('enabled')}::boolean,
        ${p('version')}::int, ${p('created_at')}::bigint, ${p('rule')}::text
      from counted returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)}
    select exists (select from done) as done, not exists (select from free) and ${p('limit')}::int > 0 as taken`,
  ),
  rule: define<{ accountId: string; id: string }>('read an alert rule')<Pick<AlertRuleRow, 'rule'>>(
    (t, p) => sql`
    select rule from ${t('alert_rule')} where id = ${p('id')} and account_id = ${p('accountId')}`,
  ),
  rules: define<{ accountId: string }>('list alert rules')<Pick<AlertRuleRow, 'rule'>>(
    (t, p) => sql`
    select rule from ${t('alert_rule')} where account_id = ${p('accountId')} order by created_at, id`,
  ),
  updateRule: define<AlertRuleRow & { expectedVersion: number } & OutboxParameters>(
    'update an alert rule',
  )<Done>(
    (t, p) => sql`
    with changed as (
      update ${t('alert_rule')} set account_id = ${p('account_id')}, agent_id = ${p('agent_id')},
        enabled = ${p('enabled')}, version = ${p('version')}, created_at = ${p('created_at')}, rule = ${p('rule')}
      where id = ${p('id')} and version = ${p('expectedVersion')}::int returning 1
    ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
  deleteRule: define<{ accountId: string; id: string; expectedVersion: number } & OutboxParameters>(
    'delete an alert rule',
  )<Done>(
    (t, p) => sql`
    with deleted as (
      delete from ${t('alert_rule')} where id = ${p('id')} and account_id = ${p('accountId')}
        and version = ${p('expectedVersion')}::int returning account_id
    ), counted as (
      update ${t('alert_account')} set rules = rules - 1 where account_id = (select account_id from deleted)
    ), done (write) as (select 1 from deleted), ${keeping(t, p)} ${ANSWER}`,
  ),
  claimAccounts: define<{ now: number; reach: number; until: number }>('claim alert rules')<{
    readonly accountId: AccountId
  }>(
    (t, p) => sql`
    update ${t('alert_account')} as account set held_until = ${p('until')}::bigint
    where (held_until <= ${p('now')}::bigint or held_until > ${p('reach')}::bigint)
      and exists (select from ${t('alert_rule')} as r where r.account_id = account.account_id and r.enabled)
    returning account_id as "accountId"`,
  ),
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

/** The statements about alerts. */
export const alertStatements = (define: Define) => ({
  ...ruleStatements(define),
  ...counterStatements(define),
})

/** These statements. */
export type AlertStatements = ReturnType<typeof alertStatements>
