import type { WebhookEndpointId, WebhookEventId } from '@colloquy/core'
import type { CopiedWebhookEvent } from '@colloquy/core/store'
import { sql } from 'kysely'
import { fromJsonOfRow } from '../database/json.ts'
import type { Define } from '../database/statements.ts'
import {
  type DeliveryRow,
  type EventRow,
  type ExchangeValue,
  fromDelivery,
  fromExchange,
  toDelivery,
  toEvent,
  toExchange,
} from '../webhooks/webhook-rows.ts'
import { type Copied, within } from './copied-table.ts'

type DeliveryOfEndpoint = DeliveryRow & ExchangeValue & { readonly endpoint_id: WebhookEndpointId }

/** Of an event, its columns as lists, one value for each event. */
type EventColumns = {
  ids: readonly WebhookEventId[]
  accountIds: readonly string[]
  types: readonly string[]
  conversationIds: readonly (string | null)[]
  times: readonly number[]
  bodies: readonly string[]
}

type DeliveryColumns = {
  events: readonly string[]
  endpoints: readonly string[]
  statuses: readonly string[]
  attempts: readonly number[]
  dueAt: readonly (number | null)[]
  inFlight: readonly boolean[]
  lastAttemptAt: readonly (number | null)[]
  lastStatus: readonly (number | null)[]
  lastError: readonly (string | null)[]
  versions: readonly number[]
  createdAt: readonly number[]
  exchanges: readonly (string | null)[]
}

const statements = (define: Define) => ({
  after: define<{ id: string; count: number; bytes: number }>('read a page to copy')<
    EventRow & { readonly deliveries: string }
  >((t, p) =>
    within(
      sql`select e.id, e.account_id, e.type, e.conversation_id, e.at, e.body, (
          select coalesce(json_agg(told order by told.endpoint_id), '[]')::text from (
            select d.*, w.id as endpoint_id from ${t('webhook_delivery')} as d
            join ${t('webhook_endpoint')} as w on w.row = d.endpoint where d.event = e.row) as told) as deliveries
        from ${t('webhook_event')} as e where e.id > ${p('id')}::text order by e.id limit ${p('count')}::bigint`,
      sql`id`,
      p('bytes'),
    ),
  ),
  drop: define<{ ids: readonly string[] }>('drop copied parts')(
    (t, p) => sql`delete from ${t('webhook_event')} where id = any (${p('ids')}::text[])`,
  ),
  putEvents: define<EventColumns>('take copied parts')(
    (t, p) => sql`
    insert into ${t('webhook_event')} (id, account_id, type, conversation_id, at, body)
    select * from unnest(${p('ids')}::text[], ${p('accountIds')}::text[], ${p('types')}::text[],
      ${p('conversationIds')}::text[], ${p('times')}::bigint[], ${p('bodies')}::text[])`,
  ),
  putDeliveries: define<DeliveryColumns>('take copied parts')(
    (t, p) => sql`
    insert into ${t('webhook_delivery')} (event, endpoint, event_id, status, attempts, due_at, in_flight, last_attempt_at,
      last_status, last_error, version, created_at, exchange)
    select e.row, w.row, e.id, d.status, d.attempts, d.due_at, d.in_flight, d.last_attempt_at, d.last_status, d.last_error,
      d.version, d.created_at, d.exchange
    from unnest(${p('events')}::text[], ${p('endpoints')}::text[], ${p('statuses')}::text[], ${p('attempts')}::int[],
      ${p('dueAt')}::bigint[], ${p('inFlight')}::boolean[], ${p('lastAttemptAt')}::bigint[], ${p('lastStatus')}::int[],
      ${p('lastError')}::text[], ${p('versions')}::int[], ${p('createdAt')}::bigint[],
      ${p('exchanges')}::text[])
      as d (event_id, endpoint_id, status, attempts, due_at, in_flight, last_attempt_at, last_status, last_error, version,
        created_at, exchange)
    join ${t('webhook_event')} as e on e.id = d.event_id
    join ${t('webhook_endpoint')} as w on w.id = d.endpoint_id`,
  ),
})

const eventColumns = (events: readonly CopiedWebhookEvent[]): EventColumns => ({
  ids: events.map(({ event }) => event.id),
  accountIds: events.map(({ event }) => event.accountId),
  types: events.map(({ event }) => event.type),
  conversationIds: events.map(({ event }) => event.conversationId),
  times: events.map(({ event }) => event.at),
  bodies: events.map(({ event }) => event.body),
})

function deliveryColumns(events: readonly CopiedWebhookEvent[]): DeliveryColumns {
  const deliveries = events.flatMap(({ deliveries }) => deliveries)
  const rows = deliveries.map(fromDelivery)
  return {
    events: rows.map(row => row.event_id),
    endpoints: deliveries.map(({ endpointId }) => endpointId),
    statuses: rows.map(row => row.status),
    attempts: rows.map(row => row.attempts),
    dueAt: rows.map(row => row.due_at),
    inFlight: rows.map(row => row.in_flight),
    lastAttemptAt: rows.map(row => row.last_attempt_at),
    lastStatus: rows.map(row => row.last_status),
    lastError: rows.map(row => row.last_error),
    versions: rows.map(row => row.version),
    createdAt: rows.map(row => row.created_at),
    exchanges: deliveries.map(({ exchange }) => fromExchange(exchange)),
  }
}

/** Webhook events and their deliveries, as they are copied. */
export function copiedWebhookEvents(define: Define): Copied<CopiedWebhookEvent> {
  const run = statements(define)
  return {
    async after(key, bounds) {
      const rows = await run.after.all({ id: String(key?.[0] ?? ''), ...bounds })
      return rows.map(row => ({
        event: toEvent(row),
        deliveries: fromJsonOfRow<readonly DeliveryOfEndpoint[]>(row.deliveries).map(one => ({
          ...toDelivery(one, one.endpoint_id),
          exchange: toExchange(one),
        })),
      }))
    },
    async take(events, on) {
      await run.drop.all({ ids: events.map(({ event }) => event.id) }, on)
      await run.putEvents.all(eventColumns(events), on)
      await run.putDeliveries.all(deliveryColumns(events), on)
    },
    async drop(keys, on) {
      await run.drop.all({ ids: keys.map(([id]) => String(id)) }, on)
    },
  }
}
