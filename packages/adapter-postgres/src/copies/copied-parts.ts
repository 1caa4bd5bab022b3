import type { CopiedKind, CopiedParts } from '@colloquy/core/store'
import { sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import { copiedDocuments } from '../documents/copied-documents.ts'
import { type EndpointRow, fromEndpoint, toEndpoint } from '../webhooks/webhook-rows.ts'
import { type Copied, type CopiedColumns, type CopiedTable, copiedTable } from './copied-table.ts'
import { copiedWebhookEvents } from './copied-webhook-events.ts'

/** Of every kind, how its parts are read and written. */
type CopiedPartsOf = { readonly [Kind in CopiedKind]: Copied<CopiedParts[Kind]> }

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

/** The kinds of parts, but for conversations. */
export function copiedParts(define: Define): CopiedPartsOf {
  const beside = besideStatements(define)
  const endpoints = ofTable(copiedTable(define, 'webhook_endpoint', ENDPOINTS), toEndpoint, fromEndpoint)
  return {
    ...copiedDocuments(define),
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
