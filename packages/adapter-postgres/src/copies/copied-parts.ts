import type { CopiedKind, CopiedParts } from '@colloquy/core/store'
import { sql } from 'kysely'
import { toEntry } from '../audit/audit.ts'
import type { AuditRow } from '../audit/audit-statements.ts'
import type { Define } from '../database/statements.ts'
import { copiedDocuments } from '../documents/copied-documents.ts'
import { type EndpointRow, fromEndpoint, toEndpoint } from '../webhooks/webhook-rows.ts'
import { type Copied, type CopiedColumns, type CopiedTable, copiedTable } from './copied-table.ts'
import { copiedWebhookEvents } from './copied-webhook-events.ts'

/** Of every kind, how its parts are read and written. */
type CopiedPartsOf = { readonly [Kind in CopiedKind]: Copied<CopiedParts[Kind]> }

type EntryRow = { [Name in keyof AuditRow]: AuditRow[Name] }

const ENTRIES: CopiedColumns<EntryRow> = {
  columns: {
    ...({ sequence: 'bigint', id: 'text', at: 'bigint', actor_type: 'text', actor_id: 'text' } as const),
    ...({ actor_name: 'text', action: 'text', account_id: 'text', agent_id: 'text' } as const),
    ...({ resource_type: 'text', resource_id: 'text', details: 'text', correlation_id: 'text' } as const),
  },
  key: [['sequence', 'number']],
  onConflict: sql`nothing`,
}

const ENDPOINTS: CopiedColumns<EndpointRow> = {
  columns: {
    ...({ id: 'text', account_id: 'text', name: 'text', url: 'text', event_types: 'text[]' } as const),
    ...({ headers: 'text', timeout: 'bigint', enabled: 'boolean', disabled_reason: 'text' } as const),
    ...({ secret: 'text', previous_secret: 'text', version: 'int' } as const),
    ...({ created_at: 'bigint', updated_at: 'bigint' } as const),
  },
  key: [['id', 'text']],
}

/** What tables keep beside the rows that are copied. */
const besideStatements = (define: Define) => ({
  // What is written from now on comes after what was copied.
  behindEntries: define('take copied entries of the audit log')(
    t => sql`
    select setval((select tableoid::regclass from ${t('audit_entry_sequence_seq')}),
      greatest((select max(sequence) from ${t('audit_entry')}), (select last_value from ${t('audit_entry_sequence_seq')})))`,
  ),
  countEndpoints: define('take copied webhook endpoints')(
    t => sql`
    with counted as (
      select account_id, count(*) as endpoints from ${t('webhook_endpoint')} group by account_id
    ), emptied as (
      update ${t('webhook_account')} set endpoints = 0 where account_id not in (select account_id from counted)
    )
    insert into ${t('webhook_account')} (account_id, endpoints) select account_id, endpoints from counted
    on conflict (account_id) do update set endpoints = excluded.endpoints`,
  ),
})

/** Parts that are the rows of one table. */
function ofTable<Row, Part>(
  table: CopiedTable<Row>,
  toPart: (row: Row) => Part,
  fromPart: (part: Part) => Row,
): Copied<Part> {
  return {
    after: async (key, bounds) => (await table.rowsAfter(key, bounds)).map(toPart),
    take: (parts, on) => table.put(parts.map(fromPart), on),
    drop: table.drop,
  }
}

const fromEntry = ({ sequence, entry }: CopiedParts['audit_entry']): EntryRow => ({
  sequence,
  id: entry.id,
  at: entry.at,
  actor_type: entry.actor.type,
  actor_id: entry.actor.id,
  actor_name: entry.actor.name,
  action: entry.action,
  account_id: entry.accountId,
  agent_id: entry.agentId,
  resource_type: entry.resource.type,
  resource_id: entry.resource.id,
  details: JSON.stringify(entry.details),
  correlation_id: entry.correlationId,
})

/** The kinds of parts, but for conversations. */
export function copiedParts(define: Define): CopiedPartsOf {
  const beside = besideStatements(define)
  const entries = ofTable(copiedTable(define, 'audit_entry', ENTRIES), toEntry, fromEntry)
  const endpoints = ofTable(copiedTable(define, 'webhook_endpoint', ENDPOINTS), toEndpoint, fromEndpoint)
  return {
    ...copiedDocuments(define),
    audit_entry: {
      after: entries.after,
      async take(parts, on) {
        await entries.take(parts, on)
        await beside.behindEntries.all({}, on)
      },
      drop: async () => {},
    },
    webhook_endpoint: {
      after: endpoints.after,
      async take(parts, on) {
        await endpoints.take(parts, on)
        await beside.countEndpoints.all({}, on)
      },
      async drop(keys, on) {
        await endpoints.drop(keys, on)
        await beside.countEndpoints.all({}, on)
      },
    },
    webhook_event: copiedWebhookEvents(define),
  }
}
