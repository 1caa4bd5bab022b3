import type { WebhookEndpointId } from '@colloquy/core'
import type { CopiedWebhookEvent, CopyKey } from '@colloquy/core/store'
import { type Selectable, sql } from 'kysely'
import type { Define } from '../database/statements.ts'
import type { Schema } from '../database/tables.ts'
import {
  fromDelivery,
  fromEvent,
  fromExchange,
  toDelivery,
  toEvent,
  toExchange,
} from '../webhooks/webhook-rows.ts'
import { webhookStatements } from '../webhooks/webhook-statements.ts'

const statements = (define: Define) => ({
  eventsAfter: define<{ id: string; count: number }>()((db, p) =>
    sql<Selectable<Schema['webhook_event']>>`
      select * from webhook_event where id > ${p('id')} order by id limit ${p('count')}`.compile(db),
  ),
  deliveries: define<{ event: number }>()((db, p) =>
    sql<Selectable<Schema['webhook_delivery']> & { readonly endpoint_id: WebhookEndpointId }>`
      select webhook_delivery.*, webhook_endpoint.id as endpoint_id
      from webhook_delivery join webhook_endpoint on webhook_endpoint.row = webhook_delivery.endpoint
      where event = ${p('event')} order by webhook_endpoint.id`.compile(db),
  ),
  drop: define<{ id: string }>()((db, p) =>
    sql<never>`delete from webhook_event where id = ${p('id')}`.compile(db),
  ),
})

/** Webhook events and their deliveries, as they are copied. */
export function copiedWebhookEvents(define: Define) {
  const own = statements(define)
  const run = webhookStatements(define)
  return {
    *after(key: CopyKey | null, count: number): Generator<CopiedWebhookEvent> {
      for (const row of own.eventsAfter.all({ id: String(key?.[0] ?? ''), count })) {
        const deliveries = own.deliveries.all({ event: row.row })
        yield {
          event: toEvent(row),
          deliveries: deliveries.map(one => ({
            ...toDelivery(one, one.endpoint_id),
            exchange: toExchange(one),
          })),
        }
      }
    },
    take({ event, deliveries }: CopiedWebhookEvent): void {
      own.drop.run({ id: event.id })
      const { row } = run.insertEvent.run(fromEvent(event))
      for (const delivery of deliveries) {
        const endpoint = run.endpoint.get({ id: delivery.endpointId })?.row
        if (endpoint !== undefined)
          run.insertDelivery.run({
            ...fromDelivery(delivery),
            ...{ event: row, endpoint, exchange: fromExchange(delivery.exchange) },
          })
      }
    },
    drop([id]: CopyKey): void {
      own.drop.run({ id: String(id) })
    },
  }
}
