import type { WebhookEndpointId } from '@colloquy/core'
import { sql } from 'kysely'
import type { Behind } from '../database/created-order.ts'
import type { Define, Tables } from '../database/statements.ts'
import { ANSWER, type Done, deliveriesOf, keeping, type OutboxParameters } from '../outbox/outbox-keeper.ts'
import type { DeliveryRow, EndpointRow, EventRow, ExchangeValue } from './webhook-rows.ts'

/** A row of a list of deliveries. */
export type ListedRow = DeliveryRow & Pick<EventRow, 'type' | 'conversation_id'>

/** A delivery with its event, and what is kept of its newest attempt. */
type KeptRow = DeliveryRow & ExchangeValue & Omit<EventRow, 'id'>

/** A claimed delivery with its event, and its endpoint's row as JSON. */
export type ClaimedRow = DeliveryRow & Omit<EventRow, 'id'> & { readonly endpoint: string }

/** Of an endpoint, all that an update writes. */
const WRITTEN = [
  ...([
    'account_id',
    'name',
    'url',
    'event_types',
    'headers',
    'timeout',
    'enabled',
    'disabled_reason',
  ] as const),
  ...(['secret', 'previous_secret', 'version', 'created_at', 'updated_at'] as const),
]

const endpointStatements = (define: Define) => ({
  // The account's row is what two wait for that add one at once: the second counts the first.
  insertEndpoint: define<EndpointRow & { limit: number } & OutboxParameters>('create a webhook endpoint')<{
    readonly done: boolean
    readonly taken: boolean
  }>(
    (t, p) => sql`
    with free as (
      select 1 where not exists (select from ${t('webhook_endpoint')} where id = ${p('id')}) and ${p('limit')}::int > 0
    ), counted as (
      insert into ${t('webhook_account')} as account (account_id, endpoints) select ${p('account_id')}::text, 1 from free
      on conflict (account_id) do update set endpoints = account.endpoints + 1 where account.endpoints < ${p('limit')}::int
      returning 1
    ), added as (
      insert into ${t('webhook_endpoint')} (id, account_id, name, url, event_types, headers, timeout, enabled,
        disabled_reason, secret, previous_secret, version, created_at, updated_at)
      select ${p('id')}::text, ${p('account_id')}::text, ${p('name')}::text, ${p('url')}::text, ${p('event_types')}::text[],
        ${p('headers')}::text, ${p('timeout')}::bigint, ${p('enabled')}::boolean, ${p('disabled_reason')}::text,
        ${p('secret')}::text, ${p('previous_secret')}::text, ${p('version')}::int, ${p('created_at')}::bigint,
        ${p('updated_at')}::bigint
      from counted returning 1
    ), done (write) as (select 1 from added), ${keeping(t, p)}
    select exists (select from done) as done, not exists (select from free) and ${p('limit')}::int > 0 as taken`,
  ),
  endpoint: define<{ accountId: string; id: string }>('read a webhook endpoint')<EndpointRow>(
    (t, p) => sql`
    select * from ${t('webhook_endpoint')} where id = ${p('id')} and account_id = ${p('accountId')}`,
  ),
  endpoints: define<{ accountId: string; enabled: boolean | null; eventType: string | null } & Behind>(
    'list webhook endpoints',
  )<EndpointRow>(
    (t, p) => sql`
    select * from ${t('webhook_endpoint')}
    where account_id = ${p('accountId')} and (created_at, id) > (${p('at')}::bigint, ${p('id')}::text)
      and (${p('enabled')}::boolean is null or enabled = ${p('enabled')})
      and (${p('eventType')}::text is null or ${p('eventType')} = any (event_types))
    order by created_at, id limit ${p('limit')}::bigint`,
  ),
  updateEndpoint: define<EndpointRow & { expectedVersion: number } & OutboxParameters>(
    'update a webhook endpoint',
  )<Done>(
    (t, p) => sql`
      with changed as (
        update ${t('webhook_endpoint')} set ${sql.join(WRITTEN.map(name => sql`${sql.ref(name)} = ${p(name)}`))}
        where id = ${p('id')} and version = ${p('expectedVersion')}::int returning 1
      ), done (write) as (select 1 from changed), ${keeping(t, p)} ${ANSWER}`,
  ),
  deleteEndpoint: define<{ id: string; accountId: string } & OutboxParameters>(
    'delete a webhook endpoint',
  )<Done>(
    (t, p) => sql`
      with deleted as (
        delete from ${t('webhook_endpoint')} where id = ${p('id')} and account_id = ${p('accountId')} returning account_id
      ), counted as (
        update ${t('webhook_account')} set endpoints = endpoints - 1 where account_id = (select account_id from deleted)
      ), done (write) as (select 1 from deleted), ${keeping(t, p)} ${ANSWER}`,
  ),
})

