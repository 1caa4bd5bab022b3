import type { AccountId, ConversationId, WebhookEndpointId, WebhookEventId } from '@colloquy/core'
import { type Selectable, sql } from 'kysely'
import type { Behind } from '../database/created-order.ts'
import type { Define } from '../database/statements.ts'
import type { Flag, Schema } from '../database/tables.ts'

type EndpointValues = Omit<Selectable<Schema['webhook_endpoint']>, 'row'>
type EventValues = Omit<Selectable<Schema['webhook_event']>, 'row'>
type DeliveryValues = Omit<Selectable<Schema['webhook_delivery']>, 'row' | 'event' | 'endpoint' | 'exchange'>
type ExchangeValue = Pick<Selectable<Schema['webhook_delivery']>, 'exchange'>
type Values<T> = { [Name in keyof T]: T[Name] }

/** A row of a list of deliveries. */
export type DeliveryRow = DeliveryValues & Pick<EventValues, 'type' | 'conversation_id'>

/** A row of a delivery with its event, and what is kept of its newest attempt. */
type KeptRow = DeliveryRow & ExchangeValue & Pick<EventValues, 'account_id' | 'at' | 'body'>

const endpointStatements = (define: Define) => ({
  insertEndpoint: define<Values<EndpointValues> & { limit: number }>()((db, p) =>
    db
      .insertInto('webhook_endpoint')
      .columns([
        ...(['id', 'account_id', 'name', 'url', 'event_types', 'headers', 'timeout'] as const),
        ...([
          'enabled',
          'disabled_reason',
          'secret',
          'previous_secret',
          'version',
          'created_at',
          'updated_at',
        ] as const),
      ])
      .expression(
        sql<EndpointValues>`select ${p('id')}, ${p('account_id')}, ${p('name')}, ${p('url')},
          ${p('event_types')}, ${p('headers')}, ${p('timeout')}, ${p('enabled')}, ${p('disabled_reason')}, ${p('secret')}, ${p('previous_secret')},
          ${p('version')}, ${p('created_at')}, ${p('updated_at')}
          where (select count(*) from webhook_endpoint where account_id = ${p('account_id')}) < ${p('limit')}`,
      )
      .compile(),
  ),
  endpoint: define<{ id: WebhookEndpointId }>()((db, p) =>
    db.selectFrom('webhook_endpoint').selectAll().where('id', '=', p('id')).compile(),
  ),
  endpoints: define<{ accountId: AccountId; enabled: Flag | null; eventType: string | null } & Behind>()(
    (db, p) =>
      db
        .selectFrom('webhook_endpoint')
        .selectAll()
        .where('account_id', '=', p('accountId'))
        .where(sql<boolean>`(${p('enabled')} is null or enabled = ${p('enabled')})`)
        .where(
          sql<boolean>`(${p('eventType')} is null or ${p('eventType')} in (select value from json_each(event_types)))`,
        )
        .where(sql<boolean>`(created_at, id) > (${p('at')}, ${p('id')})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(p('limit'))
        .compile(),
  ),
  updateEndpoint: define<Values<EndpointValues> & { expectedVersion: number }>()((db, p) =>
    db
      .updateTable('webhook_endpoint')
      .set({
        account_id: p('account_id'),
        name: p('name'),
        url: p('url'),
        event_types: p('event_types'),
        headers: p('headers'),
        timeout: p('timeout'),
        enabled: p('enabled'),
        disabled_reason: p('disabled_reason'),
        secret: p('secret'),
        previous_secret: p('previous_secret'),
        version: p('version'),
        created_at: p('created_at'),
        updated_at: p('updated_at'),
      })
      .where('id', '=', p('id'))
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
  deleteEndpoint: define<{ id: WebhookEndpointId; accountId: AccountId }>()((db, p) =>
    db
      .deleteFrom('webhook_endpoint')
      .where('id', '=', p('id'))
      .where('account_id', '=', p('accountId'))
      .compile(),
  ),
  subscribed: define<{ accountId: AccountId; type: string }>()((db, p) =>
    sql<{ readonly row: number; readonly id: WebhookEndpointId }>`
      select row, id from webhook_endpoint
      where account_id = ${p('accountId')} and enabled = 1
        and ${p('type')} in (select value from json_each(event_types))`.compile(db),
  ),
})

const eventStatements = (define: Define) => ({
  insertEvent: define<Values<EventValues>>()((db, p) =>
    db
      .insertInto('webhook_event')
      .values({
        id: p('id'),
        account_id: p('account_id'),
        type: p('type'),
        conversation_id: p('conversation_id'),
        at: p('at'),
        body: p('body'),
      })
      .compile(),
  ),
  event: define<{ row: number }>()((db, p) =>
    db.selectFrom('webhook_event').selectAll().where('row', '=', p('row')).compile(),
  ),
  forgettable: define<{ before: number; limit: number }>()((db, p) =>
    sql<{ readonly row: number }>`
      select row from webhook_event indexed by webhook_event_by_time
      where at < ${p('before')} and not exists
        (select 1 from webhook_delivery where event = webhook_event.row and status = 'pending')
      order by at, id limit ${p('limit')}`.compile(db),
  ),
  eventsOf: define<{ conversationId: ConversationId; limit: number }>()((db, p) =>
    sql<{ readonly row: number; readonly bytes: number; readonly deliveries: number }>`
      select row, octet_length(body) as bytes,
        (select count(*) from webhook_delivery where event = webhook_event.row) as deliveries
      from webhook_event where conversation_id = ${p('conversationId')} limit ${p('limit')}`.compile(db),
  ),
  deleteEvent: define<{ row: number }>()((db, p) =>
    db.deleteFrom('webhook_event').where('row', '=', p('row')).compile(),
  ),
})

const claimStatements = (define: Define) => ({
  // Steps from one endpoint with pending deliveries to the next, whatever their number.
  dueEndpoints: define<{ now: number; limit: number }>()((db, p) =>
    sql<{ readonly id: WebhookEndpointId }>`
      with recursive waiting (endpoint) as (
        select min(endpoint) from webhook_delivery where due_at is not null
        union all
        select (select min(endpoint) from webhook_delivery
          where due_at is not null and endpoint > waiting.endpoint)
        from waiting where waiting.endpoint is not null
      ), due (endpoint, due_at) as (
        select endpoint, (select min(due_at) from webhook_delivery
          where due_at is not null and endpoint = waiting.endpoint)
        from waiting where endpoint is not null
      )
      select webhook_endpoint.id as id from due cross join webhook_endpoint on webhook_endpoint.row = due.endpoint
      where due.due_at <= ${p('now')} and webhook_endpoint.enabled = 1
      order by due.due_at, webhook_endpoint.id limit ${p('limit')}`.compile(db),
  ),
  nextDue: define<Record<never, never>>()(db =>
    sql<{ readonly at: number | null }>`
      with recursive waiting (endpoint) as (
        select min(endpoint) from webhook_delivery where due_at is not null
        union all
        select (select min(endpoint) from webhook_delivery
          where due_at is not null and endpoint > waiting.endpoint)
        from waiting where waiting.endpoint is not null
      )
      select min((select min(due_at) from webhook_delivery
        where due_at is not null and endpoint = waiting.endpoint)) as at
      from waiting cross join webhook_endpoint on webhook_endpoint.row = waiting.endpoint
      where webhook_endpoint.enabled = 1`.compile(db),
  ),
  due: define<{ endpoint: number; now: number; limit: number }>()((db, p) =>
    db
      .selectFrom('webhook_delivery')
      .selectAll()
      .where('endpoint', '=', p('endpoint'))
      .where('due_at', 'is not', null)
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .orderBy('event_id')
      .limit(p('limit'))
      .compile(),
  ),
  claim: define<{ row: number; until: number }>()((db, p) =>
    db
      .updateTable('webhook_delivery')
      .set({ in_flight: 1, due_at: p('until'), version: sql<number>`version + 1` })
      .where('row', '=', p('row'))
      .compile(),
  ),
})

const hastenStatements = (define: Define) => ({
  late: define<{ now: number; inFlight: number; waiting: string; limit: number }>()((db, p) =>
    sql<{ readonly row: number; readonly furthest: number }>`
      with recursive waiting (endpoint) as (
        select min(endpoint) from webhook_delivery where due_at is not null
        union all
        select (select min(endpoint) from webhook_delivery
          where due_at is not null and endpoint > waiting.endpoint)
        from waiting where waiting.endpoint is not null
      ), pending as (
        select row, due_at, ${p('now')} + case when in_flight = 1 then ${p('inFlight')} else
          json_extract(${p('waiting')}, '$[' || min(attempts, json_array_length(${p('waiting')}) - 1) || ']')
          end as furthest
        from waiting cross join webhook_delivery indexed by webhook_delivery_due
          on webhook_delivery.endpoint = waiting.endpoint and due_at > ${p('now')}
      )
      select row, furthest from pending where due_at > furthest limit ${p('limit')}`.compile(db),
  ),
  setDue: define<{ row: number; dueAt: number }>()((db, p) =>
    db
      .updateTable('webhook_delivery')
      .set({ due_at: p('dueAt') })
      .where('row', '=', p('row'))
      .compile(),
  ),
})

const columns = sql`delivery.event_id, delivery.status, delivery.attempts, delivery.due_at, delivery.in_flight,
  delivery.last_attempt_at, delivery.last_status, delivery.last_error, delivery.version, delivery.created_at,
  webhook_event.type, webhook_event.conversation_id`

const deliveryStatements = (define: Define) => ({
  insertDelivery: define<Values<DeliveryValues & ExchangeValue> & { event: number; endpoint: number }>()(
    (db, p) =>
      db
        .insertInto('webhook_delivery')
        .values({
          endpoint: p('endpoint'),
          event: p('event'),
          event_id: p('event_id'),
          status: p('status'),
          attempts: p('attempts'),
          due_at: p('due_at'),
          in_flight: p('in_flight'),
          last_attempt_at: p('last_attempt_at'),
          last_status: p('last_status'),
          last_error: p('last_error'),
          version: p('version'),
          created_at: p('created_at'),
          exchange: p('exchange'),
        })
        .compile(),
  ),
  updateDelivery: define<
    Values<DeliveryValues & ExchangeValue> & { endpointId: WebhookEndpointId; expectedVersion: number }
  >()((db, p) =>
    db
      .updateTable('webhook_delivery')
      .set({
        status: p('status'),
        attempts: p('attempts'),
        due_at: p('due_at'),
        in_flight: p('in_flight'),
        last_attempt_at: p('last_attempt_at'),
        last_status: p('last_status'),
        last_error: p('last_error'),
        version: p('version'),
        created_at: p('created_at'),
        exchange: sql<string | null>`coalesce(${p('exchange')}, exchange)`,
      })
      .where('event', '=', sql<number>`(select row from webhook_event where id = ${p('event_id')})`)
      .where('endpoint', '=', sql<number>`(select row from webhook_endpoint where id = ${p('endpointId')})`)
      .where('version', '=', p('expectedVersion'))
      .compile(),
  ),
  delivery: define<{ endpointId: WebhookEndpointId; eventId: WebhookEventId }>()((db, p) =>
    sql<KeptRow>`
      select ${columns}, delivery.exchange, webhook_event.account_id, webhook_event.at, webhook_event.body
      from webhook_event cross join webhook_delivery as delivery on delivery.event = webhook_event.row
      where webhook_event.id = ${p('eventId')}
        and delivery.endpoint = (select row from webhook_endpoint where id = ${p('endpointId')})`.compile(db),
  ),
  deliveries: define<{ endpointId: WebhookEndpointId; createdAt: number; eventId: string; limit: number }>()(
    (db, p) =>
      sql<DeliveryRow>`
        select ${columns} from webhook_delivery as delivery indexed by webhook_delivery_list
        cross join webhook_event on webhook_event.row = delivery.event
        where delivery.endpoint = (select row from webhook_endpoint where id = ${p('endpointId')})
          and (delivery.created_at, delivery.event_id) < (${p('createdAt')}, ${p('eventId')})
        order by delivery.created_at desc, delivery.event_id desc limit ${p('limit')}`.compile(db),
  ),
  deliveriesIn: define<{
    endpointId: WebhookEndpointId
    status: string
    createdAt: number
    eventId: string
    limit: number
  }>()((db, p) =>
    sql<DeliveryRow>`
      select ${columns} from webhook_delivery as delivery indexed by webhook_delivery_by_status
      cross join webhook_event on webhook_event.row = delivery.event
      where delivery.endpoint = (select row from webhook_endpoint where id = ${p('endpointId')})
        and delivery.status = ${p('status')}
        and (delivery.created_at, delivery.event_id) < (${p('createdAt')}, ${p('eventId')})
      order by delivery.created_at desc, delivery.event_id desc limit ${p('limit')}`.compile(db),
  ),
})

/** The statements of the webhook store, prepared. */
export const webhookStatements = (define: Define) => ({
  ...endpointStatements(define),
  ...eventStatements(define),
  ...claimStatements(define),
  ...hastenStatements(define),
  ...deliveryStatements(define),
})

/** The prepared statements. */
export type WebhookStatements = ReturnType<typeof webhookStatements>
