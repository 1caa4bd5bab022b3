import type { WebhookEvent } from '@colloquy/core'
import { heldDelivery, WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT, WEBHOOK_EVENT } from '@colloquy/core/store'
import type { SqlValue } from '../database/values.ts'
import { columnsOf, type GivenColumn, listed, typeOf, valuesOf } from './columns.ts'

const EVENT = columnsOf(WEBHOOK_EVENT)
const DELIVERY = columnsOf(WEBHOOK_DELIVERY)
const EVENT_VALUES = valuesOf(WEBHOOK_EVENT)
const DELIVERY_VALUES = valuesOf(WEBHOOK_DELIVERY).slice(1)

/** Columns of an outgoing event: its account, its own row, and the row of its delivery. */
export const TOLD: readonly GivenColumn[] = [
  { name: 'account', type: 'text' },
  { name: 'type', type: 'text' },
  ...EVENT.map(column => ({ name: `event_${column}`, type: typeOf(WEBHOOK_EVENT, column) })),
  { name: 'event_body', type: 'body' },
  ...DELIVERY.map(column => ({ name: `delivery_${column}`, type: typeOf(WEBHOOK_DELIVERY, column) })),
  { name: 'delivery_body', type: 'body' },
]

/** Returns these values of an event. A delivery's id and body lack the part before the id of an endpoint. */
export function toldOf(event: WebhookEvent): readonly SqlValue[] {
  const held = heldDelivery(event, '')
  const { endpointId: _, ...others } = held
  return [
    event.accountId,
    event.type,
    ...EVENT_VALUES.map(of => of(event)),
    JSON.stringify(event),
    WEBHOOK_DELIVERY.id(held).slice('[""'.length),
    ...DELIVERY_VALUES.map(of => of(held)),
    JSON.stringify(others).slice(1),
  ]
}

/** Columns that depend on the id of an endpoint, as SQL. */
const OF_ENDPOINT: Readonly<Record<string, string>> = {
  id: `'[' || to_json(endpoint)::text || delivery_id`,
  endpoint_id: 'endpoint',
  waiting_endpoint_id: 'endpoint',
}

/**
 * Keeps events, and a delivery for each endpoint that wants them. If an endpoint is being deleted, waits for that, so
 * that no delivery to it stays. A later deletion waits for this statement.
 */
export const keeping = (given: string, isDone: string): string => `
  wanting as (
    select given.*, held.id as endpoint from ${given} join @${WEBHOOK_ENDPOINT.name} as held
      on held.enabled_account_id = given.account and given.type = any (string_to_array(held.event_types, ' '))
    where ${isDone} for key share of held
  ), kept_event as (
    insert into @${WEBHOOK_EVENT.name} (${listed([...EVENT, 'body'])})
    select distinct on (event_id) ${[...EVENT, 'body'].map(column => `event_${column}`).join(', ')} from wanting
  ), kept_delivery as (
    insert into @${WEBHOOK_DELIVERY.name} (${listed([...DELIVERY, 'body'])})
    select ${DELIVERY.map(column => OF_ENDPOINT[column] ?? `delivery_${column}`).join(', ')},
      '{"endpointId":' || to_json(endpoint)::text || ',' || delivery_body from wanting
  )`