const eventStatements = (define: Define) => ({
  keepEvent: define<EventRow & { endpointId: WebhookEndpointId }>('keep a webhook event')(
    (t, p) => sql`
    with kept as (
      insert into ${t('webhook_event')} (id, account_id, type, conversation_id, at, body)
      select ${p('id')}::text, ${p('account_id')}::text, ${p('type')}::text, ${p('conversation_id')}::text, ${p('at')}::bigint,
        ${p('body')}::text
      from ${t('webhook_endpoint')} where id = ${p('endpointId')} returning row, id, at
    ), delivered as (${deliveriesOf(t, sql`kept`, sql`w.id = ${p('endpointId')}`)})
    select 1 from kept`,
  ),
  forgetEvents: define<{ before: number; limit: number }>('forget webhook events')(
    (t, p) => sql`
    delete from ${t('webhook_event')} where row in (
      select e.row from ${t('webhook_event')} as e
      where e.at < ${p('before')}::bigint
        and not exists (select from ${t('webhook_delivery')} where event = e.row and status = 'pending')
      order by e.at, e.id limit ${p('limit')}::bigint for update skip locked
    ) returning 1`,
  ),
})

/** Steps from one endpoint with pending deliveries to the next, whatever their number. */
const waiting = (t: Tables) => sql`
  waiting (endpoint) as (
    select min(endpoint) from ${t('webhook_delivery')} where due_at is not null
    union all
    select (select min(d.endpoint) from ${t('webhook_delivery')} as d where d.due_at is not null and d.endpoint > waiting.endpoint)
    from waiting where waiting.endpoint is not null
  )`

const claimStatements = (define: Define) => ({
  dueEndpoints: define<{ now: number; limit: number }>('look for due webhooks')<{
    readonly id: WebhookEndpointId
  }>(
    (t, p) => sql`
      with recursive ${waiting(t)}
      select w.id from waiting
      cross join lateral (select min(due_at) as due_at from ${t('webhook_delivery')} as d
        where d.due_at is not null and d.endpoint = waiting.endpoint) as first
      join ${t('webhook_endpoint')} as w on w.row = waiting.endpoint
      where first.due_at <= ${p('now')}::bigint and w.enabled
      order by first.due_at, w.id limit ${p('limit')}::bigint`,
  ),
  nextDue: define<Record<never, never>>('look for the next webhook')<{ readonly at: number | null }>(
    t => sql`
      with recursive ${waiting(t)}
      select min(first.due_at) as at from waiting
      cross join lateral (select min(due_at) as due_at from ${t('webhook_delivery')} as d
        where d.due_at is not null and d.endpoint = waiting.endpoint) as first
      join ${t('webhook_endpoint')} as w on w.row = waiting.endpoint where w.enabled`,
  ),
  claim: define<{ endpointId: string; now: number; limit: number; until: number }>(
    'claim due webhooks',
  )<ClaimedRow>(
    (t, p) => sql`
      with due as (
        select d.event, d.endpoint, d.due_at as was_due
        from ${t('webhook_delivery')} as d
        where d.endpoint = (select row from ${t('webhook_endpoint')} where id = ${p('endpointId')} and enabled)
          and d.due_at is not null and d.due_at <= ${p('now')}::bigint
        order by d.due_at, d.event_id limit ${p('limit')}::bigint for update of d skip locked
      ), claimed as (
        update ${t('webhook_delivery')} as d set in_flight = true, due_at = ${p('until')}::bigint, version = d.version + 1
        from due where d.event = due.event and d.endpoint = due.endpoint
        returning d.*, due.was_due
      )
      select claimed.event_id, claimed.status, claimed.attempts, claimed.due_at, claimed.in_flight, claimed.last_attempt_at,
        claimed.last_status, claimed.last_error, claimed.version, claimed.created_at,
        e.account_id, e.type, e.conversation_id, e.at, e.body,
        (select row_to_json(w)::text from ${t('webhook_endpoint')} as w where w.row = claimed.endpoint) as endpoint
      from claimed join ${t('webhook_event')} as e on e.row = claimed.event
      order by claimed.was_due, claimed.event_id`,
  ),
  hasten: define<{ now: number; inFlight: number; waiting: readonly number[]; limit: number }>(
    'hasten webhook deliveries',
  )(
    (t, p) => sql`
    with recursive ${waiting(t)}, pending as (
      select d.event, d.endpoint, d.due_at, ${p('now')}::bigint + case when d.in_flight then ${p('inFlight')}::bigint else
        (${p('waiting')}::bigint[])[least(d.attempts + 1, cardinality(${p('waiting')}::bigint[]))] end as furthest
      from waiting join ${t('webhook_delivery')} as d
        on d.endpoint = waiting.endpoint and d.due_at is not null and d.due_at > ${p('now')}::bigint
    ), late as (
      select d.event, d.endpoint, pending.furthest
      from pending join ${t('webhook_delivery')} as d on d.event = pending.event and d.endpoint = pending.endpoint
      where d.due_at > pending.furthest limit ${p('limit')}::bigint for update of d skip locked
    )
    update ${t('webhook_delivery')} as d set due_at = late.furthest
    from late where d.event = late.event and d.endpoint = late.endpoint returning 1`,
  ),
})

