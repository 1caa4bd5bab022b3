import type { CopiedKind, CopiedParts, CopyKey } from '@colloquy/core/store'
import type { Define } from '../database/statements.ts'
import { copiedDocuments } from '../documents/copied-documents.ts'
import { fromEndpoint, toEndpoint } from '../webhooks/webhook-rows.ts'
import { copiedTable } from './copied-table.ts'
import { copiedWebhookEvents } from './copied-webhook-events.ts'

/** How the parts of a kind are read and written. */
export interface Copied<Part> {
  /** In the order of their keys. Read one after the other, within one snapshot. */
  after(key: CopyKey | null, count: number): Iterable<Part>
  take(part: Part): void
  drop(key: CopyKey): void
}

/** Of every kind, how its parts are read and written. */
type CopiedPartsOf = { readonly [Kind in CopiedKind]: Copied<CopiedParts[Kind]> }

const ENDPOINT_COLUMNS = [
  ...(['id', 'account_id', 'name', 'url', 'event_types', 'headers', 'timeout', 'enabled'] as const),
  ...(['disabled_reason', 'secret', 'previous_secret', 'version', 'created_at', 'updated_at'] as const),
] as const

function* mapped<Row, Part>(rows: Iterable<Row>, toPart: (row: Row) => Part): Generator<Part> {
  for (const row of rows) yield toPart(row)
}

/** The kinds of parts, but for conversations. */
export function copiedParts(define: Define): CopiedPartsOf {
  const endpoints = copiedTable(define, 'webhook_endpoint', ENDPOINT_COLUMNS, [['id', 'text']])
  return {
    ...copiedDocuments(define),
    webhook_endpoint: {
      after: (key, count) => mapped(endpoints.rowsAfter(key, count), toEndpoint),
      take: endpoint => endpoints.put(fromEndpoint(endpoint)),
      drop: endpoints.drop,
    },
    webhook_event: copiedWebhookEvents(define),
  }
}
