import type { AccountId, AuditEntry } from '@colloquy/core'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import { keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'

/** An entry as its row says. */
export interface AuditRow {
  readonly sequence: number
  readonly id: AuditEntry['id']
  readonly at: number
  readonly actor_type: AuditEntry['actor']['type']
  readonly actor_id: string | null
  readonly actor_name: string
  readonly action: AuditEntry['action']
  readonly account_id: AccountId | null
  readonly agent_id: string | null
  readonly resource_type: string
  readonly resource_id: string | null
  readonly details: string
  readonly correlation_id: string | null
}

/** The filter of a list; null matches any value. */
export type AuditConditions = {
  accountId: string | null
  agentId: string | null
  action: string | null
  resourceId: string | null
  since: number
  until: number
  at: number
  sequence: number
  limit: number
}

const LEADS = {
  byTime: sql`true`,
  byAccount: 'accountId',
  byAgent: 'agentId',
  byAction: 'action',
  byResource: 'resourceId',
} as const

const COLUMNS = {
  accountId: 'account_id',
  agentId: 'agent_id',
  action: 'action',
  resourceId: 'resource_id',
} as const

/** A list by the condition whose index is to be read; the others are looked at entry by entry. */
const list = (define: Define, lead: (typeof LEADS)[keyof typeof LEADS]) =>
  define<AuditConditions>('read the audit log')<AuditRow>((t, p) => {
    const first = typeof lead === 'string' ? sql`${sql.ref(COLUMNS[lead])} = ${p(lead)}` : lead
    return sql`
      select * from ${t('audit_entry')}
      where ${first}
        and (at, sequence) < (${p('at')}::bigint, ${p('sequence')}::bigint)
        and at >= ${p('since')}::bigint and at < ${p('until')}::bigint
        and (${p('accountId')}::text is null or account_id = ${p('accountId')})
        and (${p('agentId')}::text is null or agent_id = ${p('agentId')})
        and (${p('action')}::text is null or action = ${p('action')})
        and (${p('resourceId')}::text is null or resource_id = ${p('resourceId')})
      order by at desc, sequence desc limit ${p('limit')}::bigint`
  })

/** The statements of the audit log. */
export const auditStatements = (define: Define) => ({
  append: define<OutboxParameters>('append to the audit log')(
    (t, p) => sql`with done (write) as (select 1), ${keeping(t, p)} select 1`,
  ),
  byTime: list(define, LEADS.byTime),
  byAccount: list(define, LEADS.byAccount),
  byAgent: list(define, LEADS.byAgent),
  byAction: list(define, LEADS.byAction),
  byResource: list(define, LEADS.byResource),
  permitRemoval: define<{ before: number }>('remove entries of the audit log')(
    (_, p) => sql`select set_config('colloquy.audit_removal', ${p('before')}::bigint::text, true)`,
  ),
  remove: define<{ before: number; limit: number }>('remove entries of the audit log')<{ found: number }>(
    (t, p) =>
      sql`
      with found as (
        select at, sequence from ${t('audit_entry')} where at < ${p('before')}::bigint
        order by at, sequence limit ${p('limit')}::bigint + 1
      ), removed as (
        delete from ${t('audit_entry')} where sequence in (select sequence from found order by at, sequence limit ${p('limit')}::bigint)
      )
      select count(*) as found from found`,
  ),
})