const listed = sql`d.event_id, d.status, d.attempts, d.due_at, d.in_flight, d.last_attempt_at, d.last_status, d.last_error,
  d.version, d.created_at, e.type, e.conversation_id`

type Place = { endpointId: string; createdAt: number; eventId: string; limit: number }

const deliveryStatements = (define: Define) => ({
  updateDelivery: define<DeliveryRow & ExchangeValue & { endpointId: string; expectedVersion: number }>(
    'update a webhook delivery',
  )(
    (t, p) => sql`
      update ${t('webhook_delivery')} set status = ${p('status')}, attempts = ${p('attempts')}, due_at = ${p('due_at')},
        in_flight = ${p('in_flight')}, last_attempt_at = ${p('last_attempt_at')}, last_status = ${p('last_status')},
        last_error = ${p('last_error')}, version = ${p('version')}, created_at = ${p('created_at')},
        exchange = coalesce(${p('exchange')}::text, exchange)
      where event = (select row from ${t('webhook_event')} where id = ${p('event_id')})
        and endpoint = (select row from ${t('webhook_endpoint')} where id = ${p('endpointId')})
        and version = ${p('expectedVersion')}::int returning 1`,
  ),
  delivery: define<{ endpointId: string; eventId: string }>('read a webhook delivery')<KeptRow>(
    (t, p) => sql`
    select ${listed}, d.exchange, e.account_id, e.at, e.body from ${t('webhook_event')} as e join ${t('webhook_delivery')} as d on d.event = e.row
    where e.id = ${p('eventId')} and d.endpoint = (select row from ${t('webhook_endpoint')} where id = ${p('endpointId')})`,
  ),
  // The lists alone in a subquery, so that no more events are read than are wanted.
  deliveries: define<Place>('list webhook deliveries')<ListedRow>(
    (t, p) => sql`
    select ${listed} from (
      select * from ${t('webhook_delivery')}
      where endpoint = (select row from ${t('webhook_endpoint')} where id = ${p('endpointId')})
        and (created_at, event_id) < (${p('createdAt')}::bigint, ${p('eventId')}::text)
      order by created_at desc, event_id desc limit ${p('limit')}::bigint
    ) as d join ${t('webhook_event')} as e on e.row = d.event order by d.created_at desc, d.event_id desc`,
  ),
  deliveriesIn: define<Place & { status: string }>('list webhook deliveries')<ListedRow>(
    (t, p) => sql`
    select ${listed} from (
      select * from ${t('webhook_delivery')}
      where endpoint = (select row from ${t('webhook_endpoint')} where id = ${p('endpointId')}) and status = ${p('status')}
        and (created_at, event_id) < (${p('createdAt')}::bigint, ${p('eventId')}::text)
      order by created_at desc, event_id desc limit ${p('limit')}::bigint
    ) as d join ${t('webhook_event')} as e on e.row = d.event order by d.created_at desc, d.event_id desc`,
  ),
})

/** The statements of the webhook store. */
export const webhookStatements = (define: Define) => ({
  ...endpointStatements(define),
  ...eventStatements(define),
  ...claimStatements(define),
  ...deliveryStatements(define),
})

/** These statements. */
export type WebhookStatements = ReturnType<typeof webhookStatements>
