import type { AuditEntry } from '@colloquy/core'
import { type Selectable, sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'

/** An entry's row without its place. */
export type AuditValues = Omit<Selectable<Schema['audit_entry']>, 'row'>

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

/** A list by the condition whose index is to be read; the others are looked at entry by entry. */
const list = (define: Define, index: string, lead: { column: string; value: keyof AuditConditions } | null) =>
  define<AuditConditions>()((db, p) => {
    const first = lead === null ? sql`true` : sql`${sql.ref(lead.column)} = ${p(lead.value)}`
    return sql<Selectable<Schema['audit_entry']>>`
      select * from audit_entry indexed by ${sql.ref(index)}
      where ${first}
        and (at, row) < (${p('at')}, ${p('sequence')})
        and at >= ${p('since')} and at < ${p('until')}
        and (${p('accountId')} is null or account_id = ${p('accountId')})
        and (${p('agentId')} is null or agent_id = ${p('agentId')})
        and (${p('action')} is null or action = ${p('action')})
        and (${p('resourceId')} is null or resource_id = ${p('resourceId')})
      order by at desc, row desc limit ${p('limit')}`.compile(db)
  })

/** The statements of the audit log, prepared. */
export const auditStatements = (define: Define) => ({
  insertEntry: define<{ [Name in keyof AuditValues]: AuditValues[Name] }>()((db, p) =>
    db
      .insertInto('audit_entry')
      .values({
        id: p('id'),
        at: p('at'),
        actor_type: p('actor_type'),
        actor_id: p('actor_id'),
        actor_name: p('actor_name'),
        action: p('action'),
        account_id: p('account_id'),
        agent_id: p('agent_id'),
        resource_type: p('resource_type'),
        resource_id: p('resource_id'),
        details: p('details'),
        correlation_id: p('correlation_id'),
      })
      .compile(),
  ),
  byTime: list(define, 'audit_entry_by_time', null),
  byAccount: list(define, 'audit_entry_of_account', { column: 'account_id', value: 'accountId' }),
  byAgent: list(define, 'audit_entry_of_agent', { column: 'agent_id', value: 'agentId' }),
  byAction: list(define, 'audit_entry_of_action', { column: 'action', value: 'action' }),
  byResource: list(define, 'audit_entry_of_resource', { column: 'resource_id', value: 'resourceId' }),
  old: define<{ before: number; limit: number }>()((db, p) =>
    db
      .selectFrom('audit_entry')
      .select('row')
      .where('at', '<', p('before'))
      .orderBy('at')
      .orderBy('row')
      .limit(p('limit'))
      .compile(),
  ),
  permitRemoval: define<{ before: number }>()((db, p) =>
    db
      .insertInto('audit_removal')
      .values({ before: p('before') })
      .compile(),
  ),
  forbidRemoval: define()(db => db.deleteFrom('audit_removal').compile()),
  removeEntry: define<{ row: number }>()((db, p) =>
    db.deleteFrom('audit_entry').where('row', '=', p('row')).compile(),
  ),
})

/** These statements, prepared. */
export type AuditStatements = ReturnType<typeof auditStatements>

/** An entry as its row. */
export const fromEntry = ({ actor, resource, ...entry }: AuditEntry) => ({
  id: entry.id,
  at: entry.at,
  actor_type: actor.type,
  actor_id: actor.id,
  actor_name: actor.name,
  action: entry.action,
  account_id: entry.accountId,
  agent_id: entry.agentId,
  resource_type: resource.type,
  resource_id: resource.id,
  details: JSON.stringify(entry.details),
  correlation_id: entry.correlationId,
})
